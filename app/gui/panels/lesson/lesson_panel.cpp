// The card of a lesson and the bars of a guess.
#include "gui/panels/lesson/lesson_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/parsed_number.h"
#include "document/load/open.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"
#include "lesson/concealed.h"
#include "lesson/lesson.h"
#include "plot/kit/names.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr double kLessonSize = 14.5;                       // units, of the text
constexpr float kBarHeight = 18.0F, kBarGap = 3.0F;        // units
constexpr float kTokenWidth = 72.0F, kShareWidth = 60.0F;  // units

// A text of the step with its numbers; a question mark for concealed ones.
std::string with_numbers(const AppState& state, const std::string& text) {
  if (!state.result) return text;
  return filled_text(text, {*state.result_document, state.result, focused_view(state).options.at});
}

void draw_text_of(Ui& ui, const CardText& text, const char* name) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const DrawLink no_link;
  for (const PlacedItem& item : text.placed.items) {
    const ImVec2 at(origin.x, origin.y + ui.px(static_cast<float>(item.top)));
    for (const PlacedCell& cell : item.cells) draw_cell(ui, item, cell, at, no_link);
    draw_bullet(ui, item, at);
  }
  ImGui::Dummy(
      ImVec2(ui.px(static_cast<float>(text.width)), ui.px(static_cast<float>(text.placed.height))));
  ui.mark(name, text.text);
}

// The cells of the first question; none if there is no question.
std::optional<NamedCells> question_cells(const AppState& state) {
  if (!state.result || shown_step(state).ask.empty()) return std::nullopt;
  const FormulaScope scope{*state.result_document, state.result, focused_view(state).options.at};
  const Result<NamedCells> cells = cells_named(shown_step(state).ask.front(), scope);
  return cells ? std::optional(*cells) : std::nullopt;
}

// The cells of a question, the answer, and their numbers once revealed.
struct LessonQuestion {
  const NamedCells& cells;
  const StepAnswer& answer;
  std::vector<double> truth{};  // empty: concealed
  // False if the numbers have been edited since they were revealed.
  bool is_current() const { return !answer.revealed || truth == answer.truth; }
};

struct GuessBar {
  std::string token;
  std::size_t index;
  double guess;
  bool was_guessed, is_masked;
  std::optional<double> truth;
};

// Arrows on the bar with the focus, which do not go through the steps then.
std::optional<double> moved_by_keys(Ui& ui, const std::string& name, double guess) {
  constexpr double kStep = 0.05;
  if (ui.focus.focused() != name) return std::nullopt;
  ui.take_arrow_keys();
  const bool more = key_pressed(keys::kUp) || key_pressed(keys::kRight),
             less = key_pressed(keys::kDown) || key_pressed(keys::kLeft);
  const double by = more ? kStep : less ? -kStep : 0.0;
  return by == 0.0 ? std::nullopt : std::optional(std::clamp(guess + by, 0.0, 1.0));
}

// Draws the guess hollow and the truth full.
void draw_bar(const Ui& ui, const GuessBar& bar, ImVec2 min, ImVec2 max) {
  const UiColors colors = ui_colors(ui.theme);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto fill = [&](double of, Color color) {
    fill_bar(ui, min, (max.x - min.x) * static_cast<float>(of), max.y - min.y, color);
  };
  fill(1.0, colors.field);
  bar.truth ? fill(*bar.truth, colors.accent)
            : fill(bar.guess, mix(colors.field, colors.accent, 0.5));
  if (!bar.truth || !bar.was_guessed) return;
  const float end = min.x + (max.x - min.x) * static_cast<float>(bar.guess);
  list.AddRect(min, ImVec2(end, max.y), to_imgui(colors.text), ui.px(2), 0, ui.px(1.5F));
}

// Value to which the bar on the last button was dragged or moved.
std::optional<double> dragged_to(Ui& ui, const std::string& name, double guess) {
  tooltip(ui, "Drag to your guess, or press ↑ and ↓: the bars are made to sum to 100 %");
  if (const auto moved = moved_by_keys(ui, name, guess)) return moved;
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return std::nullopt;
  const float pointed =
      (ImGui::GetIO().MousePos.x - ImGui::GetItemRectMin().x) / ImGui::GetItemRectSize().x;
  return std::clamp(static_cast<double>(pointed), 0.0, 1.0);
}

