// Opening, saving and exporting by mouse and keyboard, and the questions that protect edits.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/shell/app_fixture.h"
#include "export/provenance.h"
#include "session/command.h"
#include "session/preferences.h"
#include "tests/core/document/npy_bytes.h"

namespace attn::gui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCats =
    R"({"tokens": ["a", "b"], "q": [[1, 0], [0, 1]], "k": [[1, 0], [0, 1]], "v": [[1], [2]]})";

class FilesTest : public test::AppTest {
 protected:
  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  void edit() {
    ui.click("masks/causal");
    ASSERT_TRUE(has_unsaved_changes(state()));
  }
  // Saves to saved.attn.json while a job reads a pipe without a writer.
  void save_while_a_pipe_is_read() {
    write("cats.attn.json", kCats);
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    open(path("cats.attn.json"));
    edit();
    app.apply(command::Open{path("pipe")});
    app.apply(command::SaveAs{path("saved.attn.json")});
  }
};

TEST_F(FilesTest, OpensByKeyboard) {
  write("docs/cats.attn.json", kCats);
  write("docs/dogs.attn.json", "{}");
  open("example:i-love-cats");
  ui.key("Ctrl+O");
  ASSERT_TRUE(ui.shows("files/name"));
  ui.type(folder.string() + "/");
  ui.key("Enter");
  EXPECT_TRUE(ui.shows("files/entry/docs"));
  ui.type("doc");
  ui.key("Enter");
  ASSERT_TRUE(ui.shows("files/entry/cats.attn.json"));
  ui.type("cat");
  EXPECT_FALSE(ui.shows("files/entry/dogs.attn.json"));
  ui.key("Enter");
  EXPECT_EQ(state().path, path("docs/cats.attn.json"));
  EXPECT_EQ(token(1), "b");
  EXPECT_FALSE(state().dialog);
}

// In the frame of the click the list had indices of the old folder's entries, out of bounds for the
// new one: a sanitizer reports it.
TEST_F(FilesTest, APlaceOfFewerFilesIsListedInTheFrameOfItsClick) {
  for (const char letter : std::string("abcdefghijkl")) write(std::string("many/") + letter, "");
  fs::create_directory(path("home"));
  setenv("HOME", path("home").c_str(), 1);
  open("example:i-love-cats");
  ui.key("Ctrl+O");
  ui.type(path("many"));
  ui.key("Enter");
  ui.click("files/place/Home");
  EXPECT_TRUE(ui.names("files/entry/").empty());
}

TEST_F(FilesTest, AFileThatAnotherProgramWritesIsReadAgainAlthoughTheFocusStays) {
  write("cats.attn.json", kCats);
  open(path("cats.attn.json"));
  ASSERT_TRUE(timer);
  EXPECT_LE(*timer, 5.0);
  EXPECT_FALSE(app.seconds_until_frame()) << "looking at files needs none";
  std::string other = kCats;
  other.replace(other.find("\"b\""), 3, "\"other\"");
  write("cats.attn.json", other);
  pass(6.0);
  show();
  EXPECT_EQ(token(1), "other");
}

TEST_F(FilesTest, ArrowsChooseAndBackspaceGoesUp) {
  write("docs/a.attn.json", "{}");
  write("docs/b.attn.json", kCats);
  open("example:i-love-cats");
  ui.key("Ctrl+O");
  ui.type(path("docs"));
  ui.key("Enter");
  ui.key("Backspace");
  EXPECT_TRUE(ui.shows("files/entry/docs"));
  ui.type("docs");
  ui.key("Enter");
  ui.key("Down");
  ui.key("Enter");
  EXPECT_EQ(state().path, path("docs/b.attn.json"));
}

TEST_F(FilesTest, SaysWhenAFileIsNotThereAndEscCloses) {
  open("example:i-love-cats");
  ui.key("Ctrl+O");
  ui.type("/no/such/file.json");
  ui.key("Enter");
  EXPECT_TRUE(ui.shows("files/problem"));
  ui.key("Esc");
  ui.key("Esc");
  EXPECT_FALSE(state().dialog);
}

TEST_F(FilesTest, DoubleClickOpens) {
  write("cats.attn.json", kCats);
  open("example:i-love-cats");
  ui.key("Ctrl+O");
  ui.type(folder.string());
  ui.key("Enter");
  ui.double_click("files/entry/cats.attn.json");
  EXPECT_EQ(state().path, path("cats.attn.json"));
}

