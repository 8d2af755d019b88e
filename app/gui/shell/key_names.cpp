// Translates names of keys to key codes and modifiers.
#include "gui/shell/key_names.h"

#include <charconv>

#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

struct KeyName {
  std::string_view name;
  int key;
};

constexpr KeyName kNamedKeys[] = {
    {"Enter", keys::kEnter},   {"Esc", keys::kEscape},    {"Escape", keys::kEscape},
    {"Tab", keys::kTab},       {"Space", keys::kSpace},   {"Backspace", keys::kBackspace},
    {"Delete", keys::kDelete}, {"Left", keys::kLeft},     {"Right", keys::kRight},
    {"Up", keys::kUp},         {"Down", keys::kDown},     {"Home", keys::kHome},
    {"End", keys::kEnd},       {"PageUp", keys::kPageUp}, {"PageDown", keys::kPageDown},
    {"?", keys::kSlash},
};

struct Modifier {
  std::string_view name;
  int key, bit;
};

constexpr Modifier kModifiers[] = {{"Ctrl", keys::kLeftControl, kModControl},
                                   {"Shift", keys::kLeftShift, kModShift},
                                   {"Alt", keys::kLeftAlt, kModAlt}};

int key_named(std::string_view name) {
  for (const KeyName& named : kNamedKeys) {
    if (named.name == name) return named.key;
  }
  if (name.size() == 1 && name[0] > ' ' && name[0] < '\x7F') {
    return name[0] >= 'a' && name[0] <= 'z' ? name[0] - 'a' + 'A' : name[0];
  }
  int number = 0;
  const bool function = name.size() >= 2 && name[0] == 'F';
  if (!function) return 0;
  const auto [end, failed] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  const bool whole = failed == std::errc() && end == name.data() + name.size();
  return whole && number >= 1 && number <= 12 ? keys::kF1 + number - 1 : 0;
}

const Modifier* modifier_named(std::string_view name) {
  for (const Modifier& modifier : kModifiers) {
    if (modifier.name == name) return &modifier;
  }
  return nullptr;
}

}  // namespace

std::optional<KeyPress> key_press(std::string_view text) {
  KeyPress press;
  for (std::size_t plus = text.find('+'); plus != std::string_view::npos && text.size() > 1;
       plus = text.find('+')) {
    const Modifier* modifier = modifier_named(text.substr(0, plus));
    if (modifier == nullptr) return std::nullopt;
    press.mods |= modifier->bit;
    press.modifiers.emplace_back(modifier->key, press.mods);
    text.remove_prefix(plus + 1);
  }
  press.key = key_named(text);
  if (press.key == 0) return std::nullopt;
  const bool types = text.size() == 1 && (press.mods & (kModControl | kModAlt)) == 0;
  if (types) press.character = static_cast<unsigned char>(text[0]);
  if (text == "Space") press.character = ' ';
  return press;
}

}  // namespace attn::gui
