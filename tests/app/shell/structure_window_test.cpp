// Changing the structure of documents in its window, by mouse and keyboard.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "document/edit/structure.h"
#include "support/sanitizers.h"

namespace attn::gui {
namespace {

constexpr const char* kGroupedLayer = R"({"tokens": ["a", "b", "c"], "heads": 4, "kv_heads": 2,
    "d_model": 8})";

class StructureWindowTest : public test::AppTest {
 protected:
  void SetUp() override { open_text(kGroupedLayer); }
  void show_window() { ui.key("Ctrl+Shift+D"); }
  void choose_kind(const KindInfo& kind) { ui.click("structure/kind/" + std::string(kind.name)); }
  void type_into(std::string_view field, std::string_view text) {
    ui.click("structure/" + std::string(field));
    ui.type(text);
  }
  Structure structure() const { return structure_of(state().document); }
  std::size_t edits() const { return state().history.past.size(); }
};

TEST_F(StructureWindowTest, IsReachedFromWhereOneLooksForIt) {
  for (const char* way : {"inputs/structure", "status/shape"}) {
    if (!ui.shows(way)) ui.click("inputs/more");
    ui.click(way);
    EXPECT_EQ(state().overlay, Overlay::Structure) << way;
    EXPECT_EQ(ui.value("structure/kind/layer"), "on");
    EXPECT_EQ(ui.value("structure/heads"), "4");
    EXPECT_EQ(ui.value("structure/d_model"), "8");
    ui.key("Esc");
    EXPECT_FALSE(state().overlay) << way;
  }
  EXPECT_EQ(edits(), 0U);
}

TEST_F(StructureWindowTest, AsItIsThereIsNothingToApply) {
  show_window();
  EXPECT_FALSE(ui.enabled("structure/apply"));
  EXPECT_EQ(ui.value("structure/reason"), "No changes yet");
  ui.key("Enter");
  EXPECT_EQ(state().overlay, Overlay::Structure);
  ui.click("structure/close");
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(ui.count<command::SetStructure>(), 0U);
}

// Every field of every kind is shown and accepts typed numbers, and undo restores the document.
TEST_F(StructureWindowTest, EveryFieldOfEveryKindBecomesWhatIsTyped) {
  const Document before = state().document;
  std::size_t seen = 0;
  for (const KindInfo* kind : all_kinds()) {
    for (const StructureField& field : all_structure_fields()) {
      if (seen++ % test::kEvery != 0) continue;
      SCOPED_TRACE(std::string(kind->name) + " " + std::string(field.name));
      show_window();
      choose_kind(*kind);
      const std::string name = "structure/" + std::string(field.name);
      ASSERT_EQ(ui.shows(name), field.applies(*kind));
      if (!ui.shows(name)) {
        ui.key("Esc");
        continue;
      }
      const std::size_t other = field.is_flag ? 1 : ui.value(name) == "2" ? 1 : 2;
      ui.click(name);
      if (!field.is_flag) ui.type(std::to_string(other));
      ui.click("structure/apply");
      EXPECT_FALSE(state().overlay);
      EXPECT_EQ(structure().kind, kind);
      EXPECT_EQ(field.get(structure()), other);
      EXPECT_EQ(edits(), 1U);
      ui.key("Ctrl+Z");
      EXPECT_EQ(state().document, before);
    }
  }
}

TEST_F(StructureWindowTest, SeveralChangesAreOneStep) {
  show_window();
  ui.click("structure/samples/more");
  ui.click("structure/samples/more");
  ui.click("structure/d_v/less");
  ui.click("structure/cross");
  EXPECT_EQ(ui.value("structure/samples"), "3");
  EXPECT_EQ(ui.value("structure/samples/before"), "was 1");
  EXPECT_EQ(ui.value("structure/cross/before"), "was off");
  ui.key("Enter");
  EXPECT_EQ(structure().samples, 3U);
  EXPECT_TRUE(structure().cross);
  EXPECT_EQ(structure().d_v, 1U);
  EXPECT_EQ(edits(), 1U);
  EXPECT_EQ(ui.count<command::SetStructure>(), 1U);
  EXPECT_EQ(state().history.past.back().label, "change structure");
}

TEST_F(StructureWindowTest, StepsStopAtTheBoundsAndPassWhatDoesNotDivide) {
  show_window();
  EXPECT_FALSE(ui.enabled("structure/samples/less"));
  ui.click("structure/key_value_heads/more");
  EXPECT_EQ(ui.value("structure/key_value_heads"), "4");
  ui.click("structure/key_value_heads/less");
  ui.click("structure/key_value_heads/less");
  EXPECT_EQ(ui.value("structure/key_value_heads"), "1");
  EXPECT_FALSE(ui.enabled("structure/key_value_heads/less"));
}

TEST_F(StructureWindowTest, EnterInAFieldAppliesAndEscLeavesItAll) {
  show_window();
  type_into("heads", "6");
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(structure().heads, 4U);
  show_window();
  EXPECT_EQ(ui.value("structure/heads"), "4");
  type_into("heads", "12");
  EXPECT_EQ(ui.value("structure/key_value_heads"), "2");
  ui.key("Enter");
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(structure().heads, 12U);
  EXPECT_EQ(structure().key_value_heads, 2U);
}

TEST_F(StructureWindowTest, ArrowsStepTheNumberInWhichOneTypes) {
  show_window();
  ui.click("structure/d_k");
  ui.key("Up");
  ui.key("Up");
  ui.key("Down");
  EXPECT_EQ(ui.value("structure/d_k"), "3");
  ui.key("Enter");
  EXPECT_EQ(structure().d_k, 3U);
}