// Returns the guess while it is dragged. Hidden keys cannot be guessed.
std::optional<double> guess_bar(Ui& ui, const GuessBar& bar, float width_px) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(kBarHeight), token = ui.px(kTokenWidth), share = ui.px(kShareWidth);
  const ImVec2 min(at.x + token, at.y + ui.px(2));
  const ImVec2 max(min.x + std::max(width_px - token - share, 1.0F), at.y + height - ui.px(2));
  const UiColors colors = ui_colors(ui.theme);
  const std::string name = "lesson/guess/" + std::to_string(bar.index);
  std::optional<double> dragged;
  draw_in_row(ui, fitted_token(ui, bar.token, token - ui.px(6)), at, height,
              bar.is_masked ? colors.muted : colors.text);
  if (bar.is_masked) {
    draw_in_row(ui, "masked: 0 %", ImVec2(min.x, at.y), height, colors.muted);
  } else {
    ImGui::SetCursorScreenPos(ImVec2(min.x, at.y));
    ImGui::InvisibleButton(name.c_str(), ImVec2(max.x - min.x, height));
    ui.mark(name, percent_text(bar.guess));
    draw_bar(ui, bar, min, max);
    draw_in_row(ui, fixed_text(100.0 * bar.truth.value_or(bar.guess), 1) + " %",
                ImVec2(max.x + ui.px(6), at.y), height, colors.muted);
    if (!bar.truth) dragged = dragged_to(ui, name, bar.guess);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height + ui.px(kBarGap)));
  return dragged;
}

// The tokens of the keys, with their places where several are equal.
std::vector<std::string> names_of_bars(const AppState& state, const NamedCells& row) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < row.range.cols; ++i) {
    names.push_back(token_label(*state.result_document, Side::Key, row.at, i));
  }
  std::vector<std::string> placed = names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::count(names, names[i]) > 1) placed[i] += " " + std::to_string(i + 1);
  }
  return placed;
}

// Sets one share; the others keep their proportions.
std::vector<double> with_share(std::vector<double> shares, std::size_t index, double share) {
  const double others = 1.0 - shares[index];
  for (double& other : shares) other *= others > 0.0 ? (1.0 - share) / others : 0.0;
  shares[index] = share;
  return shares;
}

void note(Ui& ui, const std::string& text) { rich_text(ui, text, kTextSize, ui.colors().muted); }

// Error of a guess: the largest difference in percentage points, then the divergence.
std::string verdict_on_shares(const std::vector<double>& truth, const std::vector<double>& guess) {
  double most = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    most = std::max(most, 100.0 * std::abs(truth[i] - guess[i]));
  }
  const char* praise = most <= 5.0    ? "Very close: at most "
                       : most <= 15.0 ? "Close: at most "
                                      : "At most ";
  return praise + short_text(most, 2) + (most == 1.0 ? " percentage point" : " percentage points") +
         " off (KL " + short_text(divergence(truth, guess), 2) + " nats).";
}

constexpr const char* kKeyOfBars = "Full: the answer. Frame: your guess.";
constexpr const char* kGuessOfOthers = "Your guess was about different numbers.";

void guess_bars(Ui& ui, const AppState& state, const LessonQuestion& question) {
  const NamedCells& row = question.cells;
  const std::size_t count = row.range.cols;
  if (count > kMostGuessBars) return;
  const std::vector<double> usual = equal_shares(row, state.result);
  const bool has_guess = question.answer.guess.size() == count;
  const std::vector<double>& guess = has_guess ? question.answer.guess : usual;
  const float width = ImGui::GetContentRegionAvail().x;
  const std::vector<std::string> names = names_of_bars(state, row);
  for (std::size_t i = 0; i < count; ++i) {
    const GuessBar bar{
        names[i],        i,
        guess[i],        has_guess && question.is_current(),
        usual[i] == 0.0, question.truth.empty() ? std::nullopt : std::optional(question.truth[i])};
    const std::optional<double> dragged = guess_bar(ui, bar, width);
    if (dragged && count > 1) ui.send(command::Guess{with_share(guess, i, *dragged)});
  }
}

// Explains the bars of the answer, and says how far the guess was off.
void verdict_on_bars(Ui& ui, const LessonQuestion& question) {
  const std::vector<double>& guess = question.answer.guess;
  const std::size_t count = question.cells.range.cols;
  if (!question.answer.revealed || guess.size() != count || count > kMostGuessBars) return;
  if (question.is_current()) {
    note(ui, kKeyOfBars);
    ui.mark("lesson/key", kKeyOfBars);
  }
  const std::string verdict =
      question.is_current() ? verdict_on_shares(question.truth, guess) : kGuessOfOthers;
  note(ui, verdict);
  ui.mark("lesson/verdict", verdict);
}

