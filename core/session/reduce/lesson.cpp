// Lessons: their steps, guesses and answers.
#include "lesson/lesson.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "document/load/open.h"
#include "lesson/concealed.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

FormulaScope scope_of(const OpenDocument& open) {
  return {*open.result_document, open.result, focused_view(open).options.at};
}

// Drops what was derived from numbers that are not to be told any more.
void set_result(OpenDocument& open, ResultPtr result) {
  open.result = std::move(result);
  open.derivations = {};
  open.derived_from = nullptr;
  open.deriving_from = {};
  open.older.reset();
}

// The views of the last step that has some.
void show_step(Step& step) {
  const LessonState& lesson = step.lesson;
  for (std::size_t i = lesson.step + 1; i-- > 0;) {
    const std::optional<Panes>& panes = step.document.lesson[i].panes;
    if (!panes) continue;
    show_panes(step, *panes);
    break;
  }
  step.lesson.awaits_pins = true;
  step.lesson.guess.clear();
  step.pins.clear();
  fit_to_document(step);
  tell_as_asked(step);
}

void remember_as_written(Step& step, const Document& expected) {
  step.lesson.as_written = step.document == expected ? step.revision : 0;
}

Document expected_document(const OpenDocument& open) {
  return document_at(open.lesson.entered.front(), open.lesson.step);
}

std::string label_of_step(const OpenDocument& open) {
  return "step " + std::to_string(open.lesson.step + 1) + " of the lesson";
}

void enter_next(Step& step) {
  LessonState& lesson = step.lesson;
  lesson.entered.push_back(step.document);
  lesson.step = lesson.entered.size() - 1;
  edit(step, with_edit(step.document, shown_step(step).edit), label_of_step(step));
}

}  // namespace

void begin_lesson(Step& step, std::size_t at) {
  step.lesson = {};
  if (step.document.lesson.empty()) return;
  const std::size_t last = std::min(at, step.document.lesson.size() - 1);
  const bool edited = has_unsaved_changes(step);
  for (std::size_t i = 0; i <= last; ++i) enter_next(step);
  step.history = {};
  if (!edited) step.saved_revision = step.revision;
  step.lesson.in_file = !edited;
  step.lesson.revealed.resize(step.document.lesson.size());
  remember_as_written(step, expected_document(step));
  show_step(step);
}

void tell_as_asked(OpenDocument& open) {
  if (!is_in_lesson(open) || !open.result) return;
  LessonState& lesson = open.lesson;
  const LessonStep& shown = shown_step(open);
  ResultPtr whole = revealed(open.result);
  open.result = whole;
  const FormulaScope scope = scope_of(open);
  lesson.asked =
      lesson.revealed[lesson.step] ? std::vector<NamedCells>() : cells_of(shown.ask, scope);
  if (!lesson.asked.empty()) whole = concealed(whole, lesson.asked);
  if (lesson.awaits_pins && open.result_revision == open.revision) {
    open.pins = pins_of(shown, scope);
    lesson.awaits_pins = false;
  }
  set_result(open, std::move(whole));
}

void apply(Step& step, const command::StepLesson& c) {
  if (!is_in_lesson(step)) return;
  LessonState& lesson = step.lesson;
  const bool edited = has_unsaved_changes(step);
  for (int i = 0; i < c.by && lesson.step + 1 < step.document.lesson.size(); ++i) enter_next(step);
  if (c.by < 0 && lesson.step > 0 && differs_from_lesson(step)) {
    inform(step, "The document is as it was before this step; Undo brings your edits back");
  }
  for (int i = 0; i > c.by && lesson.step > 0; --i) {
    Document before = std::move(lesson.entered.back());
    lesson.entered.pop_back();
    lesson.step = lesson.entered.size() - 1;
    edit(step, std::move(before), label_of_step(step));
  }
  if (!edited) step.saved_revision = step.revision;
  remember_as_written(step, expected_document(step));
  show_step(step);
}

void apply(Step& step, const command::RestoreStep& /*c*/) {
  if (!is_in_lesson(step)) return;
  edit(step, expected_document(step), "as the lesson has it");
  step.lesson.as_written = step.revision;
  if (step.lesson.in_file) step.saved_revision = step.revision;
}

void apply(OpenDocument& open, const command::Guess& c) {
  if (is_in_lesson(open) && c.shares.size() == 1) {
    open.lesson.guess = c.shares;
    return;
  }
  std::vector<double> shares = c.shares;
  constexpr double kLeast = 1e-4;  // so that no guess is infinitely far off
  for (double& share : shares) share = std::max(share, kLeast);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!is_in_lesson(open) || !(sum > 0.0)) return;
  for (double& share : shares) share /= sum;
  open.lesson.guess = std::move(shares);
}

void apply(OpenDocument& open, const command::Reveal& /*c*/) {
  if (!is_in_lesson(open)) return;
  open.lesson.revealed[open.lesson.step] = true;
  tell_as_asked(open);
}

void apply(OpenDocument& open, const command::EndLesson& c) {
  if (c.ended) apply(open, command::Reveal{});
  open.lesson.ended = c.ended;
}

void apply(Step& step, const command::BeginFirstSteps& /*c*/) {
  dispatch(step, command::SetPreference{"first_steps", "false"});
  if (step.source_path != first_example() || has_unsaved_changes(step)) {
    dispatch(step, command::Open{first_example()});
  }
  step.overlay.reset();
  step.first_step = FirstStep::Edit;
}

void follow_first_steps(Step& step) {
  FirstStep& now = step.first_step;
  if (now == FirstStep::Pin && !step.pins.empty()) now = FirstStep::Open;
  if (now == FirstStep::Open && step.source_path != first_example()) now = FirstStep::None;
}

void apply(Step& step, const Command& c, command::Lessons list) { apply_one_of(step, c, list); }

}  // namespace attn
