// The view in a document: each setting is read and written by the description of its field.
#include "document/json_view.h"

#include <cctype>

#include "base/number_text.h"
#include "document/json_object.h"
#include "document/json_values.h"
#include "document/nearest.h"
#include "view/fields.h"

namespace attn {
namespace {

constexpr std::string_view kPlotKey = "plot";

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys{kPlotKey};
  for (const Field<ViewOptions>& field : plot_option_fields()) keys.push_back(field.name);
  return keys;
}

// "colour map": how a sentence names the field.
std::string in_words(const Field<ViewOptions>& field) {
  std::string words = control_label(field.name, field.label);
  words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

// The value ahead as the text that a field takes.
bool read_as_text(JsonCursor& cursor, FieldKind kind, std::string& text) {
  switch (kind) {
    case FieldKind::Flag: {
      bool flag = false;
      if (!cursor.read_bool(flag)) return false;
      text = flag ? "true" : "false";
      return true;
    }
    case FieldKind::Integer: {
      std::uint64_t count = 0;
      if (!read_count(cursor, 0, count)) return false;
      text = std::to_string(count);
      return true;
    }
    case FieldKind::Number: {
      float number = 0.0F;
      if (!cursor.read_float(number)) return false;
      text = shortest_text(number);
      return true;
    }
    case FieldKind::Text:
    case FieldKind::Choice:
      break;
  }
  return cursor.read_text(text);
}

bool read_setting(JsonCursor& cursor, const Field<ViewOptions>& field, ViewOptions& options,
                  std::vector<std::string>& notes) {
  const JsonCursor::Mark start = cursor.mark();
  std::string text;
  if (!read_as_text(cursor, field.kind, text)) return false;
  const Status set = field.set(options, text, Spelling::Field);
  if (set) return true;
  const std::string what = in_words(field);
  if (field.grows) {
    notes.push_back(unknown_in_view(what, text, field.choices, field.get(ViewOptions{})));
    return true;
  }
  if (field.kind == FieldKind::Choice) {
    return refuse_unknown_name(cursor, start, what, text, field.choices);
  }
  return cursor.refuse_at(start, set.error().message, set.error().found, set.error().expected);
}

}  // namespace

bool read_view(JsonCursor& cursor, View& view, std::vector<std::string>& notes) {
  return cursor.each_member([&](const std::string& key) {
    const JsonCursor::Mark value = cursor.mark();
    const Field<ViewOptions>* field = plot_option_named(key);
    if (field != nullptr) {
      return read_setting(cursor, *field, view.options, notes) || cursor.recover(value);
    }
    if (key == kPlotKey) return cursor.read_text(view.plot) || cursor.recover(value);
    refuse_unknown_key(cursor, key, known_keys());
    return !cursor.fatal() && cursor.skip();
  });
}

}  // namespace attn
