// Reading and writing of views: each option by its field.
#include "document/json/view.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/json/values.h"
#include "text/nearest.h"
#include "view/fields.h"

namespace attn {
namespace {

constexpr std::string_view kPlotKey = "plot";

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys{kPlotKey};
  for (const Field<ViewOptions>& field : plot_option_fields()) keys.push_back(field.name);
  return keys;
}

// Name of the field in sentences: "colour map".
std::string in_words(const Field<ViewOptions>& field) {
  std::string words = control_label(field.name, field.label);
  words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

// The value as the text that a field takes.
bool read_as_text(JsonValue json, FieldKind kind, std::string& text) {
  switch (kind) {
    case FieldKind::Flag: {
      bool flag = false;
      if (!json.read_bool(flag)) return false;
      text = flag ? "true" : "false";
      return true;
    }
    case FieldKind::Integer: {
      std::uint64_t count = 0;
      if (!read_count(json, 0, count)) return false;
      text = std::to_string(count);
      return true;
    }
    case FieldKind::Number: {
      float number = 0.0F;
      if (!json.read_float(number)) return false;
      text = shortest_text(number);
      return true;
    }
    case FieldKind::Text:
    case FieldKind::Choice:
      break;
  }
  return json.read_text(text);
}

bool read_setting(JsonValue json, const Field<ViewOptions>& field, ViewOptions& options,
                  std::vector<std::string>& notes) {
  std::string text;
  if (!read_as_text(json, field.kind, text)) return false;
  const Status set = field.set(options, text, Spelling::Field);
  if (set) return true;
  const std::string what = in_words(field);
  if (field.grows) {
    notes.push_back(unknown_in_view(what, text, field.choices, field.get(ViewOptions{})));
    return true;
  }
  if (field.kind == FieldKind::Choice) {
    return refuse_unknown_name(json, what, text, field.choices);
  }
  return json.refuse(set.error().message, printable_line(set.error().found), set.error().expected);
}

// A pane or a split of the text.
struct Node {
  double share = 0.0;  // 0: not given
  bool is_split = false;
  SplitDirection direction = SplitDirection::Right;
  std::vector<Part> parts;
  View view;
  bool linked = true, focused = false, alone = false;
};

// State of reading a tree.
struct Tree {
  Panes& panes;
  std::vector<std::string>& notes;
  PaneId last = 0;
};

bool read_node(JsonValue json, Tree& tree, Part& part);

bool read_direction(JsonValue json, Node& node) {
  constexpr std::string_view kNames[] = {"right", "down"};
  std::string name;
  if (!json.read_text(name)) return false;
  node.is_split = true;
  node.direction = name == kNames[1] ? SplitDirection::Down : SplitDirection::Right;
  if (name == kNames[0] || name == kNames[1]) return true;
  return refuse_unknown_name(json, "direction of a split", name, kNames);
}

bool read_share(JsonValue json, Node& node) {
  const std::string found = json.describe();
  float share = 0.0F;
  if (!json.read_float(share)) return false;
  node.share = static_cast<double>(share);
  const bool sound = share > 0.0F && share <= 1.0F;
  return sound || json.refuse("the share is none", found, "a number above 0, up to 1");
}

bool read_parts(JsonValue json, Tree& tree, Node& node) {
  node.is_split = true;
  return json.each_item([&](JsonValue item) {
    Part part;
    if (!read_node(item, tree, part)) return false;
    node.parts.push_back(std::move(part));
    return true;
  });
}

bool read_node_key(JsonValue json, Tree& tree, Node& node, const std::string& key) {
  if (key == "split") return read_direction(json, node);
  if (key == "parts") return read_parts(json, tree, node);
  if (key == "share") return read_share(json, node);
  if (key == "view") return read_view(json, node.view, tree.notes);
  if (key == "linked") return json.read_bool(node.linked);
  if (key == "focused") return json.read_bool(node.focused);
  if (key == "alone") return json.read_bool(node.alone);
  constexpr std::string_view kKnown[] = {"split",  "parts",   "share", "view",
                                         "linked", "focused", "alone"};
  return refuse_unknown_key(json, key, kKnown);
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

bool read_node(JsonValue json, Tree& tree, Part& part) {
  Node node;
  const PaneId id = ++tree.last;
  const bool read = json.each_member([&](const std::string& key, JsonValue member) {
    return read_node_key(member, tree, node, key);
  });
  if (!read) return false;
  part.share = node.share;
  if (!node.is_split) {
    part.layout = Pane{id, node.view, node.linked};
    if (node.focused || node.alone || tree.panes.focus == 0) tree.panes.focus = id;
    if (node.alone) tree.panes.maximised = true;
    return true;
  }
  if (node.parts.size() < 2) {
    return json.refuse("the split has no two parts", std::to_string(node.parts.size()),
                       "at least 2 parts");
  }
  settle_shares(node.parts);
  part.layout = Split{id, node.direction, std::move(node.parts)};
  return true;
}

}  // namespace

bool read_layout(JsonValue json, Panes& panes, std::vector<std::string>& notes) {
  panes.focus = 0;
  Tree tree{panes, notes};
  Part whole;
  if (!read_node(json, tree, whole)) return false;
  panes.layout = std::move(whole.layout);
  const std::size_t count = panes_of(panes.layout).size();
  if (count <= kMostPanes) return true;
  return json.refuse("the layout has too many panes", std::to_string(count),
                     "at most " + std::to_string(kMostPanes));
}

bool read_view(JsonValue json, View& view, std::vector<std::string>& notes) {
  return json.each_member([&](const std::string& key, JsonValue member) {
    const Field<ViewOptions>* field = plot_option_named(key);
    if (field != nullptr) {
      return read_setting(member, *field, view.options, notes);
    }
    if (key == kPlotKey) return member.read_text(view.plot);
    return refuse_unknown_key(member, key, known_keys());
  });
}

}  // namespace attn