TEST_F(FilesTest, SaveAsAddsTheEndingAndTheTitleFollows) {
  open("example:i-love-cats");
  edit();
  EXPECT_TRUE(window_title(state()).starts_with("* "));
  ui.key("Ctrl+Shift+S");
  ui.key("Ctrl+A");
  ui.type(path("mine"));
  ui.key("Enter");
  EXPECT_EQ(state().path, path("mine.attn.json"));
  EXPECT_FALSE(has_unsaved_changes(state()));
  EXPECT_NE(test::read_text(path("mine.attn.json")).find("\"causal\""), std::string::npos);
  EXPECT_EQ(window_title(state()), "mine.attn.json – AttnScope");
}

TEST_F(FilesTest, AsksBeforeOverwriting) {
  write("there.attn.json", "old");
  open("example:i-love-cats");
  ui.key("Ctrl+Shift+S");
  ui.key("Ctrl+A");
  ui.type(path("there.attn.json"));
  ui.key("Enter");
  ASSERT_TRUE(ui.shows("question/overwrite"));
  ui.key("Enter");  // the answer that loses nothing
  EXPECT_EQ(test::read_text(path("there.attn.json")), "old");
  ASSERT_TRUE(ui.shows("files/name"));
  EXPECT_EQ(ui.value("files/name"), path("there.attn.json"));  // as typed
  ui.key("Enter");
  ui.click("question/overwrite");
  EXPECT_NE(test::read_text(path("there.attn.json")), "old");
}

TEST_F(FilesTest, ExportsThePlotInTheChosenFormat) {
  open("example:i-love-cats");
  ui.key("Ctrl+E");
  ui.key("Ctrl+A");
  ui.type(path("map.png"));
  ui.click("export/format/svg");
  EXPECT_EQ(ui.value("export/path"), path("map.svg"));
  ui.key("Enter");
  ASSERT_TRUE(fs::exists(path("map.svg")));
  EXPECT_NE(test::read_text(path("map.svg")).find("<svg"), std::string::npos);
  EXPECT_FALSE(has_unsaved_changes(state()));
}

TEST_F(FilesTest, AFlowIsExportedAsAnAnimationOfItsSteps) {
  open("example:i-love-cats");
  ui.key("Ctrl+E");
  EXPECT_FALSE(ui.shows("export/format/gif"));
  ui.key("Esc");
  app.apply(command::SelectPlot{"flow"});
  ui.key("Ctrl+E");
  ui.key("Ctrl+A");
  ui.type(path("story.png"));
  ui.click("export/format/gif");
  EXPECT_EQ(ui.value("export/path"), path("story.gif"));
  EXPECT_EQ(ui.value("export/command").find("--step"), std::string::npos);
  ui.key("Enter");
  ASSERT_TRUE(fs::exists(path("story.gif")));
  const std::string bytes = test::read_text(path("story.gif"));
  EXPECT_TRUE(bytes.starts_with("GIF89a"));
  EXPECT_EQ(provenance_in(bytes)->call, "attnscope export example:i-love-cats --plot flow");
  EXPECT_NE(bytes.find("!\xF9\x04\x05"), bytes.npos);
}

TEST_F(FilesTest, ACancelledOverwriteOfAPictureKeepsTheTypedName) {
  write("map.svg", "old");
  open("example:i-love-cats");
  ui.key("Ctrl+E");
  ui.key("Ctrl+A");
  ui.type(path("map.svg"));
  ui.key("Enter");
  ASSERT_TRUE(ui.shows("question/cancel"));
  ui.click("question/cancel");
  EXPECT_EQ(test::read_text(path("map.svg")), "old");
  ASSERT_TRUE(ui.shows("export/path"));
  EXPECT_EQ(ui.value("export/path"), path("map.svg"));
}

TEST_F(FilesTest, APictureOfAnUnknownKindIsRefusedWithTheKindsThatCanBeWritten) {
  open("example:i-love-cats");
  ui.key("Ctrl+E");
  ui.key("Ctrl+A");
  ui.type(path("map.bmp"));
  ui.key("Enter");
  ASSERT_TRUE(ui.shows("export/problem"));
  for (const char* kind : {".png", ".svg", ".pdf", "map.bmp"}) {
    EXPECT_NE(ui.value("export/problem").find(kind), std::string::npos) << kind;
  }
  EXPECT_FALSE(fs::exists(path("map.bmp")));
  EXPECT_EQ(ui.value("export/path"), path("map.bmp"));
  EXPECT_TRUE(state().dialog);
}

