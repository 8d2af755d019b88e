// One cell's story: its frames, and the numbers of its row that they show. Private to the plot
// named "flow".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/terms.h"
#include "plot/charts/cell_numbers.h"
#include "plot/charts/charts.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {

// Limits of what is kept of a row: the others are summed.
inline constexpr std::size_t kStoryKeys = 16, kStoryTerms = 16, kStoryDims = 4;

enum class StoryFrame {
  Meet,          // the rows of query and key
  Products,      // their products, and the score
  Scaled,        // × scale
  Softcapped,    // c · tanh(x / c)
  Bias,          // + bias
  Masked,        // hidden cells −∞
  Exponentials,  // e^(x − m)
  Weights,       // ÷ Σ, or another normaliser
  Values,        // weight × row of V
  Output,        // their sum
};

// In order. Those alone that the problem has.
std::vector<StoryFrame> story_frames(const AttentionProblem& problem, const HeadAddress& at);

// A key of the row with all its numbers.
struct StoryKey {
  std::size_t key = 0;
  HiddenRules rules = kVisible;
  float score = 0.0F, scaled = 0.0F, softcapped = 0.0F, masked = 0.0F, weight = 0.0F;
  float bias = 0.0F;
  double exponential = 0.0;
  std::vector<float> values = {};  // of StoryNumbers::dims
};

struct StoryNumbers final : Derivation {
  std::size_t query = 0, key = 0;  // the cell
  std::vector<ScoreTerm> terms;    // the largest products first, at most kStoryTerms
  std::size_t term_count = 0;
  double terms_sum = 0.0;      // of all
  std::vector<StoryKey> keys;  // the largest weights and the cell's, the largest first
  std::size_t key_count = 0, hidden = 0;
  double subtracted = 0.0;                // from the exponents
  double sum = 0.0;                       // of all exponentials, with the sink's
  double sink = 0.0;                      // its exponential
  double weights_sum = 0.0;               // of all
  std::vector<float> query_row, key_row;  // at the dimensions of the terms
  std::vector<std::size_t> dims;          // columns of values and output that are shown
  std::size_t dim_count = 0;
  std::vector<float> output;  // of these
  std::uint64_t bytes() const override { return sizeof(StoryNumbers) + 4096; }
};

// The kept number of a stage; precondition: it is one of the row.
float number_of(const StoryKey& key, Stage stage);

// What a frame says: its formula as a title, and a sentence.
struct StoryWords {
  std::string formula, sentence;
};
StoryWords words_of(const FittedView& view, const StoryNumbers& story, StoryFrame frame);

// A number as the plot writes it; "−∞" of hidden cells, "?" of what a lesson conceals.
std::string story_number(double number, const ViewOptions& options);

// True where weights are exponentials divided by their sum.
inline bool has_exponentials(const AttentionProblem& problem) {
  return normaliser_info(problem.scoring.normaliser).takes_sinks;
}

// --- Drawing

inline constexpr double kStoryMark = 2.5;  // width of the mark beside a step, units

struct StoryTable {
  double gutter = 0.0, column = 0.0, row = 0.0, bars = 0.0;
  std::size_t terms = 0, keys = 0;          // that have a column each
  std::vector<const StoryKey*> shown = {};  // in the order of the row
  std::size_t dims = 0;
};

struct StoryScene : Drawing {
  const StoryNumbers& story;
  std::vector<StoryFrame> frames;
  std::size_t current;  // index of the frame that is told; beyond the last one: all
  double glide;
  StoryTable table = {};
  Figure body = {};
  double y = 0.0, names = 0.0;  // of what comes next, and of the names of the keys

  bool tells_all() const { return current >= frames.size(); }
  FontStyle number_font(bool bold = false) const { return {words_font(font()).size, bold, false}; }
  bool more_terms() const { return table.terms < story.term_count; }
  bool more_keys() const { return table.keys < story.key_count; }
  double x_of(std::size_t column) const {
    return table.gutter + table.column * static_cast<double>(column);
  }
  Rect place(std::size_t column, double rows = 1.0) const {
    return {x_of(column), y, table.column, rows * table.row};
  }
  std::size_t total_of_keys() const { return table.keys + (more_keys() ? 1 : 0); }
  std::string number(double value) const { return story_number(value, options); }
  CellHit hit_of(Stage stage, std::size_t col) const {
    return {{stage, options.at}, story.query, col};
  }
};

// How a frame is drawn now.
struct Pen {
  double strength = 0.0;  // 0: not yet
  double glide = 1.0;     // 0: as the frame before
  bool told = false;      // it is the frame of the title
};

// A number in its column, tinted by its share of the largest of the row.
struct StoryCell {
  double number = 0.0;
  Color tint = {};
  HitId hit = {};
  bool own = false;     // of the cell that is told of
  bool hidden = false;  // under the mask's stamp
};

struct StoryRow {
  std::string label = {};
  std::vector<StoryCell> cells = {};
  double from = 0.0;      // so many rows below its place the cells come from
  bool in_turn = false;   // one after another
  bool goes_on = false;   // there are more than are shown
  std::size_t first = 0;  // column
};

// Starts and ends softly.
double eased(double part);
// As faint against the background as `strength` is below 1.
inline Color faded(const StoryScene& scene, Color color, double strength) {
  return mix(scene.theme.background, color, strength);
}

// Adds the row as far as it has arrived, and goes on to the next one.
void add_row(StoryScene& scene, const Pen& pen, const StoryRow& row);
// A text in the middle of a rectangle, cut where it is wider.
void add_text(StoryScene& scene, const Rect& rect, const std::string& text, const FontStyle& font,
              Color color, const HitId& hit);
void add_word(StoryScene& scene, const Pen& pen, const Rect& rect, const std::string& text,
              Color color, const HitId& hit = {});
// Names what is `rows` rows high from here on, at its foot.
void add_label(StoryScene& scene, const Pen& pen, const std::string& text, double rows = 1.0);
// The largest magnitude of those that are finite; never 0.
double largest_number(const std::vector<double>& numbers);

}  // namespace attn
