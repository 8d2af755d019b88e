// A part of a matrix made small and cached: what is drawn of matrices whose cells are computed when
// they are read, so that no frame waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/matrix/matrix.h"
#include "engine/matrix/pool.h"
#include "engine/statistics.h"
#include "figure/figure.h"
#include "plot/kit/ask.h"
#include "plot/kit/plot.h"

namespace attn {

// How many cells of a part become one, down and across.
struct Coarsening {
  std::size_t rows = 1, cols = 1;
  friend auto operator<=>(const Coarsening&, const Coarsening&) = default;
};

// Cells to draw, and how many of the matrix stand under each.
struct DrawnCells {
  std::shared_ptr<const MatrixCells> cells;
  std::size_t row_step = 1, col_step = 1;
};

DrawnCells drawn_cells(PooledCells pooled);

// Made once for each coarsening, so that frames that pan and zoom copy nothing, and the graphics
// card keeps its picture. Safe to use from several threads.
class DrawnLevels {
 public:
  // `fine` is the same in every call.
  DrawnCells of(const PooledCells& fine, const Coarsening& by) const;
  // What is known of the same cells.
  StatisticsPtr pixels(const PooledCells& fine, const Coarsening& by) const;
  std::uint64_t bytes() const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<Coarsening, DrawnCells> made_;
  mutable std::map<Coarsening, StatisticsPtr> pixels_;
};

struct PooledPart final : Derivation {
  CellRange range;  // of the matrix; steps of one row
  PooledCells cells;
  std::size_t rows_read = 0;  // fewer than range.rows: some stand for all
  std::vector<float> tops;    // largest cell of all in the rows under each row; where asked for
  DrawnLevels levels;         // what windows draw of the cells
  std::uint64_t bytes() const override {
    return cells.values.size() * (sizeof(float) + sizeof(HiddenRules)) +
           tops.size() * sizeof(float) + levels.bytes();
  }
};
using PooledPartPtr = std::shared_ptr<const PooledPart>;

// A matrix to read on another thread.
using MatrixSource = std::function<Result<MatrixPtr>(const Document&, const ResultPtr&)>;

inline constexpr std::size_t kMapSide = 1024;      // cells of the output, whatever draws them
inline constexpr std::size_t kOverviewSide = 256;  // of the small picture of all, at most

// How the parts of a matrix are found and what drawing them takes.
struct PooledQuestion {
  MatrixId id;
  StageShape extents;
  std::size_t d = 0;    // multiply-adds of a cell
  std::size_t n_k = 0;  // cells that a row must know of
  Pooling pooling = Pooling::Maximum;
  bool tops = false;            // colours are parts of the row's largest cell
  std::size_t side = kMapSide;  // cells of the output at least, where there are as many
  MatrixSource source = {};     // null: the stage of the result that the id names
};

// Whether nobody keeps the cells: then no plot reads them while it draws.
inline bool is_read_beforehand(const Matrix& matrix) { return !matrix.summary(); }

MatrixSource source_of(const PooledQuestion& question);

// Nanoseconds, about, that reading the cells takes for the first time; saturates.
std::uint64_t steps_to_read(const PooledQuestion& question, const CellRange& range);

// Rows and columns under one cell of the whole matrix made small: the larger of both.
std::size_t step_of_whole(const PooledQuestion& question);

// How many cells along a side become one where `cells` of them share `pixels`.
std::size_t coarsening(double cells, std::size_t pixels);

// All cells; and of `rows` rows at equal distances, which stand for all. Unfinished when it is
// cancelled.
std::shared_ptr<PooledPart> read_whole(const Matrix& matrix, const PooledQuestion& question,
                                       Progress* progress);
std::shared_ptr<PooledPart> read_some_rows(const Matrix& matrix, const PooledQuestion& question,
                                           std::size_t rows, Progress* progress);

// First few rows of all where they are many, then what is in the window, and all of it.
std::vector<Need> pooled_needs(const PooledQuestion& question, const CellWindow& window);
// Of the window alone, where nothing else of the matrix is drawn; all of it where it is no finer.
std::vector<Need> window_needs(const PooledQuestion& question, const CellWindow& window);

// The best that is known of the window; null when nothing is.
PooledPartPtr pooled_part(const Derivations& known, const PooledQuestion& question,
                          const CellWindow& window);

// Why there is none.
Error why_no_part(const Derivations* known, const PooledQuestion& question);

// What drawing a stage takes whose cells nobody keeps; nothing of others. `options` are fitted.
std::optional<PooledQuestion> pooled_question(const AttentionResult& result,
                                              const PlotOptions& options);

// Weights of which a pixel shows many: their colours go by the pixels, as most pixels are beyond
// what most cells are.
bool has_range_of_pixels(const PooledQuestion& question, ColorSpan span);

// Of the whole matrix, the best that is known; null when nothing is.
PooledPartPtr whole_part(const Derivations& known, const PooledQuestion& question);

// ", 1,024 of 131,072 rows so far"; empty when all rows were read.
std::string rows_read_words(const PooledPart& part);

}  // namespace attn
