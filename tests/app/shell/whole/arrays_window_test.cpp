// The window that chooses how the arrays of a file are read.
#include <gtest/gtest.h>

#include <fstream>

#include "app/shell/app_fixture.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn::gui {
namespace {

class ArraysWindow : public test::AppTest {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  static std::string numbers(const std::string& shape, std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7) / 8.0F;
    return test::float_npy(shape, values);
  }
  // Four heads of two tokens, or two heads of four.
  std::string rows() const {
    return write("rows.npz", test::zip_of({{"q.npy", numbers("(4, 2, 3)", 24)},
                                           {"k.npy", numbers("(4, 2, 3)", 24)}}));
  }
  void open_dialog(const std::string& file) {
    open(file);
    app.apply(command::AskArrays{});
    show();
    EXPECT_EQ(state().overlay, Overlay::Arrays);
  }
  std::size_t heads() const { return shape_of(state().document).heads; }
};

TEST_F(ArraysWindow, NamesTheOtherReadingAndOffersIt) {
  open_dialog(rows());
  EXPECT_EQ(heads(), 4U) << "the usual reading is shown behind it";
  EXPECT_EQ(ui.value("arrays/fit/0"), "on");
  ui.click("arrays/fit/1");
  EXPECT_EQ(ui.value("arrays/words"), "axes=token,head,feature");
  ui.key("Enter");
  app.wait_until_idle();
  show();
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(heads(), 2U);
  EXPECT_TRUE(state().path.empty()) << "saving asks for a name";
  ui.key("Ctrl+Z");
  EXPECT_EQ(heads(), 4U);
}

// A mask of no name that is half true, for two samples of nine tokens.
std::vector<test::ZipEntry> with_open_mask(const std::string& rows) {
  const std::string flags("\1\0\1\0\1\0\1\0\0\0\1\0\1\0\1\0\1\1", 18);
  return {{"q.npy", rows},
          {"k.npy", rows},
          {"tokens.npy", test::npy("<U1", "(2, 9)", std::string(72, '\0'))},
          {"m.npy", test::npy("|b1", "(2, 9)", flags)}};
}

TEST_F(ArraysWindow, AsksOnceWhatAMaskMeans) {
  const std::string file = write("m.npz", test::zip_of(with_open_mask(numbers("(2, 9, 4)", 72))));
  open(file);
  show();
  ASSERT_EQ(state().overlay, Overlay::Arrays);
  EXPECT_EQ(ui.value("arrays/mask/0/True attends"), "on");
  EXPECT_EQ(state().document.mask.key_padding.front()[0], 1);
  ui.click("arrays/mask/0/True hides");
  EXPECT_EQ(ui.value("arrays/words"), "hidden=m");
  ui.click("arrays/apply");
  app.wait_until_idle();
  show();
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(state().document.mask.key_padding.front()[0], 0);
  EXPECT_NE(state().reading_notes.front().find("true hides"), std::string::npos);
  app.apply(command::StepEdit{-1});
  EXPECT_EQ(state().document.mask.key_padding.front()[0], 1);
  EXPECT_EQ(state().reading_notes.front().find("true hides"), std::string::npos)
      << "the notes are those of the reading that undo restored";
  app.apply(command::AskArrays{});
  show();
  EXPECT_EQ(ui.value("arrays/mask/0/True attends"), "on");
  ui.key("Esc");
  app.apply(command::StepEdit{1});
  app.apply(command::AskArrays{});
  show();
  ui.click("arrays/mask/0/Not a mask");
  ui.click("arrays/apply");
  app.wait_until_idle();
  EXPECT_EQ(state().document.mask, Mask{});
  app.apply(command::CloseTab{});
  app.apply(command::AnswerQuestion{command::Answer::Discard});
  open(file);
  EXPECT_FALSE(state().overlay) << "it was asked already";
}

TEST_F(ArraysWindow, LayersOfUnknownNamesAreOneClick) {
  open(write("x.npz", test::zip_of({{"x_0.npy", numbers("(4, 6, 6)", 144)},
                                    {"x_1.npy", numbers("(4, 6, 6)", 144)},
                                    {"z.npy", numbers("(2, 2)", 4)}})));
  show();
  ASSERT_EQ(state().overlay, Overlay::Arrays);
  ui.click("arrays/attention/0");
  EXPECT_EQ(ui.value("arrays/words"), "attention=x_*");
  ui.click("arrays/apply");
  app.wait_until_idle();
  EXPECT_EQ(shape_of(state().document).layers, 2U);
}

TEST_F(ArraysWindow, EscKeepsTheUsualReading) {
  open_dialog(rows());
  ui.click("arrays/fit/1");
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(heads(), 4U);
  EXPECT_EQ(ui.count<command::ReadArrays>(), 0U);
}

TEST_F(ArraysWindow, IsOfferedWithTheSentenceOfTheReading) {
  open(write("attn.npy", numbers("(3, 2, 2)", 12)));
  show();
  ASSERT_FALSE(state().overlay);
  const std::string notice = ui.value("notice/0");
  EXPECT_EQ(notice.find("attn.npy: the array (3 × 2 × 2): attention, 3 heads of 2 × 2"), 0U)
      << notice;
  EXPECT_NE(notice.find("; as well 3 samples"), std::string::npos) << notice;
  ui.click("notice/0/arrays");
  show();
  ASSERT_EQ(state().overlay, Overlay::Arrays);
  ui.click("arrays/attention/axis/0");
  ui.click("arrays/attention/axis/0/sample");
  EXPECT_EQ(ui.value("arrays/words"), "axes=sample,query,key");
  ui.click("arrays/apply");
  app.wait_until_idle();
  EXPECT_EQ(shape_of(state().document).samples, 3U);
}

