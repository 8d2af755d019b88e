// Parser that evaluates formulas while reading them.
#include "lesson/formula.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/special_numbers.h"
#include "base/utf8.h"
#include "numbers/arithmetic.h"
#include "plot/kit/axis.h"
#include "text/nearest.h"

namespace attn {
namespace {

// Limits of the cells that the formulas of one text read, and of the bytes of their values: lessons
// are about small documents, and the window fills in the text for each frame.
constexpr std::size_t kMostCells = 1U << 14U, kMostFilledBytes = 1U << 18U;
constexpr std::size_t kMostQuoted = 80;  // bytes of a quotation in errors

constexpr std::pair<std::string_view, std::size_t AttentionShape::*> kExtents[] = {
    {"d_k", &AttentionShape::d_k},         {"d_v", &AttentionShape::d_v},
    {"d_model", &AttentionShape::d_model}, {"heads", &AttentionShape::heads},
    {"layers", &AttentionShape::layers},   {"n_q", &AttentionShape::n_q},
    {"n_k", &AttentionShape::n_k}};

using Numbers = std::vector<double>;

double sum_of(const Numbers& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

// A function of each number, of all numbers, or of the position of one.
struct Function {
  std::string_view name;
  double (*of_all)(const Numbers&) = nullptr;
  double (*of_one)(double) = nullptr;
};

constexpr Function kFunctions[] = {
    {"sum", sum_of},
    {"mean", [](const Numbers& all) { return sum_of(all) / static_cast<double>(all.size()); }},
    {"max", [](const Numbers& all) { return std::ranges::max(all); }},
    {"min", [](const Numbers& all) { return std::ranges::min(all); }},
    {"argmax"},
    {"argmin"},
    {"exp", nullptr, [](double x) { return std::exp(x); }},
    {"ln", nullptr, [](double x) { return std::log(x); }},
    {"sqrt", nullptr, [](double x) { return std::sqrt(x); }},
    {"abs", nullptr, [](double x) { return std::abs(x); }}};

// A number, several, or a name.
struct Operand {
  std::vector<double> numbers{};
  std::string name{};                 // of a token or feature
  std::optional<NamedCells> cells{};  // that were read, so that argmax can name a token
};

class FormulaParser final : ArithmeticReader<Operand> {
 public:
  // The nearest head is read if the view's head does not exist, which an edit may have removed.
  // `cells_left` counts down.
  FormulaParser(std::string_view text, const FormulaScope& scope, std::size_t& cells_left)
      : ArithmeticReader(text),
        cells_left_(cells_left),
        scope_{scope.document, scope.result, nearest_head(scope.document, scope.at)} {}

  Result<Operand> value() {
    Operand whole = sum();
    if (!is_at_end()) lacks("an operator, or the end");
    check_finite(whole.numbers);
    if (error_) return *error_;
    return whole;
  }

  Result<NamedCells> only_cells() {
    const std::string name = word();
    const NamedCells cells = cells_of(name);
    if (!is_at_end()) lacks("the end after ]");
    if (error_) return *error_;
    return cells;
  }

 private:
  void lacks(const std::string& what) override {
    const std::string found = rest_.empty() ? "its end" : "“" + shortened(rest_, kMostQuoted) + "”";
    refuse("the formula cannot be read", found, what);
  }

  void refuse(std::string message, std::string found, std::string expected) {
    fail({.kind = ErrorKind::Usage,
          .message = std::move(message),
          .found = std::move(found),
          .expected = std::move(expected)});
  }

  // Cells may be infinite or NaN, and so may results.
  void check_finite(const std::vector<double>& numbers) {
    for (const double number : numbers) {
      if (std::isnan(number) ? !reads_nan_ : std::isinf(number) && !reads_infinity_)
        return refuse("the formula has no finite value", std::isnan(number) ? "NaN" : "∞",
                      "a number");
    }
  }

  std::string word() {
    is_at_end();
    std::size_t size = 0;
    const auto is_part = [&](char c) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      return is_letter || (size > 0 && c >= '0' && c <= '9');
    };
    while (size < rest_.size() && is_part(rest_[size])) ++size;
    std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return word;
  }

  // Combines cell by cell; a single number is combined with all cells.
  Operand combined(Operand a, const Operand& b, OfTwo of_two) override {
    const std::size_t count = std::max(a.numbers.size(), b.numbers.size());
    const auto fits = [&](const std::vector<double>& side) {
      return side.size() == 1 || (!side.empty() && side.size() == count);
    };
    if (!fits(a.numbers) || !fits(b.numbers)) {
      refuse("the operands have different numbers of cells",
             std::to_string(a.numbers.size()) + " and " + std::to_string(b.numbers.size()),
             "equal numbers, or one number");
      return {};
    }
    Operand made;
    for (std::size_t i = 0; i < count; ++i) {
      made.numbers.push_back(of_two(a.numbers[a.numbers.size() == 1 ? 0 : i],
                                    b.numbers[b.numbers.size() == 1 ? 0 : i]));
    }
    return made;
  }

  Operand power() override {
    Operand base = operand();
    if (error_ || !take({"^"})) return base;
    return combined(std::move(base), nested([this] { return factor(); }),
                    [](double a, double b) { return std::pow(a, b); });
  }

  Operand operand() override {
    if (take({"("})) return bracketed();
    const std::optional<double> plain = number();
    return plain ? Operand{.numbers = {*plain}} : named(word());
  }

  Operand named(const std::string& name) {
    if (name.empty()) {
      lacks("a number or a name");
      return {};
    }
    if (take({"("})) return called(name);
    if (const std::optional<double> known = constant(name)) return {.numbers = {*known}};
    const NamedCells cells = cells_of(name);
    if (error_) return {};
    Operand read{.numbers = numbers_in(*scope_.result, cells), .cells = cells};
    for (const double number : read.numbers) {
      reads_nan_ |= std::isnan(number);
      reads_infinity_ |= std::isinf(number);
    }
    return read;
  }

  std::optional<double> constant(const std::string& name) const {
    const AttentionShape shape = scope_.result->shape(scope_.at);
    const Scoring& scoring = scope_.document.scoring;
    if (name == "temperature") return static_cast<double>(scoring.temperature.value_or(1.0F));
    if (name == "scale" && scoring.scale) return static_cast<double>(*scoring.scale);
    if (name == "scale") return usual_scale(scoring.function, shape.d_k);
    for (const auto& [extent, count] : kExtents) {
      if (name == extent) return static_cast<double>(shape.*count);
    }
    return std::nullopt;
  }

  Operand called(const std::string& name) {
    Operand of = bracketed();
    if (error_) return {};
    const auto function = std::ranges::find(kFunctions, name, &Function::name);
    if (function == std::end(kFunctions)) {
      refuse_name("function", name, names_of(kFunctions, &Function::name));
      return {};
    }
    if (function->of_all != nullptr) return {.numbers = {function->of_all(of.numbers)}};
    if (function->of_one == nullptr) return {.name = place_of(of, name == "argmax")};
    std::ranges::transform(of.numbers, of.numbers.begin(), function->of_one);
    return of;
  }

  void refuse_name(const std::string& what, const std::string& name,
                   const std::vector<std::string_view>& known) {
    constexpr std::size_t kNamed = 4;
    refuse("there is no " + what + " " + shortened(name, kMostQuoted), shortened(name, kMostQuoted),
           "one such as " + joined(nearest_few(name, known, kNamed)));
  }

  // Name of the token or feature of the largest or smallest cell.
  std::string place_of(const Operand& of, bool largest) {
    const bool is_line = of.cells && (of.cells->range.rows == 1 || of.cells->range.cols == 1);
    if (!is_line) {
      refuse("argmax and argmin name a place in one row or column", "",
             "such as argmax(weights[1, :])");
      return "";
    }
    const auto is_asked = [](double number) {
      return number_kind(static_cast<float>(number)) == NumberKind::Concealed;
    };
    if (std::ranges::any_of(of.numbers, is_asked)) return "?";
    const auto at =
        largest ? std::ranges::max_element(of.numbers) : std::ranges::min_element(of.numbers);
    const auto index = static_cast<std::size_t>(at - of.numbers.begin());
    const bool in_row = of.cells->range.rows == 1;
    const MatrixAxis axis = axis_of(*of.cells, !in_row);
    return axis_label(scope_.document, axis,
                      (in_row ? of.cells->range.col : of.cells->range.row) + index);
  }

  MatrixAxis axis_of(const NamedCells& cells, bool rows) const {
    const MatrixPtr matrix = stage_matrix(scope_.result, {cells.stage, cells.at});
    return rows ? row_axis(*matrix) : column_axis(scope_.result->shape(cells.at), *matrix);
  }

  // Reads the cells of the stage `name`, from their [ on.
  NamedCells cells_of(const std::string& name) {
    const std::optional<Stage> stage = stage_named(name);
    NamedCells cells{stage.value_or(Stage::Weights), scope_.at, {}};
    std::vector<std::string_view> known;
    for (const StageInfo& info : all_stages()) {
      if (scope_.result->has(info.stage, scope_.at)) known.push_back(info.name);
    }
    if (!stage || !scope_.result->has(*stage, scope_.at)) refuse_name("stage", name, known);
    need("[");
    while (!error_ && take_address(cells.at)) need(",");
    if (error_) return cells;
    const StageShape extents = scope_.result->stage_shape(cells.stage, cells.at);
    std::tie(cells.range.row, cells.range.rows) = span_on(axis_of(cells, true), extents.rows);
    need(",");
    if (error_) return cells;
    std::tie(cells.range.col, cells.range.cols) = span_on(axis_of(cells, false), extents.cols);
    need("]");
    charge(cells.range.rows * cells.range.cols + (extents.rows + extents.cols) / 256);
    return cells;
  }

  // Charges the cells that are read, and a part of the names that are searched.
  void charge(std::size_t cells) {
    if (cells > cells_left_)
      refuse("the text reads too many numbers", "", "at most " + grouped_text(kMostCells));
    cells_left_ -= std::min(cells, cells_left_);
  }

  // Reads "head 2". Layers are named by their numbers.
  bool take_address(HeadAddress& at) {
    const AttentionShape shape = scope_.result->shape(at);
    struct Part {
      std::string_view word;
      std::size_t HeadAddress::*index;
      AttentionShape counted;
    };
    const Part parts[] = {{"layer", &HeadAddress::layer, shape},
                          {"sample", &HeadAddress::sample, {.layers = shape.samples}},
                          {"head", &HeadAddress::head, {.layers = shape.heads}}};
    for (const auto& [word, index, counted] : parts) {
      if (!take({word})) continue;
      const std::optional<double> wanted = number();
      const auto found =
          wanted ? layer_numbered(counted, static_cast<std::uint64_t>(*wanted), 1) : std::nullopt;
      if (!found)
        refuse("there is no such " + std::string(word), "", layer_numbers_text(counted, 1));
      at.*index = found.value_or(at.*index);
      return true;
    }
    return false;
  }

  // First index and count of a row or column.
  std::pair<std::size_t, std::size_t> span_on(const MatrixAxis& axis, std::size_t count) {
    if (take({":"})) return {0, count};
    std::optional<std::size_t> found;
    std::string wanted;
    if (take({"\""})) {
      const std::size_t end = std::min(rest_.find('"'), rest_.size());
      wanted = "“" + shortened(rest_.substr(0, end), kMostQuoted) + "”";
      for (std::size_t i = 0; i < count && !found; ++i) {
        if (is_called(axis, i, rest_.substr(0, end))) found = i;
      }
      rest_.remove_prefix(end);
      need("\"");
    } else {
      const std::optional<double> number_read = number();
      if (!number_read) lacks("a number, a name in quotation marks, or :");
      const double index = number_read.value_or(0.0) - (axis.tokens ? 1.0 : 0.0);
      wanted = short_text(number_read.value_or(0.0));
      if (index >= 0.0 && index < static_cast<double>(count)) {
        found = static_cast<std::size_t>(index);
      }
    }
    if (!found) refuse_place(axis, count, wanted);
    return {found.value_or(0), 1};
  }

  bool is_called(const MatrixAxis& axis, std::size_t index, std::string_view name) const {
    if (!axis.tokens) {
      return feature_name(scope_.document.features, axis.features, index) != nullptr &&
             axis_label(scope_.document, axis, index) == name;
    }
    const TokenList& tokens = tokens_of(scope_.document, axis.side, axis.at);
    const bool is_named = tokens.name_of(index) != nullptr;
    return tokens[index] == name || (is_named && tokens.spoken(index) == name);
  }

  void refuse_place(const MatrixAxis& axis, std::size_t count, const std::string& wanted) {
    constexpr std::size_t kListed = 8;
    std::string there =
        axis.tokens ? "1 to " + std::to_string(count) : "0 to " + std::to_string(count - 1);
    const bool is_named = !is_counted(scope_.document, axis);
    for (std::size_t i = 0; is_named && i < std::min(count, kListed); ++i) {
      there +=
          (i == 0 ? ": " : ", ") + shortened(axis_label(scope_.document, axis, i), kMostQuoted);
    }
    refuse((axis.tokens ? "there is no token " : "there is no feature ") + wanted, wanted,
           there + (is_named && count > kListed ? ", …" : ""));
  }

  std::size_t& cells_left_;
  const FormulaScope scope_;
  bool reads_nan_ = false, reads_infinity_ = false;
};

// Splits "formula:format" at the last colon outside of brackets and quotation marks.
std::pair<std::string_view, std::string_view> with_format(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  std::size_t colon = text.npos;
  for (std::size_t i = 0; i < text.size(); ++i) {
    quoted = quoted != (text[i] == '"');
    if (quoted) continue;
    depth += (text[i] == '[' ? 1 : 0) - (text[i] == ']' ? 1 : 0);
    if (text[i] == ':' && depth == 0) colon = i;
  }
  if (colon == text.npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// Formats a number by "%", ".3" or ".1%".
Result<std::string> formatted(double number, std::string_view format) {
  constexpr int kUsualDigits = 3;
  const bool is_share = format.ends_with('%');
  const std::string_view rest = format.substr(0, format.size() - (is_share ? 1 : 0));
  const double shown = is_share ? 100.0 * number : number;
  const std::string unit = is_share ? "\u00A0%" : "";
  if (std::isinf(number)) return std::string(number < 0.0 ? "−∞" : "∞");
  if (rest.empty()) {
    return with_minus(is_share ? fixed_text(shown, 0) : short_text(shown, kUsualDigits)) + unit;
  }
  const bool is_sound = rest.size() == 2 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9';
  if (is_sound) return with_minus(fixed_text(shown, rest[1] - '0')) + unit;
  return Error{.kind = ErrorKind::Usage,
               .message = "this number format is not known",
               .found = std::string(format),
               .expected = "%, .2, .1% and the like"};
}

Result<std::string> filled(std::string_view inside, const FormulaScope& scope,
                           std::size_t& cells_left) {
  const auto [formula, format] = with_format(inside);
  const Result<Operand> value = FormulaParser(formula, scope, cells_left).value();
  if (!value) return value.error();
  if (!value->name.empty()) return value->name;
  std::string all;
  for (const double number : value->numbers) {
    const Result<std::string> one = formatted(number, format);
    if (!one) return one.error();
    all += (all.empty() ? "" : ", ") + *one;
  }
  return all;
}

}  // namespace

std::vector<double> numbers_in(const AttentionResult& result, const NamedCells& cells) {
  std::vector<float> read(cells.range.rows * cells.range.cols);
  result.read(cells.stage, cells.at, cells.range, read.data());
  return {read.begin(), read.end()};
}

Result<NamedCells> cells_named(std::string_view text, const FormulaScope& scope) {
  std::size_t cells_left = kMostCells;
  return FormulaParser(text, scope, cells_left).only_cells();
}

std::string filled_text(std::string_view text, const FormulaScope& scope,
                        std::vector<Error>* errors) {
  std::string all;
  std::size_t cells_left = kMostCells, bytes_left = kMostFilledBytes;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    all += text.substr(0, open);
    text.remove_prefix(open);
    if (text.starts_with("{{")) {
      all += '{';
      text.remove_prefix(2);
      continue;
    }
    if (text.empty()) break;
    const std::size_t end = std::min(text.find('}'), text.size() - 1);
    const std::string_view braces = text.substr(0, end + 1);
    Result<std::string> value = filled(braces.substr(1, braces.size() - 2), scope, cells_left);
    if (value && value->size() > bytes_left)
      value = usage_error("the text is longer than " + grouped_text(kMostFilledBytes) + " bytes");
    bytes_left -= value ? value->size() : 0;
    all += value ? *value : errors == nullptr ? "?" : std::string(braces);
    if (!value && errors != nullptr && errors->size() < kMostErrors) {
      Error error = value.error();
      error.message = shortened(braces, kMostQuoted) + ": " + error.message;
      errors->push_back(std::move(error));
    }
    text.remove_prefix(braces.size());
  }
  return with_replaced(all, " %", "\u00A0%");  // no line ends in front of it
}

}  // namespace attn
