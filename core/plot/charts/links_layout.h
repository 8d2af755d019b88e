// Where the tokens of the links plot stand: in two columns, or in two rows.
#pragma once

#include <cstddef>

#include "figure/text.h"
#include "plot/parts/axis.h"
#include "plot/plot.h"

namespace attn {

// The tokens of one side in view.
struct LinkSide {
  MatrixAxis axis;  // count: all tokens of the side
  std::size_t first = 0, count = 0;
  std::size_t end() const { return first + count; }
  std::size_t after() const { return axis.count - end(); }
};

// Whether links lie better between rows: most tokens are Chinese, Japanese or Korean, which are
// short and read well side by side.
bool prefers_rows(const Document& document, std::size_t sample);

struct LinksLayout {
  bool rows = false;  // tokens side by side, queries above keys; else queries left of keys
  double width = 0.0, height = 0.0;
  Rect field;                        // between the tokens, where the links are
  double before = 0.0, after = 0.0;  // room for words on tokens beyond the ends of columns
  double labels[2] = {0, 0};         // room for the labels of queries and keys, across the tokens
  double pitch[2] = {0, 0};          // from token to token, units
  double start[2] = {0, 0};          // where the first token in view begins along its side
  FontStyle font;                    // of labels
  bool upright = false;              // labels of rows that are turned by 90°
  std::size_t stride[2] = {1, 1};    // every how many labels one is drawn

  // The end of a link at token `index`, which may be out of view.
  Point end(const LinkSide& side, double index) const;
  // Room of one token's label.
  Rect label(const LinkSide& side, std::size_t index) const;
};

// As high as `height` units; as the tokens want when that is 0.
LinksLayout lay_out_links(const PlotInput& input, const PlotOptions& options,
                          const LinkSide& queries, const LinkSide& keys, double width,
                          double height, const TextMetrics& metrics);

}  // namespace attn
