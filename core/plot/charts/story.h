// The frames of the plot named "flow", and the table that they are drawn in. Private to the plot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "plot/account/steps.h"
#include "plot/charts/charts.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {

// Most terms and dimensions that have columns and rows of their own; the others are summed.
inline constexpr std::size_t kStoryTerms = 16, kStoryDims = 4;

// --- Drawing

inline constexpr double kStoryMark = 2.5;  // width of the mark left of a step, units

struct StoryScene : Drawing {
  const Account& account;
  std::vector<AccountStep> frames;
  std::size_t current;  // index of the frame that is shown; beyond the last one: all
  double glide;
  double gutter = 0.0, column = 0.0, row = 0.0, bars = 0.0;  // of the table
  std::size_t terms = 0;               // number of terms with their own column
  std::vector<std::size_t> keys = {};  // with their own column, in the order of the row
  std::vector<std::size_t> dims = {};  // columns of values and output
  bool fine = false;                   // all weights are small
  Figure body = {};
  double y = 0.0, names = 0.0;  // tops of what is added next, and of the names of the keys

  bool shows_all() const { return current >= frames.size(); }
  bool has(AccountStep frame) const { return std::ranges::count(frames, frame) > 0; }
  const ScoringFunctionInfo& function() const {
    return scoring_info(result.problem().scoring.function);
  }
  FontStyle number_font(bool bold = false) const { return {words_font(font()).size, bold}; }
  bool more_terms() const { return terms < account.terms.size(); }
  bool more_keys() const { return keys.size() < account.weights.size(); }
  double x_of(std::size_t at) const { return gutter + column * static_cast<double>(at); }
  Rect place(std::size_t at, double rows = 1.0) const { return {x_of(at), y, column, rows * row}; }
  std::size_t columns_of_terms() const { return terms + (more_terms() ? 1 : 0); }
  std::size_t columns_of_keys() const { return keys.size() + (more_keys() ? 1 : 0); }
  std::string number(double value) const { return story_number(value, options.decimals, fine); }
  CellHit hit_of(Stage stage, std::size_t col) const {
    return {{stage, options.at}, account.cell.row, col};
  }
};

// The strength and position at which a frame is drawn.
struct Pen {
  double strength = 0.0;    // 0: not yet drawn
  double glide = 1.0;       // 0: at its place in the frame before
  bool is_current = false;  // it is the frame of the title
};

// A number in its column, tinted by its share of the largest of the row.
struct StoryCell {
  double number = 0.0;
  Color tint = {};
  HitId hit = {};
  bool own = false;     // of the cell whose weight is explained
  bool hidden = false;  // by the mask
};

struct StoryRow {
  std::string label = {};
  std::vector<StoryCell> cells = {};
  double from = 0.0;      // rows below its place from which the cells glide
  bool in_turn = false;   // the cells appear one after another
  bool goes_on = false;   // there are more than are shown
  std::size_t first = 0;  // column
};

// Returns how far a movement with a soft start and end is at this share of its time.
double eased(double part);
// Returns the colour mixed with the background, the fainter the smaller `strength` is.
inline Color faded(const StoryScene& scene, Color color, double strength) {
  return mix(scene.theme.background, color, strength);
}

// Adds the row at its place of the glide, and moves scene.y to the next one.
void add_row(StoryScene& scene, const Pen& pen, const StoryRow& row);
// Adds a text in the middle of a rectangle, cut where it is wider.
void add_text(StoryScene& scene, const Rect& rect, const std::string& text, const FontStyle& font,
              Color color, const HitId& hit);
void add_word(StoryScene& scene, const Pen& pen, const Rect& rect, const std::string& text,
              Color color, const HitId& hit = {});
// Adds the name of the next `rows` rows, at the last of them.
void add_label(StoryScene& scene, const Pen& pen, const std::string& text, double rows = 1.0);
// Returns the largest magnitude of the finite numbers; never 0.
double largest_number(std::span<const double> numbers);

}  // namespace attn
