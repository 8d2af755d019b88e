// Where the parts of the table of measures stand.
#pragma once

#include <string>
#include <vector>

#include "engine/measures.h"
#include "plot/plot.h"

namespace attn {

// One head with its numbers and words.
struct MeasuredHead {
  std::string name;  // "Head 3"
  HeadMeasures measures;
  std::vector<const HeadLabelInfo*> labels;
};

// All units; y from the top of the table.
struct MeasuresLayout {
  double font = 10.0;
  double left = 0.0, right = 0.0;  // of the table
  double page_right = 0.0;         // of the lines above and below it
  double first_column = 0.0;       // left edge of the first cell
  double column = 0.0;             // width of one
  double words = 0.0;              // left edge of the labels
  FontStyle header, value, word;
  double header_line = 0.0;     // from one line of the headings to the next
  bool upright_header = false;  // words turned by 90°, where columns are narrow
  bool words_below = false;     // on lines of their own under the cells, likewise
  double header_height = 0.0;
  double row_height = 0.0;  // of one line of the table
  double cell_height = 0.0;
};

MeasuresLayout lay_out_measures(const std::vector<MeasuredHead>& heads, const PlotOptions& options,
                                const TextMetrics& metrics);

// Width of a label's box with its padding.
double word_box_width(const HeadLabelInfo& label, const MeasuresLayout& layout,
                      const TextMetrics& metrics);

}  // namespace attn
