// Transformer blocks in the window.
#include "app_fixture.h"

namespace attn::test {
namespace {

class BlocksTest : public AppTest {
 protected:
  void SetUp() override {
    open("example:transformer-blocks");
    ui.click("rules/Blocks");
  }
  const Stack& stack() const { return (*stack_of(state().document.model)); }
};

TEST_F(BlocksTest, TheOrderOfNormsAndTheActivationAreChosen) {
  ui.click("blocks/order/Post-norm");
  show();
  EXPECT_EQ(stack().order, NormOrder::Post);
  EXPECT_TRUE(state().result->has(Stage::FeedForwardResidual));
  ui.click("blocks/norm/RMSNorm");
  show();
  EXPECT_EQ(stack().norm, NormKind::Rms);
  ui.click("blocks/final_norm");
  show();
  EXPECT_FALSE(stack().final_norm.has_value());
  ui.click("blocks/activation");
  ui.click("blocks/activation/SwiGLU");
  show();
  EXPECT_TRUE(state().result->has(Stage::Gate));
  ui.key("Ctrl+Z");
  show();
  EXPECT_FALSE(state().result->has(Stage::Gate));
}

TEST_F(BlocksTest, BlocksAreAddedAndRemoved) {
  ui.click("blocks/add");
  show();
  EXPECT_EQ(state().result->shape().layers, 3U);
  ui.click("blocks/remove");
  ui.click("blocks/remove");
  show();
  EXPECT_EQ(state().result->shape().layers, 1U);
  ui.click("blocks/remove");
  show();
  EXPECT_EQ(state().result->shape().layers, 1U);
}

TEST_F(BlocksTest, OtherDocumentsHaveNoSuchTab) {
  open("example:i-love-cats");
  EXPECT_FALSE(ui.shows("rules/Blocks"));
  EXPECT_TRUE(ui.shows("masks/causal"));
}

}  // namespace
}  // namespace attn::test
