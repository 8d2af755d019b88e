// Edits of lessons, and their check.
#include "lesson/lesson.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/json.h"
#include "document/json/write.h"
#include "document/load/read.h"
#include "document/missing_in_view.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/findings.h"
#include "plot/all_plots.h"

namespace attn {
namespace {

constexpr std::size_t kMostPins = 2;

Error fault(std::string message, std::string found, std::string expected) {
  return {.kind = ErrorKind::BadInput,
          .message = std::move(message),
          .found = std::move(found),
          .expected = std::move(expected)};
}

bool can_be_guessed(const NamedCells& cells) {
  return is_one_cell(cells) || asks_for_shares(cells);
}

// Each copy can double the document.
bool copies(const Json& edit) {
  return edit.is_array() && std::ranges::any_of(edit, [](const Json& operation) {
           return operation.is_object() && operation.value("op", Json()) == "copy";
         });
}

// nlohmann's operations throw.
Result<Json> edited(Json document, const Json& edit) {
  if (copies(edit)) {
    return fault("the edit copies a part of the document", "",
                 "add, remove, replace, move or test");
  }
  try {
    if (edit.is_array()) return document.patch(edit);
    document.merge_patch(edit);
    return document;
  } catch (const Json::exception& refused) {
    const std::string_view why = refused.what();
    return fault("the edit does not fit the document",
                 std::string(why.substr(std::min(why.find("] ") + 2, why.size()))),
                 "operations on what is there");
  }
}

// The pointer, if it leads to something in the edit.
std::string inside(const std::string& edit, const std::string& pointer) {
  return parse_own_json(edit).contains(Json::json_pointer(pointer)) ? pointer : "";
}

// The views of a step, which later steps inherit.
struct ShownViews {
  Panes panes;
  bool are_sound = true;
  bool is_one() const { return std::holds_alternative<Pane>(panes.layout); }
};

// Unknown plots, and what the views name that the document lacks, such as a head that an edit
// removed.
std::vector<Error> faults_of(const ShownViews& views, const FormulaScope& scope) {
  std::vector<Error> all;
  for (const Pane* pane : panes_of(views.panes.layout)) {
    const ViewOptions& options = pane->view.options;
    if (plot_named(pane->view.plot) == nullptr)
      all.push_back(fault(unknown_plot(pane->view.plot), "", ""));
    std::ranges::move(missing_in_view(scope.document, options), std::back_inserter(all));
    if (scope.result->has(options.stage, nearest_head(scope.document, options.at))) continue;
    const std::string stage(stage_info(options.stage).name);
    all.push_back(refusal_at("/stage", "there is no stage " + stage, stage, "another stage"));
  }
  return all;
}

// Adds what is wrong with a step; place() says under which key of its text. Views that were at
// fault before are not reported again.
template <class Place>
void add_faults(const LessonStep& step, ShownViews& views, const FormulaScope& scope,
                std::vector<Error>& all, Place& place) {
  if (step.text.empty()) all.push_back(fault("the step says nothing", "", "a text"));
  filled_text(step.text, scope, &all);
  place("/text");
  if (step.panes || (views.are_sound && !step.edit.empty())) {
    std::vector<Error> found = faults_of(views, scope);
    views.are_sound = found.empty();
    for (Error& error : found) {
      if (!step.panes || !views.is_one()) error.pointer.clear();
      all.push_back(std::move(error));
    }
    place(!step.panes ? "/edit" : views.is_one() ? "/view" : "/layout");
  }
  cells_of(step.pins, scope, &all);
  if (const std::size_t count = step.pins.size(); count > kMostPins)
    all.push_back(fault("these are more cells than can be pinned", std::to_string(count), "two"));
  place("/pins");
  const std::vector<NamedCells> asked = cells_of(step.ask, scope, &all);
  if (asked.size() == step.ask.size() && !asked.empty() && !can_be_guessed(asked[0]))
    all.push_back(fault("nobody can guess these cells", step.ask[0],
                        "first one row of weights, or one cell"));
  place("/ask");
  filled_text(step.after, scope, &all);
  place("/after");
}

}  // namespace

Result<Document> with_edit(const Document& document, const std::string& edit) {
  if (edit.empty()) return document;
  Document plain = document;
  plain.lesson.clear();
  plain.panes.reset();
  const Result<Json> text = edited(parse_own_json(write_document(plain)), parse_own_json(edit));
  if (!text) return text.error();
  Result<Reading> reading = read_document(text->dump(), "the edit");
  if (!reading) return reading.error();
  if (!reading->errors.empty()) return reading->errors.front();
  reading->document.lesson = document.lesson;
  reading->document.panes = document.panes;
  return std::move(reading->document);
}

Document document_at(const Document& first, std::size_t step) {
  Document document = first;
  for (std::size_t i = 0; i <= step && i < first.lesson.size(); ++i) {
    Result<Document> next = with_edit(document, first.lesson[i].edit);
    if (next) document = *std::move(next);
  }
  return document;
}

std::vector<NamedCells> cells_of(const std::vector<std::string>& names, const FormulaScope& scope,
                                 std::vector<Error>* errors) {
  std::vector<NamedCells> all;
  for (const std::string& name : names) {
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

// Given weights are marked by the mask, not changed.
std::vector<double> equal_shares(const NamedCells& row, const AttentionResult& result) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < row.range.cols; ++i) {
    const bool is_hidden = result.has(Stage::Scores, row.at) &&
                           result.hidden(row.at, row.range.row, row.range.col + i) != kVisible;
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

std::vector<Error> lesson_faults(const Document& document, const ReadOptions& options) {
  std::vector<Error> all;
  Document now = document;
  Result<ResultPtr> result = ResultPtr();
  ShownViews views{document.panes.value_or(Panes{})};
  for (std::size_t i = 0; i < document.lesson.size() && all.size() < kMostErrors; ++i) {
    const LessonStep& step = document.lesson[i];
    auto place = [&, placed = all.size()](const std::string& key) mutable {
      for (; placed < all.size(); ++placed) {
        Error& error = all[placed];
        error.pointer = "/lesson/" + std::to_string(i) + key + error.pointer;
        if (error.kind == ErrorKind::Usage) error.kind = ErrorKind::BadInput;
      }
    };
    Result<Document> next = with_edit(now, step.edit);
    if (!next) {
      all.push_back(next.error());
      all.back().pointer = inside(step.edit, next.error().pointer);
    }
    if (next) now = *std::move(next);
    if (i == 0 || !step.edit.empty())
      result = compute(make_problem(now), {.memory_limit_bytes = options.memory_limit_bytes,
                                           .progress = options.progress,
                                           .before = result ? *result : nullptr});
    if (options.progress != nullptr && options.progress->cancelled) break;
    if (!result) all.push_back(result.error());
    place("/edit");
    if (step.panes) views.panes = *step.panes;
    const HeadAddress& at = focused_view(views.panes).options.at;
    if (result) add_faults(step, views, {now, *result, at}, all, place);
  }
  return all;
}

}  // namespace attn
