// Paths, folders and suggested names of the file browser.
#include "gui/shell/windows/folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "session/command.h"
#include "session/effect.h"
#include "support/process.h"

namespace attn::gui {
namespace {

namespace fs = std::filesystem;

TEST(ResolvedPath, FollowsWhatWasTyped) {
  EXPECT_EQ(resolved_path("/home/ada", "cats.json"), "/home/ada/cats.json");
  EXPECT_EQ(resolved_path("/home/ada", "../bob/x"), "/home/bob/x");
  EXPECT_EQ(resolved_path("/home/ada", "/etc/"), "/etc");
  EXPECT_EQ(resolved_path("/home/ada", "~/x"), resolved_path(home_folder(), "x"));
  EXPECT_EQ(resolved_path("/", ".."), "/");
}

TEST(ReadFolder, PutsFoldersFirstAndLeavesHiddenOnesOut) {
  const fs::path folder = fs::temp_directory_path() / "attnscope_folder_test";
  fs::remove_all(folder);
  fs::create_directories(folder / "zoo");
  for (const char* name : {"b.json", "A.json", ".hidden"}) std::ofstream(folder / name) << "x";
  const auto entries = read_folder(folder.string());
  ASSERT_TRUE(entries.ok());
  const std::vector<FolderEntry> expected{{"zoo", true}, {"A.json", false}, {"b.json", false}};
  EXPECT_EQ(*entries, expected);
  fs::remove_all(folder);
}

TEST(ReadFolder, SaysWhichFolderCannotBeRead) {
  const auto entries = read_folder("/no/such/folder");
  ASSERT_FALSE(entries.ok());
  EXPECT_EQ(entries.error().file, "/no/such/folder");
}

TEST(FilteredEntries, MatchAnywhereWhateverTheCase) {
  const std::vector<FolderEntry> entries{{"Cats.json", false}, {"dogs.json", false}};
  EXPECT_EQ(filtered_entries(entries, "CAT"), std::vector<std::size_t>{0});
  EXPECT_EQ(filtered_entries(entries, "").size(), 2U);
}

TEST(FilteredEntries, ThatBeginWithItComeFirst) {
  const std::vector<FolderEntry> entries{
      {"ahead", true}, {"old", true}, {"ex_four-heads.json", false}, {"Heads.npy", false}};
  EXPECT_EQ(filtered_entries(entries, "hea"), (std::vector<std::size_t>{3, 0, 2}));
  EXPECT_EQ(filtered_entries(entries, "o"), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(filtered_entries(entries, "h"), (std::vector<std::size_t>{3, 0, 2}));
  EXPECT_EQ(filtered_entries(entries, ""), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(SuggestedName, ComesFromTheTitleOrTheFile) {
  AppState state = initial_state();
  state.document.title = "I love cats: attention by hand!";
  EXPECT_EQ(suggested_name(state, DialogKind::SaveAs), "i-love-cats-attention-by-hand.attn.json");
  state.document.title = "What does “it” refer to?";
  EXPECT_EQ(suggested_name(state, DialogKind::SaveAs), "what-does-it-refer-to.attn.json");
  state.path = "/data/cats.attn.json";
  EXPECT_EQ(suggested_name(state, DialogKind::SaveAs), "cats.attn.json");
  EXPECT_EQ(suggested_name(state, DialogKind::Export), "cats-heatmap.png");
  EXPECT_EQ(suggested_name(state, DialogKind::Open), "");
}

TEST(SuggestedName, OfAModelWithoutATitleComesFromItsFolderAndText) {
  AppState state = initial_state();
  state.document.title = "";
  state.document.source_model = SourceModel{.folder = "/models/tiny-bert"};
  const auto name_with = [&](const char* text) {
    state.document.source_model->text = text;
    return suggested_name(state, DialogKind::SaveAs);
  };
  EXPECT_EQ(name_with(""), "tiny-bert.attn.json");
  EXPECT_EQ(name_with("The cat sat."), "tiny-bert-the-cat-sat.attn.json");
  EXPECT_EQ(name_with("the animal did not cross the street because it was tired"),
            "tiny-bert-the-animal-did-not-cross-the.attn.json");
}

TEST(ExportExtension, ReplacesOnlyThoseOfPictures) {
  EXPECT_EQ(with_export_extension("a/cats.png", "svg"), "a/cats.svg");
  EXPECT_EQ(with_export_extension("a/cats.v2", "svg"), "a/cats.v2.svg");
}

TEST(Folder, ExportsAreSuggestedWhereTheLastOneWas) {
  const test::TemporaryFolder folder;
  AppState state = initial_state();
  state.path = "/tmp/cats.attn.json";
  EXPECT_EQ(suggested_folder(state, DialogKind::Export), "/tmp");
  state.preferences.export_folder = folder.path();
  EXPECT_EQ(suggested_folder(state, DialogKind::Export), folder.path());
}

}  // namespace
}  // namespace attn::gui
