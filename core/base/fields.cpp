#include "base/fields.h"

#include <algorithm>

namespace attn {

std::string spelt(std::string_view field_name, Spelling spelling) {
  std::string name(field_name);
  if (spelling == Spelling::Field) return name;
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

}  // namespace attn
