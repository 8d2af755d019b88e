// Plots of cells other than the heatmap and the heads, one head of a result as a problem, for plots
// that compute variants of it, and small multiples.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/matrix/matrix.h"
#include "engine/read/result.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/axis.h"
#include "plot/kit/map_needs.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {

// Problem of one head with its mask and biases, offset of queries and sinks. Queries, keys and
// position are left out; the shape has one sample, one head, and lengths and widths of the result.
// Values are one column.
AttentionProblem surroundings_of(const AttentionResult& result, const HeadAddress& head);

// The columns of one head of a packed matrix (in, heads · width), or of its bias.
Tensor columns_of_head(const Tensor& packed, std::size_t head, std::size_t width);

// Weights under other assumptions.
struct WhatIf {
  MatrixId id;
  std::string label;  // shown while the job runs
  Scoring scoring;
  std::size_t d = 0;  // multiply-adds per cell
  std::function<Result<AttentionProblem>(const Document&, const AttentionResult&)> problem;
};

// Needs of the weights, and of parts of them when they are not materialised: some rows first, and
// all rows unless that takes minutes.
std::vector<Need> what_if_needs(const PlotInput& input, const WhatIf& what_if,
                                const CellWindow& window);

// Such weights, as far as they are known.
struct KnownWhatIf {
  MatrixPtr weights;   // null: there is nothing to draw
  PooledPartPtr part;  // when the weights are not materialised
};
// Error while there is nothing to draw.
Result<KnownWhatIf> known_what_if(const PlotInput& input, const WhatIf& what_if,
                                  const CellWindow& window);

// The weights of one head with one scoring function, or the reason why there are none.
struct ComparedFunction : KnownWhatIf {
  ScoringFunction function{};
  std::string missing;  // reason: "needs queries and keys of the same width"
};

// Needs: the weights with every function that can be applied. Normaliser, softcap, temperature, a
// given scale, biases and hidden cells stay. Matrices that a function lacks are generated as if it
// were chosen.
std::vector<Need> compare_needs(const FittedView& view);

// The known weights: one entry per scoring function, in the order of all_scoring_functions(). Empty
// when the result has no queries and keys.
std::vector<ComparedFunction> compared_functions(const PlotInput& input, const HeadAddress& head,
                                                 const CellWindow& window = {});

// Reason why there is nothing to compare; "" when there is.
std::string nothing_to_compare(const AttentionProblem& problem, const HeadAddress& at = {});

// The plot named "compare".
Result<Figure> compare(const Drawing& drawing);

// A is the matrix of the options; B is another stage, layer, sample or head (options minus_…) of
// the document or of the reference. By default, B is the matrix of A in the reference, or the next
// head (layer, sample) of the document. Draws a heatmap of A − B on a diverging map with zero in
// its middle, or only A or B over the range of both; below it the largest changes with the hits of
// their cells. Returns a Usage error when there is no B, or when the extents differ.
Result<Figure> difference_plot(const Drawing& drawing);
// B, in the document or the reference, or why there is none.
Result<MatrixId> subtracted_matrix(const FittedView& view);
std::vector<Need> difference_needs(const FittedView& view);

// Largest drawn part of the encoding.
inline constexpr std::size_t kMostPositionRows = 128, kMostPositionColumns = 256;

// Rows are positions from 0 on, columns features: the summand of embeddings, or for rotary
// positions the cosine of the angle of each pair of columns. No rows when positions enter only as
// biases.
MadeCells position_table(const AttentionProblem& problem, const HeadAddress& at = {});

// True if the encoding has more rows or columns.
bool is_cut(const AttentionProblem& problem, const HeadAddress& at, const StageShape& shown);

// Reason why there is nothing to show; "" when there is.
std::string nothing_positioned(const AttentionProblem& problem, const HeadAddress& at = {});

// Needs: the table, and the weights (n_q, n_k) of one head if all tokens had equal content:
// embeddings of zeros before positions are added, or else queries and keys of ones. Scoring, mask
// and biases stay.
std::vector<Need> positions_needs(const FittedView& view);

Result<Figure> positions_plot(const Drawing& drawing);

// Reason why a problem has no steps; "" for recurrent models.
std::string nothing_to_follow(const AttentionProblem& problem, const HeadAddress& at = {});

// Weights of the first options.step steps (0: all), survival of each source token in the fixed
// vector, and influence of source tokens on each output with attention and without. Pure.
Result<Figure> alignment_plot(const Drawing& drawing);