TEST_F(FilesTest, ListsDocumentsUnlessAllFilesAreAskedFor) {
  write("docs/cats.attn.json", kCats);
  write("docs/MORE.JSON", kCats);
  write("docs/notes.md", "words");
  write("docs/map.svg", "<svg/>");
  write("docs/inner/x.json", kCats);
  open("example:i-love-cats");
  ui.key("Ctrl+O");
  ui.type(path("docs"));
  ui.key("Enter");
  EXPECT_EQ(ui.names("files/entry/").size(), 3U);
  EXPECT_FALSE(ui.shows("files/entry/notes.md"));
  ui.click("files/kind");
  ASSERT_TRUE(ui.shows("files/kind/All files"));
  ui.key("Esc");  // keeps the choice
  EXPECT_FALSE(ui.shows("files/kind/All files"));
  ASSERT_TRUE(state().dialog);
  ui.click("files/kind");
  ui.click("files/kind/All files");
  EXPECT_EQ(ui.names("files/entry/").size(), 5U);
  ui.type("cats");
  ui.key("Enter");
  EXPECT_EQ(state().path, path("docs/cats.attn.json"));
  ui.key("Ctrl+E");
  ui.click("export/browse");
  ui.key("Ctrl+A");
  ui.type(path("docs"));
  ui.key("Enter");
  EXPECT_TRUE(ui.shows("files/entry/map.svg"));
  EXPECT_FALSE(ui.shows("files/entry/cats.attn.json"));
  ui.key("Ctrl+A");
  ui.type("new.pdf");
  ui.key("Enter");
  EXPECT_EQ(ui.value("export/path"), path("docs/new.pdf"));
  ui.click("export/browse");
  ui.key("Esc");
  EXPECT_EQ(ui.value("export/path"), path("docs/new.pdf")) << "leads back";
}

TEST_F(FilesTest, KindsOfFilesComeFromTheLoaders) {
  write("docs/cats.attn.json", kCats);
  write("docs/cats.npy", test::float_npy("(1, 2)", {0.5, 0.5}));
  write("docs/notes.md", "words");
  open("example:i-love-cats");
  ui.key("Ctrl+O");
  ui.type(path("docs"));
  ui.key("Enter");
  EXPECT_EQ(ui.names("files/entry/").size(), 2U);
  ui.click("files/kind");
  ui.click("files/kind/JSON documents");
  EXPECT_FALSE(ui.shows("files/entry/cats.npy"));
  ui.click("files/kind");
  ui.click("files/kind/array files");
  EXPECT_FALSE(ui.shows("files/entry/cats.attn.json"));
  ui.double_click("files/entry/cats.npy");
  EXPECT_EQ(state().source_path, path("docs/cats.npy"));
  EXPECT_EQ(window_title(state()), "cats – AttnScope");
  ui.key("Ctrl+S");
  ASSERT_TRUE(ui.shows("files/name"));
  EXPECT_EQ(ui.value("files/name"), "cats.attn.json");
  EXPECT_EQ(ui.value("files/folder"), path("docs"));
}

TEST_F(FilesTest, RecentFilesAndExamplesStandInOneColumnAndFillTheWindow) {
  const std::string long_name = std::string(60, 'w') + ".attn.json";
  write("cats.attn.json", kCats);
  write(long_name, kCats);
  open(path("cats.attn.json"));
  open(path(long_name));
  ui.key("Ctrl+O");
  const auto home = ui.find("files/place/Home");
  ASSERT_TRUE(home);
  for (const char* name :
       {"files/recent/0", "files/recent/1", "files/example/lesson-what-attention-computes"}) {
    const auto row = ui.find(name);
    ASSERT_TRUE(row) << name;
    EXPECT_EQ(row->min.x, home->min.x) << name;
    EXPECT_EQ(row->max.x, home->max.x) << name;
  }
  ui.hover("files/recent/0");
  ui.click("files/recent/1");
  EXPECT_EQ(state().path, path("cats.attn.json"));
}

