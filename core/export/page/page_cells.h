// Numbers of the maps of a page, each once, in a form that its script reads and paints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "figure/figure.h"

namespace attn {

// On one line; titles and tokens may be malformed UTF-8.
inline std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class PageCells {
 public:
  // Takes the numbers of a matrix of the figure. Returns what the script needs to know of it, as an
  // attribute of its image.
  std::string keep(const Figure& figure, const MatrixItem& m);
  // The figure with the maps of a plot of heads each for itself, if the numbers of all are here.
  Figure with_heads_apart(Figure figure) const;
  std::uint64_t count() const { return count_; }
  // "numbers", "colors", and at what place of "most" the scale ends.
  Json json() const;

 private:
  // Numbers by their places on a scale; beyond its end are marks.
  struct Numbers {
    ColorScale scale;
    std::size_t rows, cols;
    std::vector<std::uint16_t> places;
  };
  static bool holds(const Numbers& known, const MatrixCells& cells);
  std::optional<MatrixItem> as_known(const MatrixItem& part, const MatrixId& id) const;
  std::size_t index_of(const std::string& key, const MatrixCells& cells, const ColorScale& scale);

  std::map<std::string, const ColorMap*> colormaps_;
  std::vector<Numbers> numbers_;
  std::map<std::string, std::vector<std::size_t>> by_key_;
  std::uint64_t count_ = 0;
};

}  // namespace attn