// Sentence for documents without steps.
inline constexpr const char* kNoSteps = "This document has no recurrent decoder";

// Needs: the row or the column of the chosen token in all chosen heads.
std::vector<Need> token_needs(const FittedView& view);

// The plot named "token": a row for each head of the chosen layers, with the row of the weights of
// a query, or the column of a key. Cells are those of the heads' own matrices.
Result<Figure> token_plot(const Drawing& drawing);
// A frame about the hovered cell.
Figure token_hover(const Drawing& drawing, const Figure& drawn, const HitId& hit,
                   const Rect& visible);

// Number of steps drawn: options.step, at most n_q.
std::size_t shown_steps(const AttentionResult& result, const PlotOptions& options);

// --- Small multiples: a grid of heatmaps, like the facets of a grammar of graphics ---

// Space for a panel, units.
struct PanelRoom {
  double width = 0.0;
  double height = 0.0;                           // 0: as high as the width makes it
  double top = 0.0;                              // the cells begin at least this far below the top
  double row_labels = 0.0;                       // maximum; 0: a part of the width
  bool names_rows = true, names_columns = true;  // false: a neighbour has the labels
};

struct SmallMap {
  std::string title = {}, subtitle = {};  // an empty one takes no space
  bool marked = false;                    // title in the accent colour
  const Matrix* matrix = nullptr;         // borrowed; not empty
  ColorScale scale = {};
  std::size_t shown_rows = 0;           // later rows stay empty; 0: all are shown
  bool stretched = false;               // cells need not be square
  std::optional<TensorHit> opens = {};  // tensor that a click on the title opens
  const PooledPart* part = nullptr;     // known part, when the matrix is not materialised
  std::optional<ColorBar> bar = {};     // of its own range, at the right
};

// Titles above a panel, in as many lines as needed.
struct PanelTitles {
  std::vector<std::string> bold{}, small{};
  double width = 0.0, height = 0.0;
};
PanelTitles panel_titles(const Drawing& drawing, const std::string& title,
                         const std::string& subtitle, double width);
void add_titles(Figure& figure, const Drawing& drawing, const PanelTitles& titles, Color color);

// A heatmap as large as fits, with titles in as many lines as they need; matrices of queries and
// keys show options.window. Cells have numbers when options.values is set and they fit. Axis titles
// are left to the caller: tokens take the colour of their side.
Figure small_map(const Drawing& drawing, const SmallMap& map, const PanelRoom& room);

// --- Colour bars right of maps, as high as they are. Name and range are next to the bar on wide
// paper, else in a sentence below. ---

// Width that the bar takes next to maps, with the gap; 0 when the options have none.
double width_of_bar(const Drawing& drawing, const ColorBar& bar);
// Adds the bar next to maps whose cells take this rectangle.
void add_bar_beside(Figure& maps, const Drawing& drawing, ColorBar bar, const Rect& cells);
// Returns that sentence; empty when the words are next to the bar, or there is no bar.
std::string sentence_of_bar(const Drawing& drawing, const ColorBar& bar);

struct Panel {
  std::string sentence = {};                    // of its own bar
  std::function<Rect(const PanelRoom&)> cells;  // predicted rectangle of the cells
  std::function<Figure(const PanelRoom&)> draw;
};

// A small heatmap. Borrows the drawing and the map's matrix.
Panel map_panel(const Drawing& drawing, SmallMap map);

// Panels in the rows and columns in which their maps are largest.
struct PanelGrid {
  std::vector<Panel> panels = {};
  std::optional<ColorBar> shared = {};  // of the common range
  std::vector<std::string> notes = {};  // below, after the sentences of the bars
  bool shares_labels = false;           // all have the same rows and columns: the outer ones name
  double height = 0.0;                  // units; 0: the page's room above the words below
};

void add_panels(Page& page, PanelGrid grid);

// The plot named "atlas". Rows are heads that are taken out, columns later heads; bars at the right
// the change of the next token. Cells and rows have AtlasHits.
std::vector<Need> atlas_needs(const FittedView& view);
Result<Figure> atlas_plot(const Drawing& drawing);

// Returns needs: the likeliest tokens after each layer, at the places in view.
std::vector<Need> lens_needs(const FittedView& view);

// The plot named "lens": rows are the input and the layers of a language model, columns tokens from
// options.first_query on; each cell has the likeliest token there, and its share as colour.
// Requires lens_needs.
Result<Figure> lens_plot(const Drawing& drawing);

}  // namespace attn
