// Numbers of the maps of a page, each stored once, in a form that its script reads and paints.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "document/document.h"
#include "engine/read/result.h"
#include "figure/figure.h"

namespace attn {

// Writes JSON on one line; titles and tokens may be malformed UTF-8.
inline std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The figure of a plot of heads with each map as an item of its own, unless it omits heads or shows
// anything but weights of the result, which may be null.
Figure with_heads_apart(Figure figure, const AttentionResult* result);

class PageCells {
 public:
  // Stores the numbers of a matrix of the figure. Returns the data that the script needs about it,
  // as an attribute of its image. The document, which may be null, names rows and columns.
  std::string keep(const Figure& figure, const MatrixItem& m, const Document* document);
  std::uint64_t count() const { return count_; }
  // "numbers", "colors", and the position of "most" at which the scale ends.
  Json json() const;

 private:
  // Numbers as positions on a scale; marks are beyond its end.
  struct Numbers {
    ColorScale scale;
    std::size_t rows, cols;
    std::vector<std::uint16_t> places;
  };
  static bool holds(const Numbers& known, const MatrixCells& cells);
  std::size_t index_of(const std::string& key, const MatrixCells& cells, const ColorScale& scale);
  Json side_of(const MatrixItem& m, bool rows, const Document* document);

  std::map<std::string, const ColorMap*> colormaps_;
  std::vector<Numbers> numbers_;
  std::map<std::string, std::vector<std::size_t>> by_key_;
  std::vector<std::vector<std::string>> names_;  // of rows and columns
  std::uint64_t count_ = 0;
};

}  // namespace attn
