// Sums in place of a number.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/parsed_number.h"
#include "numbers/read_numbers.h"

namespace attn {
namespace {

TEST(Arithmetic, ReadsSumsAsOneWritesThem) {
  const std::pair<const char*, float> sums[] = {
      {"2*3", 6.0F},          {"1/3", 1.0F / 3.0F},      {"1 + 2 * 3", 7.0F},
      {"(1+2)*3", 9.0F},      {"-(0.5 + 2)/4", -0.625F}, {"2 − 5", -3.0F},
      {"6 ÷ 4", 1.5F},        {"2×3·4", 24.0F},          {"8/2/2", 2.0F},
      {"8-2-2", 4.0F},        {"-(-2)", 2.0F},           {"1e-3*2", 0.002F},
      {"  ( ( 1 ) ) ", 1.0F}, {"1-1e-1", 0.9F},          {".5*2", 1.0F}};
  for (const auto& [text, value] : sums) {
    const Result<float> number = evaluate_number(text);
    ASSERT_TRUE(number) << text << ": " << describe(number.error());
    EXPECT_EQ(*number, value) << text;
  }
}

TEST(Arithmetic, NumbersAreReadAsEverywhere) {
  for (const char* text :
       {"0.1", "-3", "1e-45", "16777217", "3.4e38", "nan", "inf", "", "abc", "1,5", "-", "1e999"}) {
    const Result<float> plain = parse_number(text), sum = evaluate_number(text);
    ASSERT_EQ(plain.ok(), sum.ok()) << text;
    if (plain.ok()) {
      EXPECT_TRUE(*plain == *sum || std::isnan(*plain)) << text;
    } else {
      EXPECT_EQ(describe(plain.error()), describe(sum.error())) << text;
    }
  }
}

TEST(Arithmetic, WhatIsNoSumSaysWhatIsWrong) {
  const std::pair<const char*, const char*> sums[] = {
      {"2*", "a number is missing at the end"},
      {"(2", "a bracket is not closed"},
      {"2)", "this cannot be part of a sum: )"},
      {"2*x", "this is not a number: x"},
      {"1/0", "the result of this sum is not finite"},
      {"1e300*1", "the result of this sum is not finite"},
      {"2*nan", "this is not a number: nan"},
      {"2*inf", "this is not a number: inf"}};
  for (const auto& [text, message] : sums) {
    const Result<float> number = evaluate_number(text);
    ASSERT_FALSE(number) << text;
    EXPECT_EQ(number.error().message, message) << text;
  }
  EXPECT_FALSE(evaluate_number(std::string(100'000, '(')));
  EXPECT_FALSE(evaluate_number(std::string(100'000, '-') + "*"));
}

}  // namespace
}  // namespace attn
