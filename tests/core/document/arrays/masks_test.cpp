// Meaning of masks: patterns in both polarities, names, tokens, weights.
#include <gtest/gtest.h>

#include <functional>

#include "document/load/evidence.h"

namespace attn {
namespace {

using Pattern = std::function<bool(std::size_t query, std::size_t key)>;  // what is hidden

struct Judged {
  MaskReading mask;
  int toward_hiding = 0;  // the margin, signed
};

Judged judge(const MaskedNumbers& numbers, const std::string& name, const Shape& shape,
             const std::vector<std::uint8_t>& flags, const std::vector<std::string>& axes) {
  Judged made;
  made.mask.axes = axes;
  made.mask.has_flags = true;
  judge_mask(numbers, BoolTensor(shape, flags), known_name(name, NameType::Flags), made.mask);
  made.toward_hiding = made.mask.margin * (made.mask.use == MaskUse::Hides ? 1 : -1);
  return made;
}

// A mask of queries and keys whose true hides, or attends if it is negated.
Judged square(std::size_t n_q, std::size_t n_k, const Pattern& hidden, bool turned = false,
              const std::string& name = "attn_mask") {
  MaskedNumbers numbers;
  numbers.shape.n_q = n_q;
  numbers.shape.n_k = n_k;
  std::vector<std::uint8_t> flags;
  for (std::size_t q = 0; q < n_q; ++q) {
    for (std::size_t k = 0; k < n_k; ++k) flags.push_back(hidden(q, k) != turned ? 1 : 0);
  }
  return judge(numbers, name, {n_q, n_k}, flags, {"query", "key"});
}

// Lists of `keys` keys; `padded` are hidden at the end, or at the start of each.
MaskedNumbers listed(std::size_t samples, std::size_t keys) {
  MaskedNumbers numbers;
  numbers.shape.samples = samples;
  numbers.shape.n_q = numbers.shape.n_k = keys;
  return numbers;
}

Judged list(const std::vector<std::size_t>& padded, bool at_end, bool turned,
            const std::string& name = "attn_mask", TokenFacts tokens = {}) {
  constexpr std::size_t kKeys = 8;
  MaskedNumbers numbers = listed(padded.size(), kKeys);
  numbers.tokens = std::move(tokens);
  std::vector<std::uint8_t> flags;
  for (const std::size_t count : padded) {
    for (std::size_t k = 0; k < kKeys; ++k) {
      const bool hidden = at_end ? k >= kKeys - count : k < count;
      flags.push_back(hidden != turned ? 1 : 0);
    }
  }
  return judge(numbers, name, {padded.size(), kKeys}, flags, {"sample", "key"});
}

bool later(std::size_t q, std::size_t k) { return k > q; }

struct Case {
  const char* name;
  Pattern hidden;
  int least;  // margin
};

TEST(Masks, PatternsOfQueriesDecideInBothPolarities) {
  const Case cases[] = {
      {"triangle", later, 23},
      {"causal band", [](auto q, auto k) { return k > q || k + 2 < q; }, 6},
      {"plain band", [](auto q, auto k) { return k > q + 2 || k + 2 < q; }, 4},
      {"packed segments", [](auto q, auto k) { return q / 4 != k / 4; }, 4},
      {"prefix", [](auto q, auto k) { return k > q && k > 2; }, 6},
      {"padding at the end", [](auto, auto k) { return k > 5; }, 3},
      {"causal and padded at the start", [](auto q, auto k) { return k > q || k < 2; }, 2},
  };
  for (const auto& [name, hidden, least] : cases) {
    for (const bool turned : {false, true}) {
      const Judged made = square(8, 8, hidden, turned);
      EXPECT_EQ(made.mask.use, turned ? MaskUse::Attends : MaskUse::Hides) << name;
      EXPECT_GE(made.mask.margin, least) << name;
      EXPECT_FALSE(made.mask.because.empty()) << name;
    }
  }
  EXPECT_EQ(square(5, 5, later).mask.margin, 23);
  EXPECT_EQ(square(5, 5, later).mask.because, "else the last query would see no key");
  EXPECT_EQ(square(3, 7, [](auto q, auto k) { return k > q + 4; }).mask.use, MaskUse::Hides)
      << "queries that come last";
}

TEST(Masks, StrictlyPastWithoutSelfIsOpen) {
  for (const bool turned : {false, true}) {
    const Judged made = square(
        6, 6, [](auto q, auto k) { return k >= q; }, turned);
    EXPECT_TRUE(made.mask.is_open()) << made.mask.margin;
  }
}

TEST(Masks, HideNothingOrAll) {
  const auto none = [](auto, auto) { return false; };
  EXPECT_EQ(square(5, 5, none, false).mask.use, MaskUse::Hides) << "all are false";
  EXPECT_EQ(square(5, 5, none, true).mask.use, MaskUse::Attends) << "all are true";
  EXPECT_FALSE(square(5, 5, none).mask.is_likely());
}

TEST(Masks, ListsDecideByRunsAndWholeSamples) {
  for (const bool turned : {false, true}) {
    const MaskUse right = turned ? MaskUse::Attends : MaskUse::Hides;
    for (const bool at_end : {false, true}) {
      const Judged batch = list({0, 3, 5}, at_end, turned);
      EXPECT_EQ(batch.mask.use, right) << at_end;
      EXPECT_GE(batch.mask.margin, 13);
    }
    EXPECT_EQ(list({3}, true, turned).mask.use, right);
    EXPECT_TRUE(list({3}, true, turned).mask.is_likely());
    EXPECT_EQ(list({3}, true, turned).mask.margin, 2);
    EXPECT_TRUE(list({3}, false, turned).mask.is_open());
  }
}

TEST(Masks, NamesDecideWhereNumbersSayLittle) {
  const auto named = [](const std::string& name, bool turned) {
    return list({3}, true, turned, name).mask;
  };
  for (const bool turned : {false, true}) {
    EXPECT_EQ(named("key_padding_mask", turned).use, MaskUse::Hides) << turned;
    EXPECT_EQ(named("attention_mask", turned).use, MaskUse::Attends) << turned;
    EXPECT_EQ(named("valid_mask", turned).use, MaskUse::Attends) << turned;
    EXPECT_EQ(named("encoder_padding_mask", turned).use, MaskUse::Hides) << turned;
  }
  EXPECT_FALSE(named("key_padding_mask", false).is_likely());
  EXPECT_TRUE(named("key_padding_mask", true).is_likely()) << "the runs contradict the name";
  EXPECT_EQ(named("padding_mask", false).use, MaskUse::Hides);
  EXPECT_TRUE(named("padding_mask", true).is_open() || named("padding_mask", true).is_likely())
      << "both meanings are in use";
  EXPECT_EQ(square(6, 6, later, false, "attention_mask").mask.use, MaskUse::Hides)
      << "of squares its name says little";
}

TEST(Masks, TokensThatPadDecide) {
  TokenFacts tokens;
  tokens.padding = {std::vector<bool>(8, false)};
  for (const std::size_t i : {0U, 1U, 2U}) tokens.padding[0][i] = true;
  for (const bool turned : {false, true}) {
    const MaskReading mask = list({3}, false, turned, "attn_mask", tokens).mask;
    EXPECT_EQ(mask.use, turned ? MaskUse::Attends : MaskUse::Hides);
    EXPECT_FALSE(mask.is_likely());
    EXPECT_NE(mask.because.find("where tokens pad"), std::string::npos);
  }
  EXPECT_TRUE(list({4}, false, false, "attn_mask", tokens).mask.is_open())
      << "other places than those that pad";
}

TEST(Masks, WeightsDecide) {
  MaskedNumbers numbers = listed(1, 4);
  numbers.weights =
      Tensor({4, 4}, {1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0.2F, 0.8F, 0, 0, 0.5F, 0.5F, 0, 0});
  numbers.axes = {"query", "key"};
  for (const bool turned : {false, true}) {
    std::vector<std::uint8_t> flags{0, 0, 1, 1};
    for (std::uint8_t& flag : flags) flag = (flag != 0) != turned ? 1 : 0;
    const Judged made = judge(numbers, "m", {1, 4}, flags, {"sample", "key"});
    EXPECT_EQ(made.mask.use, turned ? MaskUse::Attends : MaskUse::Hides);
    EXPECT_FALSE(made.mask.is_likely());
    EXPECT_NE(made.mask.because.find("weights where it is"), std::string::npos);
  }
  const Judged other = judge(numbers, "m", {1, 4}, {1, 0, 0, 1}, {"sample", "key"});
  EXPECT_EQ(other.mask.use, MaskUse::NotUsed) << "it was not applied to these weights";
  EXPECT_EQ(other.mask.because, "weights are not 0 where it is true, nor where it is false");
  numbers.weights = Tensor({2, 3}, {0.5F, 0.5F, 0, 0.25F, 0.25F, 0.5F});
  const Judged blind = judge(numbers, "m", {2, 3}, {1, 1, 0, 0, 0, 0}, {"query", "key"});
  EXPECT_EQ(blind.mask.use, MaskUse::Attends) << "a softmax of a row that sees nothing is not 0";
}

TEST(Masks, FitByTheirAxes) {
  const auto axes = [](const Shape& mask, bool pads, const AttentionShape& shape) {
    const auto fitting = axes_of_mask(mask, pads, shape);
    return fitting.empty() ? std::vector<std::string>() : fitting.front();
  };
  AttentionShape shape;
  shape.samples = 2;
  shape.heads = 3;
  shape.n_q = 4;
  shape.n_k = 6;
  EXPECT_EQ(axes({6}, false, shape), std::vector<std::string>{"key"});
  EXPECT_EQ(axes({2, 6}, true, shape), (std::vector<std::string>{"sample", "key"}));
  EXPECT_EQ(axes({4, 6}, true, shape), (std::vector<std::string>{"query", "key"}));
  EXPECT_EQ(axes({2, 4, 6}, false, shape), (std::vector<std::string>{"sample", "query", "key"}));
  EXPECT_EQ(axes({3, 4, 6}, false, shape), (std::vector<std::string>{"head", "query", "key"}));
  EXPECT_EQ(axes({6, 4, 6}, false, shape),
            (std::vector<std::string>{"sample", "head", "query", "key"}))
      << "samples and heads as one axis, as PyTorch has them";
  EXPECT_EQ(axes({2, 1, 1, 6}, false, shape),
            (std::vector<std::string>{"sample", "head", "query", "key"}));
  EXPECT_EQ(axes({2, 5}, true, shape), std::vector<std::string>{});
  EXPECT_EQ(axes({6, 4}, false, shape), std::vector<std::string>{});
}

}  // namespace
}  // namespace attn