TEST_F(FilesTest, UnsavedEditsAreAskedAbout) {
  write("cats.attn.json", kCats);
  open("example:i-love-cats");
  edit();
  app.apply(command::Quit{});
  ui.frames(3);
  ASSERT_TRUE(ui.shows("question/save"));
  ui.click("question/cancel");
  EXPECT_FALSE(state().quitting);
  EXPECT_TRUE(state().document.mask.causal);
  ui.drop({path("cats.attn.json")});
  ui.frames(3);
  EXPECT_EQ(state().path, path("cats.attn.json")) << "in a tab of its own";
  ui.key("Ctrl+Tab");
  EXPECT_TRUE(state().document.mask.causal);
  ui.key("Ctrl+W");
  ui.frames(3);
  ASSERT_TRUE(ui.shows("question/discard"));
  for (int i = 0; i < 9 && ui.focused() != "question/discard"; ++i) ui.key("Tab");
  ASSERT_EQ(ui.focused(), "question/discard");
  ui.key("Enter");
  EXPECT_EQ(state().path, path("cats.attn.json"));
  ui.key("Ctrl+Shift+T");
  EXPECT_TRUE(state().document.mask.causal);
}

TEST_F(FilesTest, SaveInTheQuestionSavesAndThenQuits) {
  write("cats.attn.json", kCats);
  open(path("cats.attn.json"));
  edit();
  app.apply(command::Quit{});
  ui.frames(3);
  ui.click("question/save");
  EXPECT_TRUE(state().quitting);
  EXPECT_NE(test::read_text(path("cats.attn.json")).find("\"causal\""), std::string::npos);
}

TEST_F(FilesTest, AChangedFileIsSavedElsewhereByEnterAndReplacedByTheButton) {
  write("cats.attn.json", kCats);
  open(path("cats.attn.json"));
  edit();
  write("cats.attn.json", "theirs");
  ui.key("Ctrl+S");
  ASSERT_TRUE(ui.shows("question/save_as"));
  EXPECT_NE(ui.value("question").find("cats.attn.json"), std::string::npos);
  ui.key("Enter");
  ASSERT_TRUE(ui.shows("files/name"));
  ui.key("Esc");
  EXPECT_EQ(test::read_text(path("cats.attn.json")), "theirs");
  ui.key("Ctrl+S");
  ui.click("question/overwrite");
  EXPECT_NE(test::read_text(path("cats.attn.json")).find("\"causal\""), std::string::npos);
  EXPECT_FALSE(has_unsaved_changes(state()));
}

TEST_F(FilesTest, TheirsIsTakenByTheButtonOfTheQuestion) {
  write("cats.attn.json", kCats);
  open(path("cats.attn.json"));
  edit();
  write("cats.attn.json", std::string(R"({"title": "Theirs", )") + (kCats + 1));
  ui.key("Ctrl+S");
  ui.click("question/reload");
  EXPECT_EQ(state().document.title, "Theirs");
  EXPECT_FALSE(has_unsaved_changes(state()));
  ui.key("Ctrl+Z");
  EXPECT_TRUE(state().document.mask.causal);
}

TEST_F(FilesTest, AFileThatChangesBesideEditsIsReadAgainByTheButtonOfItsMessage) {
  write("cats.attn.json", kCats);
  open(path("cats.attn.json"));
  edit();
  write("cats.attn.json", std::string(R"({"title": "Theirs", )") + (kCats + 1));
  app.apply(command::CheckFiles{});
  app.wait_until_idle();
  ui.frames(3);
  EXPECT_TRUE(state().document.mask.causal);
  pass(60.0);
  ui.click("notice/0/reload");
  EXPECT_EQ(state().document.title, "Theirs");
  ui.frames(3);
  EXPECT_FALSE(ui.shows("notice/0/reload"));
}

