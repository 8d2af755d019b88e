// Frames, formulas and sentences of a cell's story.
#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/special_numbers.h"
#include "plot/charts/story.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

// What the sentences of all frames name.
struct Telling {
  const FittedView& view;
  const CellNumbers& numbers;
  const AttentionProblem& problem = view.result.problem();
  const std::string query = quoted_token(view, Side::Query, numbers.cell.row);  // “sat”
  const std::string key = quoted_token(view, Side::Key, numbers.cell.col);      // “cat”

  std::string number(double value) const { return story_number(value, view.options.decimals); }
  std::string weight() const { return number(numbers.weight()); }
  const ScoringFunctionInfo& function() const { return scoring_info(problem.scoring.function); }
};

std::string short_number(float number) {
  return with_minus(short_text(static_cast<double>(number)));
}

StoryWords words_of_meeting(const Telling& t) {
  if (!t.function().plain) {
    const std::string label(t.function().label);
    return {std::string(t.function().formula),
            label + ". " + std::string(t.function().sentence) + "."};
  }
  const bool is_rotated = query_stage(t.problem, t.view.options.at) == Stage::RotatedQuery;
  return {"q · k", "The " + std::string(is_rotated ? "rotated " : "") + "row of Q of " + t.query +
                       " meets the row of K of " + t.key + ": " +
                       counted(t.numbers.terms.size(), "number") + " each."};
}

StoryWords words_of_products(const Telling& t) {
  const bool is_product = t.function().plain;
  const std::string terms = counted(t.numbers.terms.size(), is_product ? "product" : "term");
  const std::string sum = t.numbers.terms.size() == 1
                              ? terms + " makes the score "
                              : "From the largest on, " + terms + " add up to the score ";
  return {is_product ? "s = q · k" : "s = " + std::string(t.function().formula),
          sum + t.number(t.numbers.number(Stage::Scores, t.numbers.cell.col)) +
              ". The other keys get their scores alike."};
}

StoryWords words_of_scale(const Telling& t) {
  const std::size_t width = t.problem.shape.d_k;
  if (t.function().scaled_by_width && !t.problem.scoring.scale) {
    const std::string root = "√" + std::to_string(width);
    return {"s / √d_k = s / " + root, "Every score is divided by " + root + " = " +
                                          short_text(std::sqrt(static_cast<double>(width)), 3) +
                                          ", so that wide rows do not make the softmax too sharp."};
  }
  const std::string scale = short_number(scale_of(t.problem));
  return {"s × " + scale, "Every score is multiplied by the scale of the document, " + scale + "."};
}

StoryWords words_of_cap(const Telling& t) {
  const std::string cap = short_number(t.problem.scoring.softcap.value_or(0.0F));
  return {cap + " · tanh(x / " + cap + ")",
          "A softcap bends large scores: all stay between −" + cap + " and " + cap + "."};
}

StoryWords words_of_bias(const Telling& t) {
  return {"x + b", "A bias is added to every score of the row: " +
                       t.number(bias_of(t.problem, t.numbers, t.numbers.cell.col)) +
                       " to that of " + t.key + "."};
}

StoryWords words_of_mask(const Telling& t) {
  if (t.numbers.is_hidden()) {
    return {"hidden: −∞", t.key + " is " + hidden_sentence(t.numbers.rules) +
                              ": −∞ takes the place of its number, so that its weight is 0."};
  }
  const std::size_t keys = t.numbers.weights.size(), hidden = keys - t.numbers.seen;
  const std::string others =
      hidden == 0 ? "and neither is another key of this row."
                  : std::to_string(hidden) + " of the " + counted(keys, "key") + " of this row " +
                        (hidden == 1 ? "is" : "are") + ", and −∞ from here on.";
  return {"hidden: −∞", t.key + " is not hidden" + (hidden == 0 ? ", " : "; ") + others};
}

// "x", or "x / T".
std::string exponent(const Telling& t) { return temperature_of(t.problem) == 1.0 ? "x" : "x / T"; }

StoryWords words_of_exponentials(const Telling& t) {
  const char* const of = t.problem.scoring.sinks.empty() ? "" : " and the sink";
  std::string sentence = "m = " + t.number(t.numbers.softmax.subtracted) +
                         ", the largest of the row" + of +
                         ", is subtracted first, which changes no weight; e is raised to the rest.";
  if (temperature_of(t.problem) != 1.0) {
    sentence += " The temperature T = " + short_text(temperature_of(t.problem), 4) + " divides x.";
  }
  return {"e^(" + exponent(t) + " − m)", sentence};
}

