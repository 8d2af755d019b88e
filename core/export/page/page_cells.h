// Numbers of the maps of a page, each once, in a form that its script reads and paints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "figure/figure.h"

namespace attn {

class PageCells {
 public:
  // Takes the numbers of a matrix of the figure. Returns what the script needs to know of it, as an
  // attribute of its image.
  std::string keep(const Figure& figure, const MatrixItem& m);
  // The figure with the maps of a plot of heads each for itself, if the numbers of all are here.
  Figure with_heads_apart(Figure figure) const;
  std::uint64_t count() const { return count_; }
  // Numbers in 16 bits, or in the 8 of their colours where there are many of them.
  Json json(bool in_eight_bits) const;

 private:
  // Numbers by their places on a scale.
  struct Numbers {
    ColorScale scale;
    std::size_t rows, cols;
    std::vector<std::uint16_t> places;
    std::string marks;  // lengths of what is hidden, not finite or not told
  };
  static bool holds(const Numbers& known, const MatrixCells& cells);
  std::optional<MatrixItem> as_known(const MatrixItem& part, const MatrixId& id) const;
  std::size_t index_of(const std::string& id, const MatrixCells& cells, const ColorScale& scale);
  std::size_t index_of(const std::vector<std::string>& names);

  std::map<std::string, const ColorMap*> colormaps_;
  std::vector<Numbers> numbers_;
  std::vector<std::vector<std::string>> names_;
  std::map<std::string, std::vector<std::size_t>> by_id_;
  std::map<std::vector<std::string>, std::size_t> by_names_;
  std::uint64_t count_ = 0;
};

}  // namespace attn
