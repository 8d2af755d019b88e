// Signs that figures have and files of numbers have not.
#include "figure/lettering.h"

namespace attn {

std::string with_minus(std::string_view number) {
  std::string text;
  for (const char c : number) {
    if (c == '-') {
      text += "−";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace attn
