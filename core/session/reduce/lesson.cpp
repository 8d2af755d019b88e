// Lessons: their steps, guesses and answers.
#include "lesson/lesson.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/load/open.h"
#include "lesson/concealed.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// Replaces the result and drops what was derived from the old one, whose numbers may now be
// concealed.
void set_result(OpenDocument& open, ResultPtr result) {
  open.result = std::move(result);
  open.derivations = {};
  open.derived_from = nullptr;
  open.deriving_from = {};
  open.older.reset();
}

// The entered step, with the views of the last step that has some.
void show_step(Step& step, bool is_edited) {
  LessonState& lesson = step.lesson;
  if (!is_edited) step.saved_revision = step.revision;
  lesson.as_written = step.document == lesson.written.back() ? step.revision : 0;
  for (std::size_t i = lesson.step + 1; i-- > 0;) {
    const std::optional<Panes>& panes = step.document.lesson[i].panes;
    if (!panes) continue;
    show_panes(step, *panes);
    break;
  }
  show_inputs_of(step, focused_view(step).options.at);
  if (const auto cell = input_cell(step.document, shown_step(step).input))
    step.grid = {cell->matrix, cell->row, cell->col, cell->row, cell->col};
  step.pins = lesson.answers[lesson.step].pins;
  lesson.awaits_pins = step.pins.empty();
  fit_to_document(step);
  conceal_question(step);
}

// Stores the cells that were clicked as an answer.
void remember_choice(OpenDocument& open) {
  StepAnswer& answer = open.lesson.answers[open.lesson.step];
  if (!open.lesson.concealed.empty()) answer.pins = open.pins;
}

// Enters the next step. Errors of the lesson's own edits are ignored: they were reported on load.
void enter_next(Step& step, bool is_edited) {
  LessonState& lesson = step.lesson;
  const Document before = lesson.written.empty() ? step.document : lesson.written.back();
  lesson.entered.push_back(step.document);
  lesson.step = lesson.entered.size() - 1;
  Result<Document> next = with_edit(step.document, shown_step(step));
  const Result<Document> as_written =
      step.document == before ? next : with_edit(before, shown_step(step));
  lesson.written.push_back(as_written ? *as_written : before);
  if (next || is_edited) edit(step, std::move(next), label_of_step(step));
}

// Shows the numbers of the reference that a question concealed when it was kept.
void reveal_reference(OpenDocument& open) {
  if (open.reference == nullptr || open.reference->result == nullptr) return;
  ResultPtr whole = revealed(open.reference->result);
  if (whole == open.reference->result) return;
  auto shown = std::make_shared<Reference>(*open.reference);
  shown->result = std::move(whole);
  shown->key += " revealed";
  open.reference = std::move(shown);
}

}  // namespace

std::string label_of_step(const OpenDocument& open) {
  return "step " + std::to_string(open.lesson.step + 1) + std::string(kOfLesson);
}

void leave_step(Step& step, bool is_edited) {
  LessonState& lesson = step.lesson;
  lesson.entered.pop_back();
  lesson.written.pop_back();
  lesson.step = lesson.entered.size() - 1;
  show_step(step, is_edited);
}

void report_lesson_faults(AppState& state, const Reading& report) {
  const std::vector<Error>& faults = report.lesson_faults;
  if (faults.empty()) return;
  notify(state, Notice::Level::Warning,
         "The lesson has " + counted(faults.size(), "fault") +
             "; attnscope validate lists them. The first: " + describe(faults.front()),
         joined(faults, "\n", describe));
}

void begin_lesson(Step& step, std::size_t at) {
  step.lesson = {};
  if (step.document.lesson.empty()) return;
  step.lesson.answers.resize(step.document.lesson.size());
  const std::size_t last = std::min(at, step.document.lesson.size() - 1);
  const bool edited = has_unsaved_changes(step);
  for (std::size_t i = 0; i <= last; ++i) enter_next(step, false);
  step.history = {};
  step.lesson.in_file = !edited;
  show_step(step, edited);
}

