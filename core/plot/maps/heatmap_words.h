// What a heatmap says in words: titles, legend, remarks.
#pragma once

#include <optional>
#include <string>

#include "engine/matrix/matrix.h"
#include "plot/maps/heatmap_layout.h"
#include "plot/plot.h"

namespace attn {

// Stands beside the rows that see no key, and in the legend.
inline constexpr std::string_view kUnseeingMark = "∅";

// The entries of a legend that occur among the matrix's texels, in words of what occurs.
std::vector<LegendEntry> legend_in_view(const std::vector<LegendEntry>& legend,
                                        const MatrixItem& matrix);
// The rules that hide texels of the matrix.
HiddenRules rules_in_view(const MatrixItem& matrix);

// What the words are of; borrowed.
struct HeatmapSubject {
  const PlotInput& input;
  const Matrix& matrix;
  const PlotOptions& options;
  const std::optional<PooledQuestion>& cells;  // how they were read, where nobody keeps them
  StatisticsPtr seen = nullptr;                // what the colours go by; null: the matrix
};
HeatmapParts parts_of(const HeatmapSubject& subject, const TextMetrics& metrics);

// Sets what the colours of the bar span where the whole matrix is drawn in `clip`, and says it.
void set_range(const HeatmapSubject& subject, const Rect& clip, HeatmapParts& parts);

// How cells of the whole matrix share pixels where it is drawn in `clip`.
LegendEntry pooling_entry(const HeatmapSubject& subject, const Rect& clip);

// Whether rows that see no key are marked: of masked matrices, and of what comes from one.
bool shows_unseeing(const MatrixId& matrix);

// Says what the matrix is in these words, instead of which stage of which head.
void set_caption(const HeatmapCaption& caption, const PlotOptions& options, HeatmapParts& parts);

// Sets the widest label of each side, of every strideth.
void measure_labels(const Document& document, const PlotOptions& options,
                    const TextMetrics& metrics, std::size_t row_stride, std::size_t column_stride,
                    HeatmapParts& parts);

// "maximum" or "mean".
std::string pooling_word(Pooling pooling);

// "each pixel shows the maximum of 3 × 3 cells".
std::string pooling_sentence(const MatrixItem& matrix, Pooling pooling);

// ", queries 3 to 8 of 20, keys 1 to 5 of 20": which part of the matrix is in view; empty of all.
std::string part_words(const HeatmapParts& parts, const CellWindow& window);

std::string alt_text_of(const PlotInput& input, const Matrix& matrix, const PlotOptions& options);
std::string alt_text_of(const Matrix& matrix, const std::string& name);

}  // namespace attn