TEST_F(StructureWindowTest, SaysWhatItRefuses) {
  show_window();
  for (const char* text : {"0", "-1", "x", "2.5", "4097", "99999999999999999999999"}) {
    type_into("heads", text);
    EXPECT_EQ(ui.value("structure/heads/problem"), "Heads must be a whole number from 1 to 4,096");
    EXPECT_FALSE(ui.enabled("structure/apply")) << text;
    ui.key("Enter");
    EXPECT_EQ(state().overlay, Overlay::Structure) << text;
    EXPECT_EQ(ui.value("structure/heads"), text);
  }
  type_into("heads", "3");
  EXPECT_FALSE(ui.shows("structure/heads/problem"));
  EXPECT_TRUE(ui.enabled("structure/apply"));
  type_into("key_value_heads", "2");
  type_into("heads", "8");
  type_into("key_value_heads", "3");
  EXPECT_EQ(ui.value("structure/reason"),
            "3 key-value heads cannot be shared by 8 heads: their number must divide it");
  EXPECT_FALSE(ui.enabled("structure/apply"));
  ui.click("structure/key_value_heads/more");
  EXPECT_TRUE(ui.enabled("structure/apply"));
  EXPECT_EQ(edits(), 0U);
}

TEST_F(StructureWindowTest, ARefusedNumberGoesWithTheNextChoice) {
  show_window();
  type_into("d_model", "0");
  ui.click("structure/samples/more");
  EXPECT_EQ(ui.value("structure/d_model"), "8");
  EXPECT_FALSE(ui.shows("structure/d_model/problem"));
  EXPECT_TRUE(ui.enabled("structure/apply"));
}

TEST_F(StructureWindowTest, PredictsMuchMemoryAndRefusesTooMuch) {
  show_window();
  EXPECT_FALSE(ui.shows("structure/memory"));
  type_into("samples", "60000");
  type_into("d_model", "100");
  const Structure larger = [&] {
    Structure wanted = structure();
    wanted.samples = 60'000;
    wanted.d_model = 100;
    return wanted;
  }();
  ASSERT_TRUE(ui.shows("structure/memory"));
  EXPECT_GT(predicted_bytes(state().document, larger), 100U << 20U);
  EXPECT_TRUE(ui.enabled("structure/apply"));
  type_into("d_model", "1000000");
  EXPECT_FALSE(ui.enabled("structure/apply"));
  EXPECT_EQ(ui.value("structure/reason").substr(0, 42),
            "the document and its stages would need mor");
}

TEST_F(StructureWindowTest, TellsWhatChangesAsLongAsItIsChosen) {
  show_window();
  EXPECT_FALSE(ui.shows("structure/remark/0"));
  ui.click("structure/samples/more");
  EXPECT_EQ(ui.value("structure/remark/0"), "New rows and columns generated from seed 1: X");
  ui.click("structure/kind/blocks");
  EXPECT_EQ(ui.value("structure/remark/0"), "Generated from seed 1: W_1, W_2");
  EXPECT_EQ(ui.value("structure/remark/1"), "New rows and columns generated from seed 1: X");
  ui.click("structure/samples/less");
  ui.click("structure/kind/weights");
  EXPECT_EQ(ui.value("structure/remark/0"), "Keeps the computed weights");
  ui.click("structure/kind/layer");
  EXPECT_FALSE(ui.shows("structure/remark/0"));
  EXPECT_EQ(edits(), 0U);
}

TEST_F(StructureWindowTest, TellsNothingOfWhatTakesLongToMake) {
  show_window();
  type_into("samples", "60000");
  EXPECT_EQ(ui.value("structure/remark/0"), "For a document of this size, shown only when applied");
  EXPECT_FALSE(ui.shows("structure/remark/1"));
}

// Values that a kind does not use survive a visit to it.
TEST_F(StructureWindowTest, AnotherKindAndBackIsWhatItWas) {
  show_window();
  for (const KindInfo* kind : all_kinds()) choose_kind(*kind);
  ui.click("structure/kind/layer");
  EXPECT_FALSE(ui.enabled("structure/apply"));
  EXPECT_EQ(ui.value("structure/reason"), "No changes yet");
}

TEST_F(StructureWindowTest, IsDoneByKeyboardAlone) {
  show_window();
  ui.key("Tab");
  EXPECT_EQ(ui.focused(), "structure/kind/layer");
  ui.key("Down");
  EXPECT_EQ(ui.value("structure/kind/blocks"), "on");
  EXPECT_EQ(ui.focused(), "structure/kind/blocks");
  ui.key("Down");
  ui.key("Up");
  const auto walk_to = [&](const std::string& name) {
    for (int i = 0; i < 40 && ui.focused() != name; ++i) ui.key("Tab");
    ASSERT_EQ(ui.focused(), name);
  };
  walk_to("structure/layers");
  ui.key("Enter");
  ui.type("3");
  ui.key("Tab");
  walk_to("structure/heads/more");
  ui.key("Enter");
  EXPECT_EQ(ui.value("structure/heads"), "5");
  walk_to("structure/apply");
  ui.key("Enter");
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(structure().kind, &BlockModel::kEncoder);
  EXPECT_EQ(structure().layers, 3U);
  EXPECT_EQ(structure().heads, 5U);
  EXPECT_EQ(edits(), 1U);
}

TEST_F(StructureWindowTest, AnotherDocumentIsShownAsItIs) {
  show_window();
  type_into("heads", "9");
  ui.key("Esc");
  open("example:i-love-cats");
  show_window();
  EXPECT_EQ(ui.value("structure/heads"), std::to_string(structure().heads));
  EXPECT_FALSE(ui.enabled("structure/apply"));
}

}  // namespace
}  // namespace attn::gui