// The cell that was clicked and, once revealed, whether it is the largest of the question.
std::string verdict_on_cell(const AppState& state, const LessonQuestion& question) {
  const NamedCells& row = question.cells;
  const std::vector<CellHit>& pins = question.answer.revealed ? question.answer.pins : state.pins;
  if (pins.empty() || !question.is_current()) return "";
  const CellHit& pin = pins.front();
  const bool is_of_row =
      is_computed(pin.matrix) && pin.matrix.stage == row.stage && pin.row == row.range.row;
  if (!is_of_row) return "";
  const auto name_of = [&](std::size_t key) {
    return quoted_token(*state.result_document, Side::Key, row.at, key);
  };
  const std::string chosen = "You chose " + name_of(pin.col);
  if (!question.answer.revealed) return chosen + ".";
  const auto largest =
      static_cast<std::size_t>(std::ranges::max_element(question.truth) - question.truth.begin());
  return largest == pin.col ? chosen + ": yes."
                            : chosen + "; the largest is " + name_of(largest) + ".";
}

void guess_number(Ui& ui, const LessonQuestion& question, LessonView& view) {
  const std::vector<double>& guess = question.answer.guess;
  if (question.answer.revealed) {
    if (guess.size() != 1) return;
    const double truth = question.truth.front();
    return note(ui, question.is_current()
                        ? "You said " + short_text(guess.front(), 4) + ", it is " +
                              short_text(truth, 4) + ": " +
                              short_text(std::abs(guess.front() - truth), 2) + " off."
                        : kGuessOfOthers);
  }
  const std::string text = guess.size() == 1 ? short_text(guess.front(), 7) : "";
  const std::optional<std::string> typed =
      text_field(ui, "lesson/guess/number", text, view.number, {.hint = "Your guess: a number"});
  if (typed && !typed->empty()) {
    const Result<float> number = parse_number(*typed);
    if (number) ui.send(command::Guess{{static_cast<double>(*number)}});
    if (!number) refuse_text(view.number, *typed, "Enter a number such as 0.5");
  }
  field_problem(ui, "lesson/guess/number", view.number);
}

// Returns where the answer begins, below the bars.
float question_controls(Ui& ui, const AppState& state, LessonView& view) {
  const float top = ImGui::GetCursorPosY();
  const std::optional<NamedCells> cells = question_cells(state);
  if (!cells) return top;
  LessonQuestion question{*cells, shown_answer(state)};
  if (question.answer.revealed) question.truth = numbers_in(*state.result, *cells);
  ImGui::Spacing();
  if (is_one_cell(*cells)) guess_number(ui, question, view);
  if (!asks_for_shares(*cells)) return top;
  guess_bars(ui, state, question);
  const float below = ImGui::GetCursorPosY();
  verdict_on_bars(ui, question);
  const std::string verdict = verdict_on_cell(state, question);
  if (!verdict.empty()) rich_text(ui, verdict, kTextSize, ui_colors(ui.theme).text);
  return below;
}

void answer_text(Ui& ui, const AppState& state, LessonView& view) {
  const LessonStep& step = shown_step(state);
  if (!shown_answer(state).revealed || step.after.empty()) return;
  ImGui::Spacing();
  card_text(ui, view.answer, with_numbers(state, step.after), kLessonSize, "lesson/answer");
}

// Draws the note of an exercise from the beginning, so that nothing moves under the number that is
// changed.
void changed_note(Ui& ui, const AppState& state) {
  const bool is_changed = differs_from_lesson(state);
  if (!is_changed && shown_step(state).input.empty()) return;
  ImGui::Spacing();
  note(ui, is_changed ? "Changed: the figure shows your numbers."
                      : "Change what you like: the figure follows.");
  if (button(ui, "lesson/restore", "As in the lesson",
             {.tooltip = "Restores the document of this step; can be undone",
              .enabled = is_changed,
              .disabled_reason = "Nothing is changed yet"})) {
    ui.send(command::RestoreStep{});
  }
}

void head_row(Ui& ui, const AppState& state) {
  const std::size_t count = state.document.lesson.size();
  const std::string place = std::to_string(state.lesson.step + 1) + " of " + std::to_string(count);
  const std::string& title = state.document.title;
  elided_text(ui, title.empty() ? "Lesson" : title, ImGui::GetContentRegionAvail().x,
              ui_colors(ui.theme).text, true);
  fragment(ui, place);
  ui.mark("lesson/place", place);
  if (button_beside(ui, "lesson/end", "End", "Closes the lesson; View ▸ Lesson opens it again",
                    ui.px(8))) {
    ui.send(command::EndLesson{});
  }
}

constexpr const char* kRevealKeys = "Ctrl+Enter";

// The keys of the button before, if there is room.
void keys_beside(Ui& ui, const char* name, const char* keys) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < text_size(keys).x) return ImGui::NewLine();
  ImGui::AlignTextToFramePadding();
  fragment(ui, keys);
  ui.mark(name);
}

