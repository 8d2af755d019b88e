// Applies and checks the edits of lessons.
#include "lesson/lesson.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "base/json.h"
#include "base/number_text.h"
#include "document/cost.h"
#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/findings.h"
#include "lesson/concealed.h"
#include "plot/all_plots.h"

namespace attn {
namespace {

constexpr std::size_t kMostPins = 2, kMostNamed = 100;              // cells
constexpr std::uint64_t kMostMultiplyAdds = 10'000'000'000;         // of a check: some seconds
constexpr std::uint64_t kMostEditBytes = std::uint64_t{64} << 20U;  // so that steps are shown
                                                                    // immediately

// True if an edit copies, as each copy can double the document.
bool copies(const Json& edit) {
  return edit.is_array() && std::ranges::any_of(edit, [](const Json& operation) {
           return operation.is_object() && operation.value("op", Json()) == "copy";
         });
}

// Applies an edit; exceptions of nlohmann's operations become errors.
Result<Json> edited(Json document, const Json& edit) {
  if (copies(edit)) {
    return refusal_at("", "the edit copies a part of the document", "",
                      "add, remove, replace, move or test");
  }
  try {
    if (edit.is_array()) return document.patch(edit);
    document.merge_patch(edit);
    return document;
  } catch (const Json::exception& refused) {
    const std::string_view why = refused.what();
    return refusal_at("", "the edit does not fit the document",
                      std::string(why.substr(std::min(why.find("] ") + 2, why.size()))),
                      "operations on existing values, or the whole of a large array or file");
  }
}

// The pointer, if it leads to a value of the edit.
std::string inside(const std::string& edit, const std::string& pointer) {
  return parse_own_json(edit).contains(Json::json_pointer(pointer)) ? pointer : "";
}

// Computes the stages that an edit affects. `work` counts the multiply-adds of all steps.
Result<ResultPtr> computed(const Document& document, ResultPtr before, const ReadOptions& options,
                           std::uint64_t& work) {
  const AttentionProblem problem = make_problem(document);
  work = saturating_sum({work, computing_multiply_adds(problem)});
  if (work > kMostMultiplyAdds) {
    return refusal_at("", "the lesson takes too long to be checked from this step on",
                      grouped_text(work) + " multiply-adds up to here",
                      "at most " + grouped_text(kMostMultiplyAdds));
  }
  ComputeOptions how{.memory_limit_bytes = options.memory_limit_bytes,
                     .progress = options.progress,
                     .entered_bytes = entered_bytes(document)};
  const bool has_room = needed_bytes(problem, how.entered_bytes) <= how.memory_limit_bytes / 2;
  if (has_room) how.before = std::move(before);
  before.reset();
  return compute(problem, how);
}

// Reports unknown plots, and references of views that the document lacks, such as a head that an
// edit removed.
std::vector<Error> faults_of(const Panes& panes, const FormulaScope& scope) {
  std::vector<Error> all;
  for (const Pane* pane : panes_of(panes.layout)) {
    const ViewOptions& options = pane->view.options;
    if (plot_named(pane->view.plot) == nullptr)
      all.push_back(refusal_at("", unknown_plot(pane->view.plot), "", ""));
    std::ranges::move(missing_in_view(scope.document, options), std::back_inserter(all));
    if (scope.result->has(options.stage, nearest_head(scope.document, options.at))) continue;
    const std::string stage(stage_info(options.stage).name);
    all.push_back(refusal_at("/stage", "there is no stage " + stage, stage, "another stage"));
  }
  return all;
}

// Adds the faults of a step; place() gives the key of each. An edit may break views of earlier
// steps.
template <class Place>
void add_faults(const LessonStep& step, const Panes& panes, const FormulaScope& scope,
                std::vector<Error>& all, Place& place) {
  if (step.text.empty()) all.push_back(refusal_at("", "the step has no text", "", "a text"));
  filled_text(step.text, scope, &all);
  place("/text");
  filled_text(step.page_text, scope, &all);
  place("/page_text");
  const bool is_one = step.panes && std::holds_alternative<Pane>(panes.layout);
  std::vector<Error> of_views;
  if (step.panes || !step.edit.empty()) of_views = faults_of(panes, scope);
  for (Error& error : of_views) {
    if (!is_one) error.pointer.clear();
    all.push_back(std::move(error));
  }
  place(is_one ? "/view" : step.panes ? "/layout" : "/edit");
  cells_of(step.pins, scope, &all);
  if (const std::size_t count = step.pins.size(); count > kMostPins)
    all.push_back(
        refusal_at("", "these are more cells than can be pinned", std::to_string(count), "two"));
  place("/pins");
  if (!step.input.empty() && !input_cell(scope.document, step.input))
    all.push_back(refusal_at("", "there is no such number to change", step.input,
                             "a number of an input, such as /q/0/1"));
  place("/input");
  const std::vector<NamedCells> question = cells_of(step.ask, scope, &all);
  if (question.size() == step.ask.size() && !question.empty() && !is_one_cell(question[0]) &&
      !asks_for_shares(question[0]))
    all.push_back(refusal_at("", "these cells cannot be guessed", step.ask[0],
                             "first one row of weights, or one cell"));
  place("/ask");
  filled_text(step.after, scope, &all);
  place("/after");
}

}  // namespace

Result<Document> with_edit(const Document& document, const LessonStep& step, ReadOptions options,
                           KnownArrays* opened) {
  if (step.edit.empty()) return document;
  Document plain = document;
  plain.lesson.clear();
  plain.panes.reset();
  KnownArrays known = step.arrays;
  const Result<Json> text =
      edited(parse_own_json(write_document(plain, nullptr, &known)), parse_own_json(step.edit));
  if (!text) return text.error();
  options.memory_limit_bytes = std::min(options.memory_limit_bytes, kMostEditBytes);
  options.known = &known;
  options.seed.reset();
  options.lesson_faults = nullptr;
  Result<Reading> reading = read_document(text->dump(), "the edit", options);
  const auto is_of_file = [](const auto& array) { return array.origin() != nullptr; };
  std::erase_if(known, [&](const auto& entry) { return !std::visit(is_of_file, entry.second); });
  if (opened != nullptr) *opened = std::move(known);
  if (!reading) return reading.error();
  reading->document.lesson = document.lesson;
  reading->document.panes = document.panes;
  return std::move(reading->document);
}

std::vector<NamedCells> cells_of(const std::vector<std::string>& names, const FormulaScope& scope,
                                 std::vector<Error>* errors) {
  std::vector<NamedCells> all;
  const std::size_t count = std::min(names.size(), kMostNamed);
  if (errors != nullptr && count < names.size())
    errors->push_back(refusal_at("", "these are too many cells", std::to_string(names.size()),
                                 "at most " + std::to_string(kMostNamed)));
  for (const std::string& name : std::span(names).first(count)) {
    const Result<NamedCells> cells = cells_named(name, scope);
    if (cells) all.push_back(*cells);
    if (!cells && errors != nullptr) errors->push_back(cells.error());
  }
  return all;
}

std::vector<CellHit> pins_of(const LessonStep& step, const FormulaScope& scope) {
  std::vector<CellHit> pins;
  for (const NamedCells& cells : cells_of(step.pins, scope)) {
    if (pins.size() == kMostPins) break;
    pins.push_back({{cells.stage, cells.at}, cells.range.row, cells.range.col});
  }
  return pins;
}

bool is_one_cell(const NamedCells& cells) { return cells.range.rows * cells.range.cols == 1; }

bool asks_for_shares(const NamedCells& cells) {
  return cells.stage == Stage::Weights && cells.range.rows == 1 && cells.range.cols > 1;
}

// The mask marks keys of given weights without changing them: a marked key may have a weight.
std::vector<double> equal_shares(const NamedCells& row, const ResultPtr& result) {
  const ResultPtr whole = revealed(result);
  std::vector<float> weights(row.range.cols);
  whole->read(Stage::Weights, row.at, row.range, weights.data());
  std::vector<double> shares;
  for (std::size_t i = 0; i < row.range.cols; ++i) {
    const bool is_hidden = whole->hidden(row.at, row.range.row, row.range.col + i) != kVisible &&
                           (whole->has(Stage::Scores, row.at) || weights[i] == 0.0F);
    shares.push_back(is_hidden ? 0.0 : 1.0);
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= std::max(sum, 1.0);
  return shares;
}

double divergence(const std::vector<double>& truth, const std::vector<double>& guess) {
  double sum = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > 0.0) sum += truth[i] * std::log(truth[i] / guess[i]);
  }
  return std::max(sum, 0.0);
}

