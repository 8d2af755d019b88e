// The line of text above the plots of a model: what one types is what the model reads.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/paths.h"
#include "tests/app/shell/app_fixture.h"

namespace attn {
namespace {

class ModelTextTest : public test::AppTest {
 protected:
  ModelTextTest() { open(test::source_folder() + "/assets/models/pronoun-encoder"); }

  const std::string& text() const { return state().document.source_model->text; }
  std::size_t tokens() const { return state().document.query_tokens.front().size(); }
  void type(const std::string& words) {
    ui.click("model/text");
    ui.key("Ctrl+A");
    ui.type(words);
    show();
  }
};

TEST_F(ModelTextTest, IsReadWhileOneTypes) {
  type("the dog was tired");
  EXPECT_EQ(text(), "the dog was tired");
  EXPECT_EQ(ui.value("model/tokens"), "6 tokens: [CLS] · the · dog · was · tired · [SEP]");
  EXPECT_EQ(token(2), "dog");
  ASSERT_NE(state().result, nullptr);
  EXPECT_EQ(state().result->shape().n_q, 6U);
}

TEST_F(ModelTextTest, IsOneStepOfUndo) {
  const std::string before = text();
  type("the dog");
  ui.key("Enter");
  show();
  EXPECT_EQ(text(), "the dog");
  ui.key("Ctrl+Z");
  show();
  EXPECT_EQ(text(), before);
  ui.key("Ctrl+Y");
  show();
  EXPECT_EQ(text(), "the dog");
}

TEST_F(ModelTextTest, LeavesShortcutsOfTheFileMenuToThemselves) {
  type("the dog");
  ui.key("Ctrl+E");
  show();
  EXPECT_EQ(state().dialog, DialogKind::Export);
  EXPECT_EQ(text(), "the dog");
  ui.key("Esc");
  type("the dog was");
  ui.key("Ctrl+S");
  show();
  EXPECT_EQ(state().dialog, DialogKind::SaveAs);
}

TEST_F(ModelTextTest, IsRestoredByEsc) {
  const std::string before = text();
  const std::size_t count = tokens();
  type("the dog");
  ui.key("Esc");
  show();
  EXPECT_EQ(text(), before);
  EXPECT_EQ(tokens(), count);
  EXPECT_EQ(ui.value("model/text"), before);
  EXPECT_TRUE(state().history.past.empty());
  EXPECT_FALSE(has_unsaved_changes(state()));
}

TEST_F(ModelTextTest, LeavesNoTraceWhereTypingEndsAsItBegan) {
  type("the dog");
  ui.key("Ctrl+A");
  ui.type("the animal did not cross the street because it was too tired .");
  ui.key("Enter");
  show();
  EXPECT_TRUE(state().history.past.empty());
  EXPECT_FALSE(has_unsaved_changes(state()));
  open("example:lesson-a-model-reads-your-sentence");
  for (int i = 0; i < 4; ++i) ui.key("PageDown");
  show();
  const std::size_t steps = state().history.past.size();
  type("the dog");
  EXPECT_TRUE(differs_from_lesson(state()));
  ui.key("Esc");
  show();
  EXPECT_FALSE(differs_from_lesson(state()));
  EXPECT_EQ(state().history.past.size(), steps);
}

TEST_F(ModelTextTest, KeepsTheLastTextWhileTheFieldIsEmpty) {
  type("the dog");
  ui.key("Ctrl+A");
  ui.key("Delete");
  show();
  EXPECT_EQ(text(), "the dog");
  EXPECT_EQ(ui.value("model/problem").find("The text is empty"), 0U);
  EXPECT_TRUE(state().notices.empty() || state().notices.back().level != Notice::Level::Warning);
}

TEST_F(ModelTextTest, SaysInPlaceOfTheTokensThatItIsTooLong) {
  type("the dog");
  std::string words;
  for (int i = 0; i < 50; ++i) words += " dog";
  ui.type(words);
  show();
  EXPECT_NE(ui.value("model/problem").find("found 54 tokens, expected at most 48"),
            std::string::npos)
      << ui.value("model/problem");
  EXPECT_TRUE(state().notices.empty()) << state().notices.back().text;
  EXPECT_EQ(text(), "the dog") << "the last that it could read";
  ui.key("Ctrl+A");
  ui.type("the cat");
  show();
  EXPECT_EQ(text(), "the cat");
  EXPECT_TRUE(ui.shows("model/tokens"));
}

TEST_F(ModelTextTest, ShowsBlanksOfTokensAsTheListDoes) {
  const std::string model = test::shared_folder() + "/models/stories260K";
  if (!std::filesystem::exists(model)) GTEST_SKIP() << "no " << model;
  open(model);
  type("Once upon");
  EXPECT_EQ(ui.value("model/tokens"), "3 tokens: <s> · ␣Once · ␣upon");
}

TEST_F(ModelTextTest, StandsAboveWhatItsFolderNotes) {
  EXPECT_NE(ui.value("model/note").find("A toy"), std::string::npos) << ui.value("model/note");
  open("example:what-it-means");
  EXPECT_EQ(text(), "the animal did not cross the street because it was too tired .");
  EXPECT_TRUE(ui.shows("model/note"));
}

TEST_F(ModelTextTest, IsNotShownWithoutAModel) {
  EXPECT_TRUE(ui.shows("model/text"));
  EXPECT_EQ(ui.value("tabs/0"), "on");
  open("example:i-love-cats");
  EXPECT_FALSE(ui.shows("model/text"));
}

TEST_F(ModelTextTest, OpensByFolderEnterDoubleClickDropOrOneOfItsFiles) {
  const std::string model = path("toy");
  std::filesystem::copy(test::source_folder() + "/assets/models/pronoun-encoder", model);
  const auto browse = [&](const std::string& where) {
    open("example:i-love-cats");
    ui.key("Ctrl+O");
    ui.type(where);
    ui.key("Enter");
  };
  const auto is_open = [&] {
    return state().source_path == model && state().document.source_model;
  };
  browse(folder.string());
  ui.double_click("files/entry/toy");
  EXPECT_TRUE(is_open());
  EXPECT_EQ(state().preferences.recent_files.front(), model);
  browse(folder.string());
  ui.type("toy");
  ui.key("Enter");
  EXPECT_TRUE(is_open());
  browse(model);
  EXPECT_TRUE(is_open());
  browse(model + "/tokenizer_config.json");
  EXPECT_TRUE(is_open());
  open("example:i-love-cats");
  ui.drop({model});
  show();
  EXPECT_TRUE(is_open());
  ui.drop({folder.string()});
  show();
  EXPECT_NE(state().notices.back().text.find("attnscope.record"), std::string::npos);
}

}  // namespace
}  // namespace attn