TEST_F(ArraysWindow, AnAxisOfATakenNameIsExchanged) {
  open_dialog(rows());
  ui.click("arrays/q/axis/0");
  ui.click("arrays/q/axis/0/token");
  EXPECT_EQ(ui.value("arrays/words"), "axes=token,head,feature");
  ui.click("arrays/k/axis/2");
  ui.click("arrays/k/axis/2/token");
  EXPECT_EQ(ui.value("arrays/words"), "axes=token,head,feature k.axes=feature,head,token");
  EXPECT_FALSE(ui.enabled("arrays/apply"));
  EXPECT_NE(ui.value("arrays/reason").find("axis feature"), std::string::npos)
      << ui.value("arrays/reason");
  ui.key("Enter");
  EXPECT_EQ(state().overlay, Overlay::Arrays);
}

TEST_F(ArraysWindow, OpensWhereNamesMeanNothing) {
  open(write("nonsense.npz",
             test::zip_of({{"层.npy", numbers("(2, 2)", 4)}, {"b.npy", numbers("(3, 3)", 9)}})));
  show();
  ASSERT_EQ(state().overlay, Overlay::Arrays);
  EXPECT_FALSE(ui.enabled("arrays/apply"));
  ui.click("arrays/attention");
  ui.click("arrays/attention/层");
  EXPECT_EQ(ui.value("arrays/words"), "attention=层");
  ui.key("Enter");
  app.wait_until_idle();
  show();
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(shape_of(state().document).n_q, 2U);
}

TEST_F(ArraysWindow, OpensWhereNamesMeanNothingEvenIfPicturesAreTaken) {
  app.apply(command::AskWhereAmbiguous{false});
  open(write("nonsense.npz",
             test::zip_of({{"a.npy", numbers("(2, 2)", 4)}, {"b.npy", numbers("(3, 3)", 9)}})));
  EXPECT_EQ(state().overlay, Overlay::Arrays);
}

// Such a file is mapped: its new bytes must not be taken for numbers.
TEST_F(ArraysWindow, AFileWithGarbageShowsNoNumbersUntilItIsBack) {
  const std::string good = numbers("(3, 2, 2)", 12);
  open(write("attn.npy", good));
  show();
  EXPECT_TRUE(ui.shows("inputs/shape"));
  const auto rewrite = [&](const std::string& bytes) {
    write("attn.npy", bytes);
    app.apply(command::CheckFiles{});
    app.wait_until_idle();
    app.wait_until_idle();
    show();
  };
  rewrite(std::string(good.size(), 'x'));
  EXPECT_TRUE(ui.shows("inputs/problem"));
  EXPECT_FALSE(ui.shows("inputs/shape"));
  rewrite(good);
  EXPECT_TRUE(ui.shows("inputs/shape"));
  EXPECT_FALSE(ui.shows("inputs/problem"));
}

TEST_F(ArraysWindow, WordsAreRefusedWhileTheyMeanNothing) {
  open_dialog(rows());
  ui.click("arrays/words");
  ui.key("Ctrl+A");
  ui.type("axis=3");
  EXPECT_FALSE(ui.enabled("arrays/apply"));
  ui.key("Ctrl+A");
  ui.type("axes=token,head,feature");
  ui.key("Enter");
  app.wait_until_idle();
  EXPECT_EQ(heads(), 2U);
}

TEST_F(ArraysWindow, SavingNeverWritesOverTheFile) {
  const std::string file = rows();
  const auto bytes = [&] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string before = bytes();
  open(file);
  app.apply(command::ShowOverlay{});
  app.apply(command::SetCell{{"/q", {}}, 0, 0, 5.0F});
  app.apply(command::Save{});
  EXPECT_EQ(state().dialog, DialogKind::SaveAs);
  app.apply(command::SaveAs{file, true});
  app.wait_until_idle();
  EXPECT_EQ(bytes(), before);
  const std::string link = path("link.json");
  std::filesystem::create_hard_link(file, link);
  app.apply(command::SaveAs{link, true});
  app.wait_until_idle();
  EXPECT_EQ(bytes(), before) << "by another name of the same file";
  app.apply(command::Export{file, true});
  app.wait_until_idle();
  EXPECT_EQ(bytes(), before);
  app.apply(command::SaveAs{path("edits.json"), false});
  app.wait_until_idle();
  EXPECT_TRUE(std::filesystem::exists(path("edits.json")));
  EXPECT_EQ(bytes(), before);
  EXPECT_FALSE(state().arrays) << "the tab is of a document now";
}

TEST_F(ArraysWindow, TheChoiceStaysWithTheTab) {
  open(rows());
  app.apply(command::ReadArrays{path("rows.npz"), "axes=token,head,feature"});
  app.wait_until_idle();
  ASSERT_EQ(heads(), 2U);
  app.apply(command::KeepTabs{});
  const std::vector<KeptTab> tabs = state().preferences.tabs;
  ASSERT_EQ(tabs.size(), 1U);
  EXPECT_EQ(tabs.front().arrays, "axes=token,head,feature");
  app.apply(command::CloseTab{});
  app.apply(command::RestoreTabs{tabs, tabs.front().path});
  app.wait_until_idle();
  EXPECT_EQ(heads(), 2U);
  EXPECT_FALSE(state().overlay);
}

}  // namespace
}  // namespace attn::gui
