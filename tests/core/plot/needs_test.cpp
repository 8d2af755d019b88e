// Memory of needs: refused before allocation when it exceeds the limit.
#include <gtest/gtest.h>

#include "base/number_text.h"
#include "plot/all_plots.h"
#include "tests/core/plot/computed_case.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

test::ComputedCase forty_tokens() {
  std::string tokens;
  for (int i = 0; i < 40; ++i) tokens += (i > 0 ? ", \"t" : "\"t") + std::to_string(i) + "\"";
  const std::string text = R"({"seed": 1, "position": "rope", "tokens": [)" + tokens + "]}";
  return test::computed_case(read_document(text, "forty").value().document);
}

// Exactly the memory of the stages.
DerivingOptions limited(const test::ComputedCase& own) {
  return {nullptr, materialised_bytes(own.result->problem())};
}

TEST(Needs, OfWholeMatricesPredictTheirMemory) {
  const test::ComputedCase own = forty_tokens();
  for (const char* name : {"derived", "compare", "positions"}) {
    for (const Need& need : needs_of(*plot_named(name), own.input(), {})) {
      const std::uint64_t before = need.bytes;
      const Result<DerivationPtr> made = derive(need, own.document, own.result);
      ASSERT_TRUE(made.ok()) << describe(made.error());
      EXPECT_GE(before, (*made)->bytes()) << need.label;
      EXPECT_GT(before, 0U) << need.label;
    }
  }
}

TEST(Needs, AreRefusedOverTheMemoryLimitWithTheFigures) {
  const test::ComputedCase own = forty_tokens();
  for (const char* name : {"derived", "compare", "positions"}) {
    const PlotEntry& plot = *plot_named(name);
    for (const Need& need : needs_of(plot, own.input(), {})) {
      const Result<DerivationPtr> refused = derive(need, own.document, own.result, limited(own));
      ASSERT_FALSE(refused.ok()) << need.label;
      EXPECT_EQ(refused.error().kind, ErrorKind::OverMemoryLimit);
      EXPECT_NE(refused.error().message.find(need.label + " needs "), std::string::npos);
      EXPECT_NE(refused.error().message.find(grouped_text(need.bytes) + " bytes"),
                std::string::npos);
      EXPECT_NE(refused.error().expected.find(grouped_text(limited(own).memory_limit_bytes)),
                std::string::npos);
      EXPECT_FALSE(refused.error().hint.empty());
    }
    const Derivations all = derive_all(plot, own.document, own.result, {}, limited(own));
    const Result<Figure> figure =
        draw_plot(plot, {own.document, *own.result, &all}, {}, test::FixedMetrics());
    ASSERT_FALSE(figure.ok()) << name;
    EXPECT_EQ(figure.error().kind, ErrorKind::OverMemoryLimit) << name;
  }
}

TEST(Needs, MayTakeWhatTheLimitLeaves) {
  const test::ComputedCase own = forty_tokens();
  const Need need = needs_of(*plot_named("derived"), own.input(), {}).front();
  DerivingOptions how = limited(own);
  how.memory_limit_bytes += need.bytes;
  EXPECT_TRUE(derive(need, own.document, own.result, how).ok());
  how.in_use_bytes = 1;
  EXPECT_FALSE(derive(need, own.document, own.result, how).ok());
}

}  // namespace
}  // namespace attn