void foot_row(Ui& ui, const AppState& state) {
  const std::size_t last = state.document.lesson.size() - 1;
  const bool is_question = !state.lesson.concealed.empty();
  if (button(ui, "lesson/back", "Back",
             {.tooltip = "The step before, and the document as it was",
              .shortcut = "← or Page Up",
              .enabled = state.lesson.step > 0,
              .disabled_reason = "This is the first step"})) {
    ui.send(command::StepLesson{-1});
  }
  ImGui::SameLine();
  const std::optional<std::string> leads_on =
      state.lesson.step == last ? lesson_after(state.source_path) : std::nullopt;
  if (leads_on) {
    button(ui, "lesson/after", "Next lesson",
           {.kind = ButtonKind::Primary,
            .tooltip = "The lesson that follows on the start page",
            .sends = command::Open{*leads_on}});
  } else if (button(ui, "lesson/next", "Next",
                    {.kind = is_question ? ButtonKind::Normal : ButtonKind::Primary,
                     .tooltip = "The next step",
                     .shortcut = "→ or Page Down",
                     .enabled = state.lesson.step < last,
                     .disabled_reason = "This is the last step"})) {
    ui.send(command::StepLesson{1});
  }
  if (!is_question) {
    return state.lesson.step < last ? keys_beside(ui, "lesson/next/keys", "→") : void();
  }
  ImGui::SameLine();
  if (button(ui, "lesson/reveal", "Reveal",
             {.kind = ButtonKind::Primary,
              .tooltip = "Shows the concealed cells",
              .shortcut = kRevealKeys})) {
    ui.send(command::Reveal{});
  }
  keys_beside(ui, "lesson/reveal/keys", kRevealKeys);
}

}  // namespace

void card_text(Ui& ui, CardText& text, std::string markdown, double size, const char* name) {
  const float space = ImGui::GetContentRegionAvail().x / ui.scale - 4.0F;
  const double width = std::floor(static_cast<double>(std::max(space, 60.0F)));
  if (text.text != markdown || text.width != width || text.size != size) {
    text.placed = placed_text(pango_metrics(), parse_markdown(markdown), size, width);
    text.text = std::move(markdown);
    text.width = width;
    text.size = size;
  }
  draw_text_of(ui, text, name);
}

// Opens the tab of the rules that a step sends its reader to: "Under **Scoring** …".
void open_rules(Ui& ui, const std::string& text) {
  for (const char* tab : {"Masks", "Scoring", "Positions", "Blocks"}) {
    if (text.find("**" + std::string(tab) + "**") == text.npos) continue;
    return ui.request({"rules/" + std::string(tab)});
  }
}

void lesson_panel(Ui& ui, const AppState& state, LessonView& view) {
  head_row(ui, state);
  const float foot = ImGui::GetFrameHeightWithSpacing() + ui.px(6);
  const float room = std::max(ImGui::GetContentRegionAvail().y - foot, 1.0F);
  const float shown = view.content > 0.0F ? std::min(view.content, room) : room;
  ImGui::BeginChild("lesson/card", ImVec2(0, shown));
  const bool is_new = view.step != state.lesson.step || view.words.text.empty();
  const bool revealed = shown_answer(state).revealed;
  if (is_new) ImGui::SetScrollY(0.0F);
  if (is_new) open_rules(ui, shown_step(state).text);
  // Arrows go through the steps of a lesson that has just begun.
  if (std::exchange(view.document, state.id) != state.id) ImGui::SetWindowFocus(nullptr);
  if (is_new) ui.focus.begin_at(state.lesson.concealed.empty() ? "lesson/next" : "lesson/guess/");
  card_text(ui, view.words, with_numbers(state, shown_step(state).text), kLessonSize,
            "lesson/text");
  const float answer = question_controls(ui, state, view);
  answer_text(ui, state, view);
  changed_note(ui, state);
  if (revealed && !view.revealed) view.to_answer = true;
  if (is_new) view.to_answer = false;
  if (view.to_answer) ImGui::SetScrollY(answer);
  view.step = state.lesson.step;
  view.revealed = revealed;
  const float content = std::ceil(ImGui::GetCursorPosY());
  ImGui::Dummy(ImVec2(1, 0));  // scrolls beyond the last line, whose letters reach below its box
  const bool grew = std::exchange(view.content, content) != content;
  view.to_answer = view.to_answer && grew;  // a scroll bar narrows the lines, which become more
  if (grew) ui.redraw_within(0.0);
  ImGui::EndChild();
  foot_row(ui, state);
  const float padding = ImGui::GetStyle().WindowPadding.y + ui.px(6);
  view.height = (ImGui::GetCursorPosY() - shown + view.content + padding) / ui.scale;
}

}  // namespace attn::gui
