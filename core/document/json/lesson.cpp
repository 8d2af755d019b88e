// Reading and writing of lessons.
#include "document/json/lesson.h"

#include "base/joined.h"
#include "document/json/view.h"
#include "text/forms.h"

namespace attn {
namespace {

// One text, or its lines.
bool read_lines(JsonValue json, std::string& text) {
  if (json.kind() != JsonValue::Kind::List) return json.read_text(text);
  std::vector<std::string> lines;
  if (!read_texts(json, lines)) return false;
  text = joined(lines, "\n");
  return true;
}

void write_lines(const TextWriter& to, const std::string& text) {
  if (text.find('\n') == text.npos) return append_json(to.out, text);
  const std::vector<std::string> lines = split(text, '\n');
  append_list(to.out, lines.size(), to.level,
              [&](std::size_t i) { append_json(to.out, lines[i]); });
}

// Members of a document, which replace its own, or operations on it (RFC 7386 and RFC 6902).
bool read_edit(JsonValue json, std::string& edit) {
  const bool is_edit =
      json.kind() == JsonValue::Kind::Object || json.kind() == JsonValue::Kind::List;
  if (!is_edit) {
    return json.refuse("the edit is not a change of the document", json.describe(),
                       "an object of keys of the document, or a list of operations");
  }
  const std::string_view source = json.source();
  if (!json.charge(2 * source.size())) return false;
  edit = source;
  if (json.kind() == JsonValue::Kind::Object) return true;
  return json.each_item([](JsonValue item) {
    return item.kind() == JsonValue::Kind::Object ||
           item.refuse("the operation is not an object", item.describe(),
                       R"({"op": "replace", "path": "/q/0/1", "value": 2} or the like)");
  });
}

void write_edit(const TextWriter& to, const std::string& edit) { to.out += edit; }

constexpr std::string_view kOneOrMore =
    R"({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})";
constexpr auto kLinesForm = form_of<std::string, read_lines, write_lines>({.one_of = kOneOrMore});
constexpr auto kCellsForm =
    form_of<std::vector<std::string>, read_text_or_texts, write_texts>({.one_of = kOneOrMore});
constexpr auto kEditForm = form_of<std::string, read_edit, write_edit>(
    {.one_of =
         R"({"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}]})"});

namespace lesson_keys {
using Step = LessonStep;
using Key = RowOf<LessonStep>;
constexpr Row kAll[] = {
    Key::at<&Step::text>("text", kLinesForm,
                         "What the step says, in Markdown: a text, or its lines. Formulas in "
                         "braces are computed when it is shown."),
    Key::at<&Step::page_text>("page_text", kLinesForm,
                              "What the step says in a page for browsers, where that is "
                              "different: without words about the window."),
    Key::at<&Step::edit>(
        "edit", kEditForm,
        "What the step changes: keys of the document with their new values, null to remove one "
        "(RFC 7386), or operations on parts of it (RFC 6902).")
        .such_as(R"([{"mask": {"causal": true}},
            [{"op": "replace", "path": "/q/0/1", "value": 2}]])"),
    Key::by(
        "view", kViewForm,
        [](Step& step) -> View& { return std::get<Pane>(step.panes.emplace().layout).view; },
        [](const Step& step) { return step.panes ? only_view(*step.panes) : nullptr; },
        "What is shown, if it is another plot than in the step before."),
    Key::by(
        "layout", kLayoutForm, [](Step& step) -> Panes& { return step.panes.emplace(); },
        [](const Step& step) {
          return step.panes && only_view(*step.panes) == nullptr ? &*step.panes : nullptr;
        },
        "The panes and their views, in place of view."),
    Key::at<&Step::pins>("pins", kCellsForm, "At most two cells that are pinned.")
        .such_as(R"([["weights[\"I\", \"cats\"]"]])"),
    Key::at<&Step::input>("input", kText,
                          "The number that the reader should change, such as /q/0/1: Inputs "
                          "shows its matrix from there on, and frames it."),
    Key::at<&Step::ask>("ask", kCellsForm,
                        "Cells that are concealed until they are guessed, the first of them one "
                        "row of weights or one cell.")
        .such_as(R"(["weights[\"love\", :]"])"),
    Key::at<&Step::after>("after", kLinesForm, "Text that appears once they are shown."),
};
}  // namespace lesson_keys

}  // namespace

constinit const ObjectOf<LessonStep> kLessonStepObject{{.rows = lesson_keys::kAll}};

bool read_lesson(JsonValue json, std::vector<LessonStep>& steps) {
  constexpr std::size_t kMostSteps = 1000;
  const bool read = json.each_item([&](JsonValue item) {
    if (steps.size() == kMostSteps)
      return item.refuse("the lesson has too many steps", "another one",
                         "at most " + std::to_string(kMostSteps));
    return item.charge(sizeof(LessonStep)) &&
           read_as(item, kLessonStepObject, steps.emplace_back());
  });
  return read && (!steps.empty() || json.refuse("the lesson has no step", "an empty list",
                                                R"(steps such as {"text": "Look."})"));
}

void write_lesson(const TextWriter& to, const std::vector<LessonStep>& steps) {
  append_list(to.out, steps.size(), to.level, [&](std::size_t i) {
    write_object({to.out, to.level + 1, to.count}, kLessonStepObject, &steps[i]);
  });
}

}  // namespace attn