StoryWords words_of_weights(const Telling& t) {
  const std::string gets = t.key + " gets " + t.weight() + ".";
  if (!has_scores(t.problem)) {
    return {"w", "The document gives the weights of " + t.query + ": " + gets};
  }
  const NormaliserInfo& info = normaliser_info(t.problem.scoring.normaliser);
  if (!t.numbers.is_softmax) {
    const std::string words = std::string(info.label) + ". " + std::string(info.sentence) + ". ";
    return {"w = " + std::string(info.formula), words + gets};
  }
  const std::string formula = "w = e^(" + exponent(t) + " − m) / Σ";
  if (t.numbers.softmax.sum == 0.0)
    return {formula, t.query + " sees no key: all its weights are 0."};
  std::string sum = "Divided by Σ = " + t.number(t.numbers.softmax.sum);
  if (!t.problem.scoring.sinks.empty()) {
    sum += ", of which the sink has " + t.number(t.numbers.softmax.sink) +
           ", the weights of the row sum to less than 1: ";
  } else {
    sum += ", the weights of the row sum to 1: ";
  }
  return {formula, sum + gets};
}

StoryWords words_of_values(const Telling& t) {
  return {"w · v", "Each weight scales the row of V of its key: that of " + t.key + " by " +
                       t.weight() + "."};
}

StoryWords words_of_output(const Telling& t) {
  return {"o = Σ w · v", "The scaled rows add up to the row of the output of " + t.query + "."};
}

}  // namespace

std::vector<StoryFrame> story_frames(const AttentionProblem& problem, const HeadAddress& at) {
  const std::vector<Stage> stages = stages_of(problem, at);
  const auto has = [&](Stage stage) { return std::ranges::count(stages, stage) > 0; };
  std::vector<StoryFrame> frames;
  const auto add_if = [&](bool there, StoryFrame frame) {
    if (there) frames.push_back(frame);
  };
  const bool scored = has_scores(problem) && has(Stage::Scores);
  const Mask& mask = mask_of(problem, at);
  add_if(scored, StoryFrame::Meet);
  add_if(scored, StoryFrame::Products);
  add_if(scored && has(Stage::Scaled) && scale_of(problem) != 1.0F, StoryFrame::Scaled);
  add_if(scored && has(Stage::Softcapped), StoryFrame::Softcapped);
  add_if(scored && has_bias(mask), StoryFrame::Bias);
  add_if(scored && can_hide(mask), StoryFrame::Masked);
  add_if(scored && normaliser_info(problem.scoring.normaliser).exponentials,
         StoryFrame::Exponentials);
  add_if(has(Stage::Weights), StoryFrame::Weights);
  add_if(has(Stage::Value) && has(Stage::Output), StoryFrame::Values);
  add_if(has(Stage::Value) && has(Stage::Output), StoryFrame::Output);
  return frames;
}

std::size_t story_steps(const AttentionProblem& problem, const HeadAddress& at) {
  return story_frames(problem, at).size();
}

std::string nothing_to_tell(const AttentionProblem& problem, const HeadAddress& at) {
  const AttentionShape shape = shape_of(problem, at);
  const bool has_cells = shape.n_q > 0 && shape.n_k > 0;
  return has_cells && story_steps(problem, at) > 0 ? "" : "There is no weight to follow";
}

double bias_of(const AttentionProblem& problem, const CellNumbers& numbers, std::size_t key) {
  const HeadAddress& at = numbers.cell.matrix.head;
  return static_cast<double>(bias_at(mask_of(problem, at), at, numbers.cell.row, key));
}

std::string story_number(double number, int decimals, bool fine) {
  if (is_concealed(number)) return "?";
  if (std::isinf(number)) return number < 0.0 ? "−∞" : "∞";
  constexpr double kLong = 1e5;
  const double size = std::abs(number);
  const bool is_tiny = fine && size > 0.0 && size < 0.5 * std::pow(10.0, -decimals);
  if (is_tiny) return with_minus(short_text(number, 2));
  return with_minus(size < kLong ? fixed_text(number, decimals) : short_text(number, 3));
}

StoryWords words_of(const FittedView& view, const CellNumbers& numbers, StoryFrame frame) {
  static constexpr StoryWords (*kWords[])(const Telling&) = {
      words_of_meeting, words_of_products,     words_of_scale,   words_of_cap,    words_of_bias,
      words_of_mask,    words_of_exponentials, words_of_weights, words_of_values, words_of_output};
  StoryWords words = kWords[static_cast<std::size_t>(frame)]({view, numbers});
  if (frame >= StoryFrame::Exponentials && numbers.lacks_number()) {
    words.sentence = without_number(view.document, numbers);
  }
  return words;
}

}  // namespace attn
