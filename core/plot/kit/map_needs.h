// Needs of maps: downsampled parts of matrices that are not materialised, which plots draw so that
// no frame waits for reading, and statistics of large matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "engine/matrix/pool.h"
#include "engine/statistics.h"
#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn {

// Factors of downsampling, down and across.
struct Coarsening {
  std::size_t rows = 1, cols = 1;
  friend auto operator<=>(const Coarsening&, const Coarsening&) = default;
};

// Cells to draw, and the number of matrix cells under each, down and across.
struct DrawnCells {
  std::shared_ptr<const MatrixCells> cells;
  std::size_t row_step = 1, col_step = 1;
};

DrawnCells drawn_cells(PooledCells pooled);

// Cache of downsampled levels, so that panning and zooming copy nothing and textures stay valid.
// Thread-safe.
class DrawnLevels {
 public:
  // `fine` must be equal in every call.
  DrawnCells of(const PooledCells& fine, const Coarsening& by) const;
  std::uint64_t bytes() const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<Coarsening, DrawnCells> made_;
};

struct PooledPart final : Derivation {
  CellRange range;  // of the matrix; row step 1
  PooledCells cells;
  std::size_t rows_read = 0;  // fewer than range.rows: a sample
  std::vector<float> tops;    // maxima over the whole rows under each row; when requested
  StatisticsPtr seen;         // of the cells of a whole matrix that is not a stage; else null
  DrawnLevels levels;         // levels that windows draw
  std::uint64_t bytes() const override {
    return cells.values.size() * (sizeof(float) + sizeof(HiddenRules)) +
           tops.size() * sizeof(float) + levels.bytes();
  }
};
using PooledPartPtr = std::shared_ptr<const PooledPart>;

inline constexpr std::size_t kMapSide = 1024;      // cells per side of a map, at least
inline constexpr std::size_t kOverviewSide = 256;  // cells per side of the overview, at most

// Identity of a matrix, and the parameters of reading and drawing its parts.
struct PooledQuestion {
  MatrixId id;
  StageShape extents;
  std::size_t d = 0;    // multiply-adds per cell
  std::size_t n_k = 0;  // cells that a row depends on
  Pooling pooling = Pooling::Maximum;
  bool tops = false;            // colours are shares of the largest cell of the row
  std::size_t side = kMapSide;  // minimum of cells per side of the output, if there are that many
  MatrixSource source = {};     // null: the stage of the result that the id names
};

// True if the cells are in memory; plots read others only outside of drawing.
inline bool is_materialised(const Matrix& matrix) { return matrix.summary().has_value(); }

// Predicted nanoseconds to read the cells for the first time; saturates.
std::uint64_t reading_time(const PooledQuestion& question, const CellRange& range);

// Rows and columns under one cell of the downsampled whole matrix.
Coarsening steps_of_whole(const PooledQuestion& question);

// Cells per side that are pooled to one when `cells` cells share `pixels` pixels.
std::size_t coarsening(double cells, std::size_t pixels);

// Reads `rows` rows at equal distances, or all of them (0). The result is incomplete when
// cancelled.
std::shared_ptr<PooledPart> read_map(const Matrix& matrix, const PooledQuestion& question,
                                     std::size_t rows, Progress* progress);

// Needs: some rows of the whole matrix when it is large, then the window, then the whole matrix.
std::vector<Need> pooled_needs(const PooledQuestion& question, const CellWindow& window);
// Needs of a figure that draws only the window; the whole matrix when the window is no finer.
std::vector<Need> window_needs(const PooledQuestion& question, const CellWindow& window);

// The finest known part that covers the window; null when there is none.
PooledPartPtr pooled_part(const Derivations* known, const PooledQuestion& question,
                          const CellWindow& window);

Error why_no_part(const Derivations* known, const PooledQuestion& question);

// Question for a stage that is not materialised; nothing for others. `options` are fitted.
std::optional<PooledQuestion> pooled_question(const AttentionResult& result,
                                              const PlotOptions& options);

inline std::string rows_read_words(const PooledPart& part) {
  return rows_so_far(part.rows_read, part.range.rows);
}

// Cells that statistics are of, and how they are read. `is_materialised`: they are materialised.
struct StatisticsQuestion {
  PooledQuestion cells;
  StatisticsOptions how{};
  bool is_materialised = true;
  std::size_t heads = 1;  // number of heads
  bool of_colors = true;  // false: only for a histogram, which the plot does not wait for
};

// Needs: a sample of the rows for windows when there are many, and all rows for files. A map that
// is not materialised waits for the sample. Empty when drawing may read all cells.
std::vector<Need> statistics_needs(const StatisticsQuestion& question);

// The most exact known statistics, or else those of materialised cells, read in this frame from a
// sample of the rows of a large matrix; else statistics of no cells.
StatisticsPtr shown_statistics(const PlotInput& input, const Matrix& matrix,
                               const StatisticsOptions& how);

// Rows that see no key, ascending.
struct UnseeingRows final : Derivation {
  std::vector<std::size_t> rows;
  std::uint64_t bytes() const override { return rows.size() * sizeof(std::size_t); }
};

// Need for the rows that see no key, when there are too many rows for one frame.
std::vector<Need> unseeing_needs(const AttentionResult& result, const HeadAddress& head);

// Empty while it is not known.
std::vector<std::size_t> unseeing_rows(const Derivations* known, const AttentionResult& result,
                                       const HeadAddress& head);

}  // namespace attn
