// Adds positions to rows and turns rows by their angles.
#include "engine/kernels/positions.h"

#include <algorithm>
#include <cmath>

namespace attn {

void add_position_rows(const MatrixView& x, const Position& position, std::int64_t first,
                       const MutableMatrix& out) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::int64_t at = position_of_row(first, r);
    for (std::size_t c = 0; c < x.cols; ++c) {
      out.row(r)[c] = x.at(r, c) + static_cast<float>(position_value(position, at, c, x.cols));
    }
  }
}

void rotate_rows(const MatrixView& x, const Position& position, std::int64_t first,
                 const MutableMatrix& out) {
  const std::size_t width = rotary_width(position, x.cols);
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::int64_t at = position_of_row(first, r);
    const std::span<const float> in = x.row(r);
    float* turned = out.row(r);
    std::copy(in.begin() + static_cast<std::ptrdiff_t>(width), in.end(), turned + width);
    for (std::size_t pair = 0; pair < width / 2; ++pair) {
      const double angle = rope_angle(position, at, pair, width);
      const auto cosine = static_cast<float>(std::cos(angle));
      const auto sine = static_cast<float>(std::sin(angle));
      const RopePair columns = rope_pair(position.layout, pair, width);
      const float a = in[columns.first];
      const float b = in[columns.second];
      turned[columns.first] = a * cosine - b * sine;
      turned[columns.second] = b * cosine + a * sine;
    }
  }
}

}  // namespace attn
