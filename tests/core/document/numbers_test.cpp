// Numbers of tensors are the nearest floats, whichever way they are written, and nothing but JSON.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "base/random.h"
#include "document/load/read.h"

namespace attn {
namespace {

// Read as a row of attention, with `between` them.
Result<Reading> read_row(const std::vector<std::string>& numbers, const std::string& between) {
  std::string text = "{\"attention\": [[";
  for (const std::string& number : numbers) text += (text.back() == '[' ? "" : between) + number;
  return read_document(text + "]]}", "row");
}

void expect_nearest_floats(const std::vector<std::string>& numbers, const std::string& between) {
  const Result<Reading> report = read_row(numbers, between);
  ASSERT_TRUE(report.ok()) << describe(report.error());
  const Tensor& row = std::get<GivenWeights>(report->document.model).weights;
  ASSERT_EQ(row.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float nearest = 0.0F;
    std::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(), nearest);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(row[i]), std::bit_cast<std::uint32_t>(nearest))
        << numbers[i];
  }
}

float random_float(Random& random) {
  float value = 0.0F;
  do {
    value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
  } while (!std::isfinite(value));
  return value;
}

std::string text_of(double value, std::chars_format format, int precision) {
  std::array<char, 400> text{};
  const auto [end, code] =
      std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
  return {text.data(), end};
}

TEST(Numbers, AreTheNearestFloatsInAnyNotation) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::string> numbers = {"0",     "-0",       "0.000",
                                        "0e999", "1E+5",     "3.4028234e38",
                                        "1e-45", "16777217", "1.00000005960464477539"};
    for (int k = 0; k < 30; ++k) {
      const float value = random_float(random);
      const auto digits = static_cast<int>(random.next() % 17);
      numbers.push_back(shortest_text(value));
      numbers.push_back(text_of(static_cast<double>(value), std::chars_format::scientific, 8));
      numbers.push_back(
          text_of(std::fmod(static_cast<double>(value), 1e6), std::chars_format::fixed, digits));
    }
    expect_nearest_floats(numbers, i % 2 == 0 ? "," : " ,\n\t ");
  }
}

TEST(Numbers, OfOtherNotationsAreRefusedWhereverTheyStand) {
  for (const char* text : {"-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "nan", "inf", "0x1",
                           "1.e5", "1_000", "-.5", "1.5.", "--1"}) {
    for (const std::vector<std::string>& row :
         {std::vector<std::string>{"1", text, "2"}, {text, "2"}, {"1", text}}) {
      const Result<Reading> report = read_row(row, ", ");
      ASSERT_FALSE(report.ok()) << text;
      EXPECT_TRUE(report.error().pointer.starts_with("/attention/0")) << describe(report.error());
    }
  }
}

// Reads non-finite numbers as Python's json writes them.
Result<Reading> read_bare(const std::string& text, bool allowed = true) {
  ReadOptions options;
  options.allows_nan = allowed;
  return read_document(text, "bare", options);
}

TEST(BareNan, IsANumberWhereItIsAllowed) {
  for (const char* rows :
       {"[[NaN, Infinity, -Infinity, 0.5]]", "[[ NaN ,Infinity\n,-Infinity,0.5 ]]",
        "[[NaN, Infinity, -Infinity, 0.5]\n]"}) {
    const Result<Reading> report = read_bare("{\"attention\": " + std::string(rows) + "}");
    ASSERT_TRUE(report.ok()) << describe(report.error());
    const Tensor& row = std::get<GivenWeights>(report->document.model).weights;
    EXPECT_TRUE(std::isnan(row[0]));
    EXPECT_EQ(row[1], std::numeric_limits<float>::infinity());
    EXPECT_EQ(row[2], -std::numeric_limits<float>::infinity());
    EXPECT_EQ(row[3], 0.5F);
    ASSERT_FALSE(report->notes.empty());
    EXPECT_EQ(report->notes.front(),
              "3 numbers are written NaN, Infinity or -Infinity: taken as such, as in files of "
              "arrays");
  }
  const Result<Reading> last =
      read_bare(R"({"attention": [[1, 0], [0, NaN]], "tokens": ["a", "NaN"]})");
  ASSERT_TRUE(last.ok()) << describe(last.error());
  EXPECT_TRUE(std::isnan(std::get<GivenWeights>(last->document.model).weights[3]));
  EXPECT_EQ(last->document.query_tokens.front()[1], "NaN");
}

TEST(BareNan, IsRefusedElsewhereAndNamesTheSwitch) {
  for (const char* number : {"NaN", "Infinity", "-Infinity"}) {
    const Result<Reading> report =
        read_bare("{\"attention\": [[1, 0], [0, " + std::string(number) + "]]}", false);
    ASSERT_FALSE(report.ok()) << number;
    EXPECT_EQ(report.error().found, number);
    EXPECT_EQ(report.error().pointer, "/attention/1/1");
    EXPECT_NE(report.error().hint.find("--allow-nan"), std::string::npos);
  }
}

TEST(BareNan, StandsForNumbersOnly) {
  for (const char* text :
       {R"({"tokens": ["a"], "seed": NaN})", R"({"tokens": [NaN]})", R"({"tokens": ["a"], NaN: 1})",
        R"({"tokens": ["a"], "title": NaN})", R"({"tokens": ["a"], "mask": {"causal": NaN}})",
        R"({"tokens": NaN})", R"({"attention": [[NaNa]]})", R"({"attention": [[NaN1]]})",
        R"({"attention": [[nan]]})", R"({"attention": [[+Infinity]]})",
        R"({"attention": [[--Infinity]]})", R"({"attention": [[Infinit]]})", "NaN", "[NaN",
        R"({"attention": [[NaN)", R"({"attention": [[NaN NaN]]})", R"({"attention": [["NaN"]]})"}) {
    EXPECT_FALSE(read_bare(text).ok()) << text;
  }
}

}  // namespace
}  // namespace attn