TEST_F(FilesTest, FinishedWeightsThatLookCausalAreAskedAboutOnce) {
  write("gpt.attn.json", R"({"description": "A head.", "attention": [[1, 0], [0.5, 0.5]]})");
  open(path("gpt.attn.json"));
  pass(60.0);
  EXPECT_EQ(ui.value("notice/0"),
            "gpt.attn.json looks causal: all weights above the diagonal are 0. They are hatched as "
            "hidden.");
  EXPECT_TRUE(state().document.mask.causal);
  EXPECT_NE(ui.value("inspector/note/1").find("read as causal"), std::string::npos);
  ui.click("notice/0/zeros");
  ui.frames(3);
  EXPECT_FALSE(state().document.mask.causal);
  EXPECT_FALSE(ui.shows("inspector/note/0")) << "it is no longer read so";
  EXPECT_FALSE(ui.shows("document/described_others")) << "no number changed";
  EXPECT_FALSE(ui.shows("notice/0/zeros"));
  ui.key("Ctrl+S");
  app.wait_until_idle();
  open(path("gpt.attn.json"));
  EXPECT_FALSE(state().document.mask.causal);
  EXPECT_FALSE(ui.shows("notice/0/zeros")) << "the file says it";
}

TEST_F(FilesTest, AQuestionAboutAFileStandsAboveItsPanesAndOverNoOtherDocument) {
  write("gpt.attn.json", R"({"attention": [[1, 0], [0.5, 0.5]]})");
  open(path("gpt.attn.json"));
  ui.frames(3);
  const auto question = ui.find("notice/0"), keep = ui.find("notice/0/keep");
  const auto panes = ui.find("panel/plots"), strip = ui.find("panel/strip");
  ASSERT_TRUE(question && keep && panes && strip);
  EXPECT_GE(question->min.y, strip->max.y);
  EXPECT_LE(keep->max.y, panes->min.y);
  EXPECT_GE(question->min.x, panes->min.x);
  app.apply(command::NewDocument{});
  app.wait_until_idle();
  ui.frames(3);
  EXPECT_FALSE(ui.shows("notice/0/keep")) << "it is about another document";
  ui.key("Ctrl+Shift+Tab");
  ui.frames(3);
  EXPECT_TRUE(ui.shows("notice/0/keep"));
}

TEST_F(FilesTest, WeightsThatAreKeptAsCausalStaySo) {
  write("gpt.attn.json", R"({"attention": [[1, 0], [0.5, 0.5]]})");
  open(path("gpt.attn.json"));
  ui.frames(3);
  ui.click("notice/0/keep");
  ui.frames(3);
  EXPECT_TRUE(state().document.mask.causal);
  EXPECT_FALSE(ui.shows("notice/0/keep"));
}

TEST_F(FilesTest, ABadFirstFileLeavesAnErrorAndAComputedDocument) {
  write("broken.json", "{");
  open(path("broken.json"));
  EXPECT_NE(ui.value("notice/0").find("broken.json"), std::string::npos);
  EXPECT_NE(state().result, nullptr);
  EXPECT_FALSE(is_computing(state()));
}

TEST_F(FilesTest, LeavingDoesNotWaitForAPipe) {
  ASSERT_NO_FATAL_FAILURE(save_while_a_pipe_is_read());
  app.leave();
  EXPECT_TRUE(app.is_idle());
  EXPECT_TRUE(fs::exists(path("saved.attn.json"))) << "what is to be kept is written first";
}

