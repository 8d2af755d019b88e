// What stands before pasted lists. Private to core/numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace attn {

struct ListStart {
  std::size_t at = 0;           // the byte of the first bracket, or of the one number in a call
  std::size_t calls = 0;        // of array(…) and the like, not closed yet
  std::string_view printed_by;  // kNumPy, kPyTorch, or empty where nobody can tell
  int power = 0;                // "1.0e+03 *" before the numbers: they are times 10^power
};

// Where lists begin after prompts, names and calls such as ">>> x = torch.tensor("; nothing where
// the text has none.
std::optional<ListStart> list_start(std::string_view text);

struct Scale {
  int power = 0;
  std::size_t end = 0;  // behind the asterisk
};
// "1.0e+03 *" at byte `at`: a power of ten that the numbers after it are multiplied by.
std::optional<Scale> scale_at(std::string_view text, std::size_t at);

}  // namespace attn
