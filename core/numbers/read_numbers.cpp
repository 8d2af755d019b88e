// The list of forms and their recognition, and sums in place of a number.
#include "numbers/read_numbers.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/joined.h"
#include "base/parsed_number.h"
#include "numbers/arithmetic.h"
#include "numbers/forms.h"

namespace attn {
namespace {

class SumReader final : ArithmeticReader<double> {
 public:
  explicit SumReader(std::string_view text) : ArithmeticReader(text), text_(text) {}

  Result<float> value() {
    const auto total = static_cast<float>(sum());
    if (!is_at_end()) refuse("this cannot be part of a sum: " + std::string(rest_));
    if (!std::isfinite(total)) refuse("the result of this sum is not finite");
    if (error_) return *error_;
    return total;
  }

 private:
  double operand() override {
    if (take({"("})) return bracketed();
    const std::optional<double> read = number();
    if (!read) {
      refuse(rest_.empty() ? "a number is missing at the end"
                           : "this is not a number: " + std::string(rest_));
    }
    return read.value_or(0.0);
  }

  double combined(double a, const double& b, OfTwo of_two) override { return of_two(a, b); }

  void lacks(const std::string& what) override {
    refuse(what == ")" ? "a bracket is not closed" : "there are too many brackets");
  }

  void refuse(std::string why) {
    fail({.kind = ErrorKind::BadInput,
          .message = std::move(why),
          .found = std::string(text_),
          .expected = "a number, or a sum such as 2*3 or 1/3"});
  }

  std::string_view text_;
};

// True if the text has an operator after its first number.
bool is_a_sum(std::string_view text) {
  for (const std::string_view sign : {"(", ")", "*", "/", "×", "·", "÷", "−"}) {
    if (text.find(sign) != text.npos) return true;
  }
  const std::size_t first = text.find_first_not_of(" \t+-");
  return first != text.npos && text.find_first_of("+-", first) != text.npos;
}

bool begins_cell(std::string_view text, std::size_t at) {
  return at == 0 || std::string_view("\n\t,; ").find(text[at - 1]) != text.npos;
}

}  // namespace

Result<float> evaluate_number(std::string_view text) {
  Result<float> number = parse_number(text);
  if (number || !is_a_sum(text)) return number;
  return SumReader(text).value();
}

std::string outline_of(std::string_view text) {
  std::string outline(text);
  std::size_t at = text.find('"');
  while (at != std::string_view::npos) {
    const std::size_t end = begins_cell(text, at) ? end_of_quoted(text, at) : at + 1;
    if (end == std::string_view::npos) break;
    std::fill(outline.begin() + static_cast<std::ptrdiff_t>(at),
              outline.begin() + static_cast<std::ptrdiff_t>(end), '"');
    at = text.find('"', end);
  }
  return outline;
}

Status check_reading_memory(std::string_view text, std::uint64_t limit_bytes) {
  // Bytes of a cell as text, as a number and in a document; measured.
  constexpr std::uint64_t kCellBytes = 250;
  constexpr std::uint64_t kCopies = 3;  // of the text
  constexpr std::string_view kBetween = " \t\r\n,;|&";
  std::uint64_t cells = 0;
  bool was_between = true;
  for (const char c : text) {
    const bool is_between = kBetween.find(c) != kBetween.npos;
    cells += was_between && !is_between ? 1 : 0;
    was_between = is_between;
  }
  const std::uint64_t needed = kCopies * text.size() + kCellBytes * cells;
  if (needed <= limit_bytes) return ok_status();
  return over_memory("reading this text would need more memory than is allowed", needed,
                     limit_bytes,
                     "paste less of it, save it as a file of NumPy, or raise the memory limit");
}

std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  for (std::size_t i = text.find('"', at + 1); i != text.npos; i = text.find('"', i + 2)) {
    if (i + 1 == text.size() || text[i + 1] != '"') return i + 1;
  }
  return std::string_view::npos;
}

Error named_otherwise(Error error, std::string_view name) {
  constexpr std::string_view kPaste = "paste ";
  error.message = with_replaced(error.message, "the pasted text", name);
  if (error.hint.starts_with(kPaste)) error.hint.replace(0, kPaste.size(), "write ");
  return error;
}

Result<NumberTable> read_numbers(std::string_view text, NonFinite non_finite) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string outline = outline_of(text);
  if (are_lists(outline)) return read_lists(text, non_finite);
  return is_print(outline) ? read_print(text, non_finite) : read_lines(text, non_finite);
}

}  // namespace attn
