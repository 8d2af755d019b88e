// Operations on rows outside of attention: positions, linear maps, norms and activations. Internal
// to the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "attention/block.h"
#include "attention/position.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/packed_product.h"

namespace attn {

class PanelStore;

// out = x + the encoding of positions first, first + 1, …. Precondition: is_added(position); out
// has the shape of x.
void add_position_rows(const MatrixView& x, const Position& position, std::int64_t first,
                       const MutableMatrix& out);

// Rotates rows pair by pair by their positions first, first + 1, …; copies columns beyond the
// rotary ones. Has the angles of all rows, which the heads of a layer share. The position is
// borrowed.
class RowRotation {
 public:
  // `cols`: columns of a row.
  RowRotation(const Position& position, std::size_t cols, std::int64_t first, std::size_t rows);
  void operator()(const MatrixView& x, const MutableMatrix& out) const;

 private:
  struct Turn {
    float cosine, sine;  // times the gain
  };
  const Position& position_;
  std::size_t width_;        // rotary columns
  std::vector<Turn> turns_;  // (rows, pairs)
};

// Normalises each row in double, rounded once; copies it if there is no norm. out has the shape of
// x and may alias it.
void norm_rows(const MatrixView& x, const NormRules& rules, const Norm& norm,
               const MutableMatrix& out);

// out = x·w + b (absent: none). `out` may be a part of a wider matrix.
void map_rows(const MatrixView& x, const Tensor& w, const Tensor& b, const MutableMatrix& out,
              Sums sums = Sums::Double);

// out = x·w + b with Sums::Float, for a matrix packed once for many rows.
void map_rows(const MatrixView& x, const PackedPanels& w, const Tensor& b,
              const MutableMatrix& out);

// A linear map for many rows, a few at a time on any thread. Borrows the tensors and the store.
class RowMap {
 public:
  // Without a store the packed matrix is the map's own.
  RowMap(const Tensor& w, const Tensor& b, Sums sums, PanelStore* store = nullptr)
      : w_(w), b_(b), sums_(sums), store_(store) {}
  // Packs the matrix for all rows, on several threads; otherwise the first rows do. Maps packed one
  // after another by one thread share memory; those of several threads do not.
  void lay_out(unsigned threads = 1) const;
  void operator()(const MatrixView& x, const MutableMatrix& out) const;

 private:
  const Tensor& w_;
  const Tensor& b_;
  Sums sums_;
  PanelStore* store_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const PackedPanels> packed_;  // with Sums::Float
};

// Copies the rows of one head over its columns of the concatenated outputs of all heads.
void put_head(const MatrixView& rows, std::size_t head, const MutableMatrix& concat);

// Multiplies the columns of each head by its factor.
void gate_rows(std::span<const float> factors, const MutableMatrix& concat);

// out = a + b.
void add_rows(const MatrixView& a, const MatrixView& b, const MutableMatrix& out);

// out = activation of the hidden units; `gate` has rows for gated activations only. With
// Sums::Float those that are x σ(…) are right within some units in the last place, others rounded.
void activate_rows(Activation activation, const MatrixView& hidden, const MatrixView& gate,
                   const MutableMatrix& out, Sums sums);

}  // namespace attn
