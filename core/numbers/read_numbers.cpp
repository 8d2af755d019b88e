// The list of forms and their recognition, and sums by recursive descent: sums of products of
// factors.
#include "numbers/read_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <string>

#include "base/number_text.h"
#include "numbers/forms.h"

namespace attn {
namespace {

constexpr int kDeepest = 100;  // nested brackets

Error no_sum(std::string_view text, std::string why) {
  return {.kind = ErrorKind::BadInput,
          .message = std::move(why),
          .found = std::string(text),
          .expected = "a number, or a sum such as 2*3 or 1/3"};
}

// The remaining text, and the first problem.
struct Sum {
  std::string_view rest;
  int depth = 0;
  std::string problem{};

  void skip_blanks() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
  }
  // Reads one of the signs if it comes next.
  bool take(std::initializer_list<std::string_view> signs) {
    skip_blanks();
    for (const std::string_view sign : signs) {
      if (!rest.starts_with(sign)) continue;
      rest.remove_prefix(sign.size());
      return true;
    }
    return false;
  }
  double fail(std::string why) {
    if (problem.empty()) problem = std::move(why);
    return 0.0;
  }
};

double read_sum(Sum& sum);

double read_digits(Sum& sum) {
  double number = 0.0;
  const auto read = std::from_chars(sum.rest.data(), sum.rest.data() + sum.rest.size(), number);
  const bool digits = !sum.rest.empty() && (sum.rest.front() == '.' ||
                                            (sum.rest.front() >= '0' && sum.rest.front() <= '9'));
  if (read.ec != std::errc() || !digits) {
    return sum.fail(sum.rest.empty() ? "a number is missing at the end"
                                     : "this is no number: " + std::string(sum.rest));
  }
  sum.rest.remove_prefix(static_cast<std::size_t>(read.ptr - sum.rest.data()));
  return number;
}

double read_factor(Sum& sum) {
  if (sum.depth > kDeepest) return sum.fail("there are too many brackets");
  if (sum.take({"-", "−"})) {
    ++sum.depth;
    const double factor = read_factor(sum);
    --sum.depth;
    return -factor;
  }
  if (!sum.take({"("})) return read_digits(sum);
  ++sum.depth;
  const double inner = read_sum(sum);
  --sum.depth;
  if (!sum.take({")"})) return sum.fail("a bracket is not closed");
  return inner;
}

double read_product(Sum& sum) {
  double product = read_factor(sum);
  while (sum.problem.empty()) {
    if (sum.take({"*", "×", "·"})) {
      product *= read_factor(sum);
    } else if (sum.take({"/", "÷"})) {
      product /= read_factor(sum);
    } else {
      break;
    }
  }
  return product;
}

double read_sum(Sum& sum) {
  double total = read_product(sum);
  while (sum.problem.empty()) {
    if (sum.take({"+"})) {
      total += read_product(sum);
    } else if (sum.take({"-", "−"})) {
      total -= read_product(sum);
    } else {
      break;
    }
  }
  return total;
}

// Whether the text has an operator after its first number.
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
  Sum sum{text};
  const double total = read_sum(sum);
  sum.skip_blanks();
  if (sum.problem.empty() && !sum.rest.empty()) {
    sum.fail("this does not belong to a sum: " + std::string(sum.rest));
  }
  if (!sum.problem.empty()) return no_sum(text, sum.problem);
  const auto value = static_cast<float>(total);
  if (!std::isfinite(value)) return no_sum(text, "nothing finite comes out of this sum");
  return value;
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

Result<NumberTable> read_numbers(std::string_view text, NonFinite non_finite) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string outline = outline_of(text);
  if (are_lists(outline)) return read_lists(text, non_finite);
  return is_print(outline) ? read_print(text, non_finite) : read_lines(text, non_finite);
}

}  // namespace attn
