// Shares the rows that are read out over threads.
#include "engine/layer/layer_read.h"

#include <algorithm>

#include "engine/kernels/block_rows.h"
#include "engine/kernels/parallel.h"
#include "engine/layer/attend.h"

namespace attn {
namespace {

// Fewer multiply-adds are done before a second thread is awake.
constexpr std::uint64_t kReadWorthAThread = 4'000'000;

void compute_map(const LayerResult& layer, const CellsOfStage& cells, float* out) {
  const CellRange& range = cells.range;
  const bool is_whole = range.cols == layer.shape().n_k;
  if (cells.stage == Stage::Weights && is_whole) {
    return layer.compute_weight_rows(cells.head, rows_in(range), out);
  }
  const HeadInputs head = layer.inputs_of(cells.head, LayerResult::Wants::Maps);
  if (cells.stage != Stage::Weights) return compute_logits(head, cells.stage, range, out);
  const auto norms = layer.norms_of(cells.head, rows_in(range));
  compute_weights(head, range, norms, out);
}

// The heads' outputs beside each other.
void concat_of(const LayerResult& layer, std::size_t sample, const HeadRows& rows,
               const MutableMatrix& out) {
  const AttentionShape& s = layer.shape();
  for (std::size_t head = 0; head < s.heads; ++head) {
    layer.compute_output_rows({0, sample, head}, rows,
                              {out.data + head * s.d_v, out.rows, s.d_v, out.row_stride});
  }
}

void projected_of(const LayerResult& layer, std::size_t sample, const HeadRows& rows,
                  const MutableMatrix& out) {
  const AttentionShape& s = layer.shape();
  const std::size_t width = s.heads * s.d_v;
  std::vector<float> concat(out.rows * width);
  concat_of(layer, sample, rows, {concat.data(), out.rows, width, width});
  const Projections& by = layer.problem().projections;
  const MatrixView x{concat.data(), out.rows, width, width};
  if (const PackedPanels* w_o = layer.packed_output_map()) return map_rows(x, *w_o, by.b_o, out);
  map_rows(x, by.w_o, by.b_o, out);
}

// Some columns of rows that are made whole.
void compute_rows(const LayerResult& layer, const CellsOfStage& cells, float* out) {
  const CellRange& range = cells.range;
  const std::size_t width = layer.stage_shape(cells.stage).cols;
  std::vector<float> whole(range.rows * width);
  const MutableMatrix made{whole.data(), range.rows, width, width};
  const HeadRows rows = rows_in(range);
  if (cells.stage == Stage::Output) {
    layer.read_outputs(cells.head, rows, whole);
  } else if (cells.stage == Stage::Concat) {
    concat_of(layer, cells.head.sample, rows, made);
  } else {
    projected_of(layer, cells.head.sample, rows, made);
  }
  for (std::size_t r = 0; r < range.rows; ++r) {
    std::copy_n(made.row(r) + range.col, range.cols, out + r * range.cols);
  }
}

// Those that were read before. False when some were not.
bool copy_known_outputs(const LayerResult& layer, const CellsOfStage& cells, float* out) {
  const CellRange& range = cells.range;
  return layer.knows_outputs(cells.head, rows_in(range), {range.col, range.col + range.cols},
                             {out, range.rows * range.cols});
}

bool reads_all_keys(const LayerResult& layer, const CellsOfStage& cells) {
  if (!stage_info(cells.stage).token_by_token()) return true;
  return cells.stage == Stage::Weights && !layer.knows_norms(cells.head, rows_in(cells.range));
}

std::uint64_t multiply_adds(const LayerResult& layer, const CellsOfStage& cells) {
  const AttentionShape& s = layer.shape();
  const bool is_map = stage_info(cells.stage).token_by_token();
  return element_count({cells.range.rows, reads_all_keys(layer, cells) ? s.n_k : cells.range.cols,
                        is_map ? s.d_k : (s.d_k + s.d_v) * s.heads});
}

}  // namespace

void compute_cells(const LayerResult& layer, const CellsOfStage& cells, float* out) {
  const bool is_map = stage_info(cells.stage).token_by_token();
  if (cells.stage == Stage::Output && copy_known_outputs(layer, cells, out)) return;
  const unsigned threads = multiply_adds(layer, cells) < kReadWorthAThread ? 1 : 0;
  parallel_for(batches_of(cells.range.rows), threads, nullptr, [&](std::size_t job) {
    const std::size_t first = job * kBatchRows;
    CellsOfStage part = cells;
    part.range = part_of(cells.range, first, std::min(kBatchRows, cells.range.rows - first));
    float* to = out + first * cells.range.cols;
    is_map ? compute_map(layer, part, to) : compute_rows(layer, part, to);
  });
}

}  // namespace attn
