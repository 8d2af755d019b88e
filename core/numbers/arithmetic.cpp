// Reads a sum by recursive descent: sums of products of factors.
#include "numbers/arithmetic.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/number_text.h"

namespace attn {
namespace {

constexpr int kDeepest = 100;  // brackets within brackets

Error no_sum(std::string_view text, std::string why) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.message = std::move(why);
  error.found = std::string(text);
  error.expected = "a number, or a sum such as 2*3 or 1/3";
  return error;
}

// The rest of the text, and what was wrong first.
struct Sum {
  std::string_view rest;
  int depth = 0;
  std::string problem{};

  void skip_blanks() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
  }
  // Whether one of the signs comes next; then it is read.
  bool take(std::string_view sign) {
    skip_blanks();
    if (!rest.starts_with(sign)) return false;
    rest.remove_prefix(sign.size());
    return true;
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
  if (sum.take("-") || sum.take("−")) {
    ++sum.depth;
    const double factor = read_factor(sum);
    --sum.depth;
    return -factor;
  }
  if (!sum.take("(")) {
    sum.skip_blanks();
    return read_digits(sum);
  }
  ++sum.depth;
  const double inner = read_sum(sum);
  --sum.depth;
  if (!sum.take(")")) return sum.fail("a bracket is not closed");
  return inner;
}

double read_product(Sum& sum) {
  double product = read_factor(sum);
  while (sum.problem.empty()) {
    if (sum.take("*") || sum.take("×") || sum.take("·")) {
      product *= read_factor(sum);
    } else if (sum.take("/") || sum.take("÷")) {
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
    if (sum.take("+")) {
      total += read_product(sum);
    } else if (sum.take("-") || sum.take("−")) {
      total -= read_product(sum);
    } else {
      break;
    }
  }
  return total;
}

// A sign that no number begins with.
bool is_a_sum(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t+-");
  if (text.find_first_of("()*/") != text.npos) return true;
  for (const std::string_view sign : {"×", "·", "÷", "−"}) {
    if (text.find(sign) != text.npos) return true;
  }
  return first != text.npos && text.find_first_of("+-", first) != text.npos;
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

}  // namespace attn
