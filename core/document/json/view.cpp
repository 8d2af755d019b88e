// The view in a document: each setting is read and written by the description of its field.
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
  return cursor.refuse_at(start, set.error().message, printable_line(set.error().found),
                          set.error().expected);
}

// A pane or a split, as it stands in the text.
struct Node {
  double share = 0.0;  // 0: not said
  bool is_split = false;
  SplitDirection direction = SplitDirection::Right;
  std::vector<Part> parts;
  View view;
  bool linked = true, focused = false, alone = false;
};

// What reading a tree shares.
struct Tree {
  Panes& panes;
  std::vector<std::string>& notes;
  PaneId last = 0;
};

bool read_node(JsonCursor& cursor, Tree& tree, Part& part);

bool read_direction(JsonCursor& cursor, Node& node) {
  constexpr std::string_view kNames[] = {"right", "down"};
  const JsonCursor::Mark start = cursor.mark();
  std::string name;
  if (!cursor.read_text(name)) return false;
  node.is_split = true;
  node.direction = name == kNames[1] ? SplitDirection::Down : SplitDirection::Right;
  if (name == kNames[0] || name == kNames[1]) return true;
  return refuse_unknown_name(cursor, start, "direction of a split", name, kNames);
}

bool read_share(JsonCursor& cursor, Node& node) {
  const JsonCursor::Mark start = cursor.mark();
  const std::string found = cursor.describe();
  float share = 0.0F;
  if (!cursor.read_float(share)) return false;
  node.share = static_cast<double>(share);
  const bool sound = share > 0.0F && share <= 1.0F;
  return sound || cursor.refuse_at(start, "the share is none", found, "a number above 0, up to 1");
}

bool read_parts(JsonCursor& cursor, Tree& tree, Node& node) {
  node.is_split = true;
  return cursor.each_item([&] {
    Part part;
    if (!read_node(cursor, tree, part)) return false;
    node.parts.push_back(std::move(part));
    return true;
  });
}

bool read_node_key(JsonCursor& cursor, Tree& tree, Node& node, const std::string& key) {
  if (key == "split") return read_direction(cursor, node);
  if (key == "parts") return read_parts(cursor, tree, node);
  if (key == "share") return read_share(cursor, node);
  if (key == "view") return read_view(cursor, node.view, tree.notes);
  if (key == "linked") return cursor.read_bool(node.linked);
  if (key == "focused") return cursor.read_bool(node.focused);
  if (key == "alone") return cursor.read_bool(node.alone);
  constexpr std::string_view kKnown[] = {"split",  "parts",   "share", "view",
                                         "linked", "focused", "alone"};
  refuse_unknown_key(cursor, key, kKnown);
  return !cursor.fatal() && cursor.skip();
}

// Shares that were said are kept in proportion; the others are equal. As floats, which is how they
// are written: those of a layout that was written are not settled again.
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

bool read_node(JsonCursor& cursor, Tree& tree, Part& part) {
  Node node;
  const JsonCursor::Mark start = cursor.mark();
  const PaneId id = ++tree.last;
  const bool read = cursor.each_member([&](const std::string& key) {
    const JsonCursor::Mark value = cursor.mark();
    return read_node_key(cursor, tree, node, key) || cursor.recover(value);
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
    return cursor.refuse_at(start, "the split has no two parts", std::to_string(node.parts.size()),
                            "at least 2 parts");
  }
  settle_shares(node.parts);
  part.layout = Split{id, node.direction, std::move(node.parts)};
  return true;
}

}  // namespace

bool read_layout(JsonCursor& cursor, Panes& panes, std::vector<std::string>& notes) {
  const JsonCursor::Mark start = cursor.mark();
  panes.focus = 0;
  Tree tree{panes, notes};
  Part whole;
  if (!read_node(cursor, tree, whole)) return false;
  panes.layout = std::move(whole.layout);
  const std::size_t count = panes_of(panes.layout).size();
  if (count <= kMostPanes) return true;
  return cursor.refuse_at(start, "the layout has too many panes", std::to_string(count),
                          "at most " + std::to_string(kMostPanes));
}

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
