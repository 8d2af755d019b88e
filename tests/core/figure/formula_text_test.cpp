// Indices are lowered, other underscores are not.
#include <gtest/gtest.h>

#include "figure/text.h"

namespace attn {
namespace {

using Runs = std::vector<FormulaRun>;

TEST(FormulaText, ALetterWithAnIndexIsLowered) {
  EXPECT_EQ(formula_runs("QKᵀ / √d_k"), (Runs{{"QKᵀ / √d"}, {"k", kSubscriptRise}}));
  EXPECT_EQ(formula_runs("x · W_1 + b_1"),
            (Runs{{"x · W"}, {"1", kSubscriptRise}, {" + b"}, {"1", kSubscriptRise}}));
  EXPECT_EQ(formula_runs("log_k n"), (Runs{{"log"}, {"k", kSubscriptRise}, {" n"}}));
  EXPECT_EQ(formula_runs("γ_1"), (Runs{{"γ"}, {"1", kSubscriptRise}}));
  EXPECT_EQ(formula_runs("x·β_2."), (Runs{{"x·β"}, {"2", kSubscriptRise}, {"."}}));
  EXPECT_EQ(formula_runs("W_gate"), (Runs{{"W"}, {"gate", kSubscriptRise}}));
  EXPECT_EQ(formula_runs("‖∂s_t / ∂x_j‖"),
            (Runs{{"‖∂s"}, {"t", kSubscriptRise}, {" / ∂x"}, {"j", kSubscriptRise}, {"‖"}}));
}

TEST(FormulaText, BracesHoldAnIndexOfSeveralSigns) {
  EXPECT_EQ(formula_runs("GRU(y_t, s_{t−1})"),
            (Runs{{"GRU(y"}, {"t", kSubscriptRise}, {", s"}, {"t−1", kSubscriptRise}, {")"}}));
  EXPECT_EQ(formula_runs("s_{t"), (Runs{{"s_{t"}}));
}

TEST(FormulaText, AnExponentIsRaisedWithoutItsParentheses) {
  EXPECT_EQ(formula_runs("cos(pos / base^(2i/d))"),
            (Runs{{"cos(pos / base"}, {"2i/d", kSuperscriptRise}, {")"}}));
  EXPECT_EQ(formula_runs("a^(b"), (Runs{{"a^(b"}}));
}

TEST(FormulaText, NamesAndTokensStayAsTheyAre) {
  for (const char* text : {"my_file.json", "“d_k” (key 2)", "_", "a_", "__init__", "self-attention",
                           "d__k", "", "p_neg.attn.json", "a_1-2.npz", "λόγος_1"}) {
    const Runs runs = formula_runs(text);
    EXPECT_EQ(runs, *text == '\0' ? Runs() : Runs{{text}}) << text;
  }
}

TEST(FormulaText, AMinusIsOneWhereItIsASign) {
  EXPECT_EQ(formula_runs("hidden: -∞, use --log"), (Runs{{"hidden: −∞, use --log"}}));
  EXPECT_EQ(formula_runs("max(0, x - τ)"), (Runs{{"max(0, x − τ)"}}));
  for (const char* name : {"at /projections/w_q", "a_very_long", "für_die", "`w_q` (2 × 3)",
                           "encoder_attn.a_b", "x_*", "“w_q”"}) {
    EXPECT_EQ(formula_runs(name), (Runs{{name}}));
  }
  EXPECT_EQ(formula_runs("4.2e-05, -1e+12, file-1e-x"), (Runs{{"4.2·10⁻⁵, −1·10¹², file-1e-x"}}));
}

TEST(FormulaText, LoweredLettersAreNarrower) {
  const FontStyle plain{20.0}, formula{20.0, false, false, true};
  const double sign = pango_metrics().measure("_", plain).width;
  const double whole = pango_metrics().measure("d_k", plain).width;
  EXPECT_LT(pango_metrics().measure("d_k", formula).width, whole - sign);
  EXPECT_EQ(pango_metrics().measure("token", formula).width,
            pango_metrics().measure("token", plain).width);
}

}  // namespace
}  // namespace attn
