// Sums of products of factors by recursive descent, as typed in place of a number and in formulas.
#pragma once

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace attn {

// Reads sums, products and powers of operands, which the derived reader reads, as it reports
// errors.
template <class Value>
class ArithmeticReader {
 protected:
  using OfTwo = double (*)(double, double);
  using Signs = std::initializer_list<std::string_view>;

  explicit ArithmeticReader(std::string_view text) : rest_(text) {}
  ~ArithmeticReader() = default;

  virtual Value operand() = 0;
  virtual Value power() { return operand(); }
  virtual Value combined(Value a, const Value& b, OfTwo of_two) = 0;
  virtual void lacks(const std::string& what) = 0;  // fails; `what` was expected next

  // The first error counts.
  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  bool is_at_end() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
    return rest_.empty();
  }

  // Reads one of the signs if it comes next.
  bool take(Signs signs) {
    is_at_end();
    for (const std::string_view sign : signs) {
      if (!rest_.starts_with(sign)) continue;
      rest_.remove_prefix(sign.size());
      return true;
    }
    return false;
  }

  void need(std::string_view sign) {
    if (!take({sign})) lacks(std::string(sign));
  }

  std::optional<double> number() {
    const bool begins = !is_at_end() && rest_.find_first_of(".0123456789") == 0;
    double read = 0.0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), read);
    if (!begins || problem != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return read;
  }

  Value sum() {
    return chain([this] { return product(); }, {"+"}, [](double a, double b) { return a + b; },
                 {"-", "−"}, [](double a, double b) { return a - b; });
  }

  Value product() {
    return chain([this] { return factor(); }, {"*", "×", "·"},
                 [](double a, double b) { return a * b; }, {"/", "÷"},
                 [](double a, double b) { return a / b; });
  }

  Value factor() {
    if (!take({"-", "−"})) return power();
    const Value positive = nested([this] { return factor(); });
    return combined(positive, positive, [](double a, double) { return -a; });
  }

  // Reads an operand, and another one for each sign that follows.
  template <class Read>
  Value chain(const Read& read, Signs signs, OfTwo of_two, Signs others, OfTwo of_others) {
    Value all = read();
    while (!error_) {
      const bool is_first = take(signs);
      if (!is_first && !take(others)) break;
      all = combined(std::move(all), read(), is_first ? of_two : of_others);
    }
    return all;
  }

  // A sum up to its closing bracket.
  Value bracketed() {
    Value inner = nested([this] { return sum(); });
    need(")");
    return inner;
  }

  // Reads a nested operation, up to a depth that cannot overflow the stack.
  template <class Read>
  Value nested(const Read& read) {
    constexpr int kDeepest = 100;
    if (depth_ == kDeepest) lacks("at most 100 nested operations");
    if (error_) return {};
    ++depth_;
    Value inner = read();
    --depth_;
    return inner;
  }

  std::string_view rest_;
  std::optional<Error> error_{};

 private:
  int depth_ = 0;
};

}  // namespace attn
