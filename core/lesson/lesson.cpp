// Edits of lessons, and their check.
#include "lesson/lesson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json.h"
#include "document/json/write.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

// Each copy can double the document.
bool copies(const Json& edit) {
  return edit.is_array() && std::ranges::any_of(edit, [](const Json& operation) {
           return operation.is_object() && operation.value("op", Json()) == "copy";
         });
}

// nlohmann's operations throw.
Result<Json> edited(Json document, const Json& edit) {
  if (copies(edit)) {
    return Error{.kind = ErrorKind::BadInput,
                 .message = "the edit copies a part of the document",
                 .expected = "add, remove, replace, move or test"};
  }
  try {
    if (edit.is_array()) return document.patch(edit);
    document.merge_patch(edit);
    return document;
  } catch (const Json::exception& refused) {
    const std::string_view why = refused.what();
    return Error{.kind = ErrorKind::BadInput,
                 .message = "the edit does not fit the document",
                 .found = std::string(why.substr(std::min(why.find("] ") + 2, why.size()))),
                 .expected = "operations on what is there"};
  }
}

void add_errors(std::vector<Error>& all, std::vector<Error> found, std::size_t step,
                const std::string& key) {
  for (Error& error : found) {
    error.pointer = "/lesson/" + std::to_string(step) + "/" + key;
    all.push_back(std::move(error));
  }
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
  constexpr std::size_t kMostPins = 2;
  std::vector<CellHit> pins;
  for (const NamedCells& cells : cells_of(step.pins, scope)) {
    if (pins.size() == kMostPins) break;
    pins.push_back({{cells.stage, cells.at}, cells.range.row, cells.range.col});
  }
  return pins;
}

bool asks_for_shares(const NamedCells& cells) {
  return cells.stage == Stage::Weights && cells.range.rows == 1 && cells.range.cols > 1;
}

HeadAddress address_of(const LessonStep& step) {
  return step.panes ? focused_view(*step.panes).options.at : HeadAddress{};
}

double divergence(const std::vector<double>& truth, const std::vector<double>& guess) {
  double sum = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > 0.0) sum += truth[i] * std::log(truth[i] / guess[i]);
  }
  return std::max(sum, 0.0);
}

std::vector<Error> lesson_faults(const Document& document, std::uint64_t memory_limit_bytes) {
  std::vector<Error> all;
  Document now = document;
  HeadAddress at{};
  for (std::size_t i = 0; i < document.lesson.size(); ++i) {
    const LessonStep& step = document.lesson[i];
    Result<Document> next = with_edit(now, step.edit);
    if (!next) add_errors(all, {next.error()}, i, "edit");
    if (next) now = *std::move(next);
    const Result<ResultPtr> result =
        compute(make_problem(now), {.memory_limit_bytes = memory_limit_bytes});
    if (!result) {
      add_errors(all, {result.error()}, i, "edit");
      continue;
    }
    if (step.panes) at = address_of(step);
    const FormulaScope scope{now, *result, at};
    std::vector<Error> text, pins, ask, after;
    filled_text(step.text, scope, &text);
    filled_text(step.after, scope, &after);
    cells_of(step.pins, scope, &pins);
    cells_of(step.ask, scope, &ask);
    add_errors(all, std::move(text), i, "text");
    add_errors(all, std::move(pins), i, "pins");
    add_errors(all, std::move(ask), i, "ask");
    add_errors(all, std::move(after), i, "after");
  }
  return all;
}

}  // namespace attn
