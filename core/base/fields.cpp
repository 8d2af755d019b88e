// Spells the name of a field for JSON and for the command line.
#include "base/fields.h"

#include <algorithm>
#include <cctype>

namespace attn {

std::string spelt(std::string_view field_name, Spelling spelling) {
  std::string name(field_name);
  if (spelling == Spelling::Field) return name;
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::string control_label(std::string_view name, std::string_view label) {
  std::string words(label.empty() ? name : label);
  std::replace(words.begin(), words.end(), '_', ' ');
  if (!words.empty())
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words;
}

}  // namespace attn