std::vector<Error> lesson_faults(Document& document, const ReadOptions& options) {
  std::vector<Error> all;
  Document now = document;
  Result<ResultPtr> result = ResultPtr();
  Panes panes = document.panes.value_or(Panes{});
  std::uint64_t work = 0;
  const std::size_t count = document.lesson.size();
  for (std::size_t i = 0; i < count && all.size() < kMostErrors && work <= kMostMultiplyAdds; ++i) {
    LessonStep& step = document.lesson[i];
    const ProgressPart part(options.progress, i, count);
    auto place = [&, placed = all.size()](const std::string& key) mutable {
      for (; placed < all.size(); ++placed) {
        Error& error = all[placed];
        error.pointer = "/lesson/" + std::to_string(i) + key + error.pointer;
        if (error.kind == ErrorKind::Usage) error.kind = ErrorKind::BadInput;
      }
    };
    Result<Document> next = with_edit(now, step, options, &step.arrays);
    if (!next) {
      all.push_back(next.error());
      all.back().pointer = inside(step.edit, next.error().pointer);
    }
    if (next) now = *std::move(next);
    if (i == 0 || !step.edit.empty())
      result = computed(now, result ? *std::move(result) : nullptr, options, work);
    if (is_cancelled(options.progress)) break;
    if (!result) all.push_back(result.error());
    place("/edit");
    if (step.panes) panes = *step.panes;
    const HeadAddress& at = focused_view(panes).options.at;
    if (result) add_faults(step, panes, {now, *result, at}, all, place);
  }
  return all;
}

}  // namespace attn