void conceal_question(OpenDocument& open) {
  if (!is_in_lesson(open)) return;
  LessonState& lesson = open.lesson;
  if (shown_answer(open).revealed) lesson.concealed.clear();
  if (!open.result) return;
  const LessonStep& shown = shown_step(open);
  ResultPtr whole = revealed(open.result);
  open.result = whole;
  const FormulaScope scope{*open.result_document, open.result, focused_view(open).options.at};
  lesson.concealed =
      shown_answer(open).revealed ? std::vector<NamedCells>() : cells_of(shown.ask, scope);
  if (lesson.concealed.empty()) {
    reveal_reference(open);
  } else {
    whole = concealed(whole, lesson.concealed);
  }
  if (lesson.awaits_pins && open.result_revision == open.revision) {
    open.pins = pins_of(shown, scope);
    lesson.awaits_pins = false;
  }
  set_result(open, std::move(whole));
}

void apply(Step& step, const command::StepLesson& c) {
  if (!is_in_lesson(step)) return;
  LessonState& lesson = step.lesson;
  const bool edited = has_unsaved_changes(step), differs = differs_from_lesson(step);
  remember_choice(step);
  for (int i = 0; i < c.by && lesson.step + 1 < step.document.lesson.size(); ++i) {
    enter_next(step, differs);
  }
  if (c.by < 0 && lesson.step > 0 && differs) {
    inform(step, "The document is as it was before this step; Undo brings your edits back");
  }
  for (int i = 0; i > c.by && lesson.step > 0; --i) {
    Document before = std::move(lesson.entered.back());
    lesson.entered.pop_back();
    lesson.written.pop_back();
    lesson.step = lesson.entered.size() - 1;
    edit(step, std::move(before), "back to " + label_of_step(step));
  }
  show_step(step, edited);
}

void apply(Step& step, const command::RestoreStep& /*c*/) {
  if (!is_in_lesson(step)) return;
  edit(step, step.lesson.written.back(), "restore the step");
  step.lesson.as_written = step.revision;
  if (step.lesson.in_file) step.saved_revision = step.revision;
}

void apply(OpenDocument& open, const command::Guess& c) {
  if (!is_in_lesson(open) || open.lesson.concealed.empty() || !open.result) return;
  std::vector<double>& guess = open.lesson.answers[open.lesson.step].guess;
  guess = c.shares;
  if (guess.size() == 1) return;
  const std::vector<double> usual = equal_shares(open.lesson.concealed.front(), open.result);
  guess.resize(usual.size());
  constexpr double kLeast = 1e-4;  // so that no guess is infinitely far from the truth
  for (std::size_t i = 0; i < guess.size(); ++i) {
    guess[i] = usual[i] > 0.0 ? std::max(guess[i], kLeast) : 0.0;
  }
  const double sum = std::accumulate(guess.begin(), guess.end(), 0.0);
  for (double& share : guess) share /= std::max(sum, kLeast);
}

void apply(OpenDocument& open, const command::Reveal& /*c*/) {
  if (!is_in_lesson(open)) return;
  remember_choice(open);
  const std::vector<NamedCells> cells = open.lesson.concealed;
  StepAnswer& answer = open.lesson.answers[open.lesson.step];
  answer.revealed = true;
  conceal_question(open);
  if (open.result && !cells.empty()) answer.truth = numbers_in(*open.result, cells.front());
}

void apply(OpenDocument& open, const command::EndLesson& c) {
  if (c.ended) apply(open, command::Reveal{});
  open.lesson.ended = c.ended;
  conceal_question(open);
}

void apply(Step& step, const command::BeginFirstSteps& /*c*/) {
  dispatch(step, command::SetPreference{"first_steps", "false"});
  if (step.source_path != first_example() || has_unsaved_changes(step)) {
    dispatch(step, command::Open{first_example()});
  }
  step.overlay.reset();
  step.first_step = FirstStep::Edit;
  withdraw(step, command::kFirstStepsEnded);
}

void follow_first_steps(Step& step) {
  FirstStep& now = step.first_step;
  const auto is_step_cell = [](const CellHit& cell) { return cell.row == 0 && cell.col == 2; };
  if (now == FirstStep::Pin && std::ranges::any_of(step.pins, is_step_cell)) now = FirstStep::Open;
  if (now == FirstStep::Open && step.source_path != first_example()) now = FirstStep::None;
}

void apply(Step& step, const Command& c, command::Lessons list) { apply_one_of(step, c, list); }

}  // namespace attn