TEST_F(FilesTest, SavingDoesNotWaitForAPipeEither) {
  ASSERT_NO_FATAL_FAILURE(save_while_a_pipe_is_read());
  for (int tries = 0; tries < 500 && !fs::exists(path("saved.attn.json")); ++tries)
    ::usleep(10'000);
  EXPECT_TRUE(fs::exists(path("saved.attn.json")));
  EXPECT_FALSE(app.is_idle()) << "the pipe is still being read";
  app.leave();
}

TEST_F(FilesTest, EscCallsOffAJobThatIsShown) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  open("example:i-love-cats");
  app.apply(command::Open{path("pipe")});
  double now = 100.0;
  ui.frame([&](gui::Ui& u) { app.draw(u, now); });
  for (int tries = 0; tries < 500 && !ui.shows("status/cancel"); ++tries) {
    ::usleep(10'000);
    now += 0.1;
    ui.frames(1);
  }
  ASSERT_TRUE(ui.shows("status/cancel"));
  ui.key("Esc");
  app.wait_until_idle();
  EXPECT_EQ(state().source_path, "example:i-love-cats");
}

TEST_F(FilesTest, AWriteProtectedFileIsKeptAndItsReasonShown) {
  write("cats.attn.json", kCats);
  open(path("cats.attn.json"));
  edit();
  fs::permissions(path("cats.attn.json"), fs::perms::owner_read);
  ui.key("Ctrl+S");
  ASSERT_TRUE(ui.shows("question/save_as"));
  EXPECT_NE(ui.value("question").find("allow no writing"), std::string::npos);
  EXPECT_FALSE(ui.shows("question/overwrite"));
  ui.key("Esc");
  EXPECT_EQ(test::read_text(path("cats.attn.json")), kCats);
  EXPECT_TRUE(has_unsaved_changes(state()));
}

TEST_F(FilesTest, ABrokenFileLeavesTheDocumentAndSaysWhere) {
  write("broken.json", "{\"tokens\": [\"a\",]}");
  open("example:i-love-cats");
  ui.drop({path("broken.json")});
  ui.frames(3);
  EXPECT_EQ(token(0), "I");
  ASSERT_TRUE(ui.shows("notice/0"));
  EXPECT_NE(ui.value("notice/0").find("broken.json:1:"), std::string::npos);
  pass(60.0);
  EXPECT_TRUE(ui.shows("notice/0"));
}

TEST_F(FilesTest, ExamplesOpenFromTheMenuAndFromTheCard) {
  open("example:i-love-cats");
  ui.click("menu/File");
  ui.click("menu/File/Examples");
  ui.click("menu/File/Examples/First steps");
  ui.click("menu/File/Examples/First steps/example/translation-alignment");
  EXPECT_TRUE(state().document.cross);
  EXPECT_EQ(ui.value("tokens/key/0"), "我");
  EXPECT_EQ(ui.value("plot/heatmap/cell/1,1"), "0.91");
  EXPECT_EQ(state().path, "");
}

TEST_F(FilesTest, WhatOneRunOverridesIsNotKept) {
  Preferences on_disk;
  on_disk.theme = ThemeKind::Dark;
  Preferences of_run = on_disk;
  of_run.theme = ThemeKind::Light;
  app.start_with(of_run, on_disk);
  write("cats.attn.json", kCats);
  open(path("cats.attn.json"));  // becomes a recent file, which is kept
  const Preferences kept = load_preferences();
  EXPECT_EQ(kept.recent_files.size(), 1U);
  EXPECT_EQ(kept.theme, ThemeKind::Dark);
  EXPECT_EQ(state().preferences.theme, ThemeKind::Light);
  app.apply(command::SetPreference{"theme", "dark"});
  app.apply(command::SetPreference{"scale", "1.5"});
  app.wait_until_idle();
  EXPECT_EQ(load_preferences().scale, 1.5);
}

TEST_F(FilesTest, ARunThatEndsByASignalWritesItsPreferences) {
  for (const char* scale : {"1.25", "1.5", "2"}) {
    App other;
    other.start_with({}, Preferences{});
    other.apply(command::SetPreference{"scale", scale});
    other.leave_autosaving();
  }
  EXPECT_EQ(load_preferences().scale, 2.0);
}

TEST_F(FilesTest, ARunThatKeepsNothingWritesNoPreferences) {
  app.start_with({}, std::nullopt);
  app.apply(command::SetPreference{"theme", "light"});
  app.wait_until_idle();
  EXPECT_FALSE(fs::exists(folder / "config"));
}

TEST_F(FilesTest, TheLastDocumentIsOpenedAgainWhileItIsThereAndWanted) {
  open("example:four-heads");
  app.apply(command::SaveAs{path("last.attn.json"), true});
  app.wait_until_idle();
  const auto started = [&](const Preferences& kept) {
    App other;
    other.start_with(kept, kept);
    other.open_at_start({});
    for (int jobs = 0; jobs < 3; ++jobs) {  // one that fails is followed by another
      other.wait_until_idle();
      other.take_results();
    }
    return other.state().source_path;
  };
  Preferences kept = load_preferences();
  EXPECT_EQ(started(kept), path("last.attn.json"));
  std::ofstream(path("broken.attn.json")) << "{";
  Preferences broken = kept;
  broken.last_document = path("broken.attn.json");
  EXPECT_TRUE(started(broken).starts_with("example:")) << "in place of one that cannot be read";
  kept.reopens = false;
  EXPECT_TRUE(started(kept).starts_with("example:"));
  kept.reopens = true;
  std::filesystem::remove(path("last.attn.json"));
  EXPECT_TRUE(started(kept).starts_with("example:"));
}

}  // namespace
}  // namespace attn::gui
