// Reads and writes views, each option by its field, and trees of panes.
#include "document/json/view.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"
#include "text/forms.h"
#include "text/nearest.h"
#include "view/fields.h"

namespace attn {

struct PaneText {
  std::optional<float> share;
  std::optional<View> view;
  bool linked = true, focused = false, alone = false;
  std::optional<SplitDirection> split;
  std::optional<std::vector<PaneText>> parts;
  friend bool operator==(const PaneText&, const PaneText&) = default;
};

namespace {

constexpr std::string_view kPlotKey = "plot";

// Name of the field in sentences: "colour map".
std::string in_words(const Field<ViewOptions>& field) {
  std::string words = control_label(field.name, field.label);
  words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

// The value as the text that a field takes.
bool read_as_text(JsonValue json, const Field<ViewOptions>& field, std::string& text) {
  bool flag = false, read = false;
  std::uint64_t count = 0;
  float number = 0.0F;
  if (field.is_length && json.kind() == JsonValue::Kind::Text) return json.read_text(text);
  if (field.may_list && json.kind() == JsonValue::Kind::List) {
    return json.each_item([&](JsonValue item) {
      std::string one;
      if (!item.read_text(one)) return false;
      text += (text.empty() ? "" : ",") + one;
      return true;
    });
  }
  switch (field.kind) {
    case FieldKind::Flag:
      read = json.read_bool(flag);
      text = flag ? "true" : "false";
      return read;
    case FieldKind::Integer:
      read = read_count(json, 0, count);
      text = std::to_string(count);
      return read;
    case FieldKind::Number:
      read = json.read_float(number);
      text = shortest_text(number);
      return read;
    case FieldKind::Text:
    case FieldKind::Choice:
      break;
  }
  return json.read_text(text);
}

bool read_setting(JsonValue json, const Field<ViewOptions>& field, ViewOptions& options) {
  std::string text;
  if (!read_as_text(json, field, text)) return false;
  const Status set = field.set(options, text, Spelling::Field);
  if (set) return true;
  const std::string what = in_words(field);
  if (std::ranges::find(field.dropped, text) != field.dropped.end()) {
    json.reader().notes().push_back(what + " “" + text + "” is no longer offered: “" +
                                    field.get(ViewOptions{}) + "” is used");
    return true;
  }
  const bool is_list = field.may_list && lists_colors(text);
  if (field.grows && !is_list) {
    json.reader().notes().push_back(
        unknown_in_view(what, text, field.choices, field.get(ViewOptions{})));
    return true;
  }
  if (field.kind == FieldKind::Choice && !is_list) {
    return refuse_unknown_name(json, what, text, field.choices);
  }
  return json.refuse(set.error().message, printable_line(set.error().found), set.error().expected);
}

void write_setting(ObjectWriter& object, const Field<ViewOptions>& field,
                   const std::string& value) {
  const bool as_text = field.kind == FieldKind::Text || field.kind == FieldKind::Choice ||
                       !(value.back() >= '0' && value.back() <= '9');
  const bool bare = !as_text || field.kind == FieldKind::Flag;
  bare ? object.raw(field.name, value) : object.text(field.name, value);
}

// --- panes

bool read_share(JsonValue json, float& share) {
  const std::string found = json.describe();
  if (!json.read_float(share)) return false;
  const bool sound = share > 0.0F && share <= 1.0F;
  return sound || json.refuse("this is not a share", found, "a number above 0, up to 1");
}

bool read_parts(JsonValue json, std::vector<PaneText>& parts) {
  return json.each_item([&](JsonValue item) {
    return read_item(item, parts, 0,
                     [](JsonValue one, PaneText& part) { return read_as(one, kPaneObject, part); });
  });
}

void write_parts(const TextWriter& to, const std::vector<PaneText>& parts) {
  for (const PaneText& part : parts) {
    to.out += &part == parts.data() ? "[" : ", ";
    write_object(to, kPaneObject, &part);
  }
  to.out += "]";
}

constexpr Choice<SplitDirection> kDirections[] = {{"right", SplitDirection::Right},
                                                  {"down", SplitDirection::Down}};

namespace pane_keys {
using Key = RowOf<PaneText>;
constexpr Row kAll[] = {
    Key::at<&PaneText::share>(
        "share",
        form_of<float, read_share, write_value<float>>(
            {.one_of = R"({"type": "number", "exclusiveMinimum": 0, "maximum": 1})"}),
        "Share of the space of its split."),
    Key::at<&PaneText::view>("view", kViewForm, "Of a pane."),
    Key::at<&PaneText::linked>(
        "linked", kBool,
        "Follows the attention, layer, sample and head of the other linked panes."),
    Key::at<&PaneText::focused>("focused", kBool, "The pane that keys and menus act on."),
    Key::at<&PaneText::alone>("alone", kBool, "The pane that keys and menus act on, shown alone."),
    Key::at<&PaneText::split>(
        "split", choice_form<kDirections>("direction of a split"),
        "Direction of a split: parts next to each other or one below the other."),
    Key::at<&PaneText::parts>(
        "parts",
        form_of<std::vector<PaneText>, read_parts, write_parts>(
            {.one_of =
                 R"({"type": "array", "minItems": 2, "items": {"$ref": "#/definitions/layout"}})"}),
        "Parts of a split, at least two."),
};
}  // namespace pane_keys

bool settle_pane(JsonValue json, void* object, bool /*is_sound*/) {
  const PaneText& pane = *static_cast<const PaneText*>(object);
  const std::size_t parts = pane.parts ? pane.parts->size() : 0;
  return !(pane.split || pane.parts) || parts >= 2 ||
         json.refuse("the split has fewer than two parts", std::to_string(parts),
                     "at least 2 parts");
}

// Given shares stay in proportion; the others are equal. Rounded to floats as they are written, so
// that reading a written layout changes nothing.
void settle_shares(std::vector<Part>& parts) {
  constexpr double kLeast = 1e-6, kNearly = 1e-4;
  double sum = 0.0;
  for (Part& part : parts) {
    if (part.share == 0.0) part.share = 1.0 / static_cast<double>(parts.size());
    sum += part.share;
  }
  if (std::abs(sum - 1.0) < kNearly) sum = 1.0;
  for (Part& part : parts) {
    const double share = std::clamp(part.share / sum, kLeast, 1.0 - kLeast);
    part.share = static_cast<double>(static_cast<float>(share));
  }
}

// Numbers the panes; the first has the focus unless another one says so.
Part part_of(const PaneText& pane, Panes& panes, PaneId& last) {
  const PaneId id = ++last;
  Part part{static_cast<double>(pane.share.value_or(0.0F)), {}};
  if (!pane.parts) {
    part.layout = Pane{id, pane.view.value_or(View{}), pane.linked};
    if (pane.focused || pane.alone || panes.focus == 0) panes.focus = id;
    if (pane.alone) panes.maximised = true;
    return part;
  }
  Split split{id, pane.split.value_or(SplitDirection::Right), {}};
  for (const PaneText& inner : *pane.parts) split.parts.push_back(part_of(inner, panes, last));
  settle_shares(split.parts);
  part.layout = std::move(split);
  return part;
}

PaneText as_text(const Panes& panes, const Layout& layout, double share) {
  PaneText text;
  if (share < 1.0) text.share = static_cast<float>(share);
  if (const auto* pane = std::get_if<Pane>(&layout)) {
    text.view = pane->view;
    text.linked = pane->linked;
    text.focused = pane->id == panes.focus;
    text.alone = text.focused && panes.maximised;
    return text;
  }
  const auto& split = std::get<Split>(layout);
  text.split = split.direction;
  std::vector<PaneText>& parts = text.parts.emplace();
  for (const Part& part : split.parts) parts.push_back(as_text(panes, part.layout, part.share));
  return text;
}

}  // namespace

constinit const ObjectOf<PaneText> kPaneObject{
    {.name = "layout",
     .words = "A pane with its view, or a split in parts.",
     .rows = pane_keys::kAll,
     .settle = settle_pane}};
bool read_view(JsonValue json, View& view) {
  return json.each_member([&](const std::string& key, JsonValue member) {
    const Field<ViewOptions>* field = plot_option_named(key);
    if (field != nullptr) return read_setting(member, *field, view.options);
    if (key == kPlotKey) return member.read_text(view.plot);
    std::vector<std::string_view> keys{kPlotKey};
    for (const Field<ViewOptions>& known : plot_option_fields()) keys.push_back(known.name);
    return refuse_unknown_key(member, key, keys);
  });
}

// The plot, and options that differ from the defaults.
void write_view(const TextWriter& to, const View& view) {
  ObjectWriter object(to.out, to.level);
  object.text(kPlotKey, view.plot);
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias) continue;
    const std::string value = field.get(view.options);
    if (value != field.get(ViewOptions{})) write_setting(object, field, value);
  }
  object.end();
}

bool read_layout(JsonValue json, Panes& panes) {
  PaneText whole;
  if (!read_as(json, kPaneObject, whole)) return false;
  panes.focus = 0;
  PaneId last = 0;
  panes.layout = part_of(whole, panes, last).layout;
  const std::size_t count = panes_of(panes.layout).size();
  if (count <= kMostPanes) return true;
  return json.refuse("the layout has too many panes", std::to_string(count),
                     "at most " + std::to_string(kMostPanes));
}

void write_layout(const TextWriter& to, const Panes& panes) {
  const PaneText text = as_text(panes, panes.layout, 1.0);
  write_object(to, kPaneObject, &text);
}

std::string panes_text(const Panes& panes) {
  std::string out;
  write_layout({out}, panes);
  return out;
}

std::optional<Panes> parse_panes(std::string_view text) {
  if (first_invalid_utf8(text)) return std::nullopt;
  JsonReader reader(text, {});
  Panes panes;
  const bool read = !reader.is_empty() && read_layout(reader.root(), panes) && !reader.broken();
  return read ? std::optional(std::move(panes)) : std::nullopt;
}

const View* only_view(const Panes& panes) {
  const auto* only = std::get_if<Pane>(&panes.layout);
  return only != nullptr && only->linked ? &only->view : nullptr;
}

}  // namespace attn
