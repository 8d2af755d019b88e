// Several documents open at once.
#include <gtest/gtest.h>

#include <filesystem>

#include "document/json/write.h"
#include "document/load/open.h"
#include "session/preferences.h"
#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::set_cell;
using test::two_heads;
using Answer = command::Answer;

Document titled(const std::string& title) {
  Document document = two_heads();
  document.title = title;
  return document;
}

std::vector<std::string> titles(const AppState& state) {
  std::vector<std::string> names;
  for (const OpenDocument* open : open_documents(state)) names.push_back(open->document.title);
  return names;
}

SessionDriver three() {
  SessionDriver session;
  for (const char* title : {"a", "b", "c"}) {
    session.open(titled(title), std::string("/tmp/") + title + ".json");
  }
  return session;
}

using Names = std::vector<std::string>;

TEST(Tabs, EveryDocumentOpensBesideTheOthersButAnUntouchedOneMakesRoom) {
  const SessionDriver session = three();
  EXPECT_EQ(titles(session.state), (Names{"a", "b", "c"}));
  EXPECT_EQ(session.state.document.title, "c");
}

TEST(Tabs, FilesNamedTogetherOpenInTheirOrderAndTheFirstIsLookedAt) {
  SessionDriver session;
  for (const char* example : {"i-love-cats", "four-heads", "causal-decoder"}) {
    session.send(
        command::Open{"example:" + std::string(example), std::string(example) != "i-love-cats"});
    session.settle();
  }
  ASSERT_EQ(open_documents(session.state).size(), 3U);
  EXPECT_EQ(tokens_of(session.state.document, Side::Query).front(), "I");
  EXPECT_EQ(session.state.place, 0U);
}

TEST(Tabs, AreWalkedRoundAndRoundWithTheirResults) {
  SessionDriver session = three();
  session.send(command::StepTab{1});
  EXPECT_EQ(session.state.document.title, "a");
  EXPECT_TRUE(session.effects.empty()) << "its result is still there";
  EXPECT_NE(session.state.result, nullptr);
  session.send(command::StepTab{-1});
  EXPECT_EQ(session.state.document.title, "c");
  session.send(command::SelectTab{session.state.background.front().id});
  EXPECT_EQ(session.state.document.title, "a");
  EXPECT_EQ(titles(session.state), (Names{"a", "b", "c"}));
}

TEST(Tabs, HaveAHistoryEach) {
  SessionDriver session = three();
  session.send(set_cell(0, 0, 5.0F));
  session.send(command::StepTab{-1});
  session.send(set_cell(0, 0, 7.0F));
  session.send(command::StepTab{1});
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, titled("c"));
  session.send(command::StepTab{-1});
  EXPECT_TRUE(has_unsaved_changes(session.state));
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, titled("b"));
}

TEST(Tabs, CloseAndComeBackWithTheirHistory) {
  SessionDriver session = three();
  session.send(command::StepTab{-1});
  session.send(set_cell(0, 0, 5.0F));
  session.send(command::CloseTab{});
  session.send(command::AnswerQuestion{Answer::Discard});
  session.settle();
  EXPECT_EQ(titles(session.state), (Names{"a", "c"}));
  EXPECT_EQ(session.state.document.title, "c");
  session.send(command::ReopenTab{});
  session.settle();
  EXPECT_EQ(session.state.document.title, "b");
  EXPECT_TRUE(has_unsaved_changes(session.state)) << "nothing is lost by closing";
  EXPECT_NE(session.state.result, nullptr);
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, titled("b"));
}

TEST(Tabs, AfterTheLastComesAnEmptyDocument) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::CloseTab{});
  session.settle();
  EXPECT_EQ(titles(session.state), (Names{""}));
  EXPECT_NE(session.state.result, nullptr);
  session.send(command::ReopenTab{});
  EXPECT_EQ(titles(session.state), (Names{"Two heads"}));
}

TEST(Tabs, LeavingAsksOnceAndSavesThemAll) {
  const test::TemporaryFolder folder;
  SessionDriver session;
  for (const char* name : {"a.json", "b.json"}) {
    session.open(titled(name), folder.file(name));
    session.send(command::SaveAs{folder.file(name), true});
    session.settle();
    session.send(set_cell(0, 0, 5.0F));
  }
  session.send(command::Quit{});
  ASSERT_TRUE(session.asks<UnsavedQuestion>());
  session.send(command::AnswerQuestion{Answer::Save});
  session.settle();
  EXPECT_TRUE(session.state.quitting);
  for (const char* name : {"a.json", "b.json"}) {
    const Document document = open_document(folder.file(name)).value().document;
    EXPECT_EQ(matrix_of(document, {"/q", {}}).at(0, 0), 5.0F) << name;
  }
}

TEST(Tabs, SavingADocumentDoesNotCloseAnotherWhoseSaveIsUnderWay) {
  SessionDriver session = three();
  session.send(set_cell(0, 0, 5.0F));
  session.send(command::CloseTab{});
  session.send(command::AnswerQuestion{Answer::Save});
  ASSERT_NE(session.effect<effect::Store>(), nullptr);
  session.send(command::StepTab{-1});
  const AppState& state = session.state;
  session.send(test::stored("/tmp/b.json", state.revision, state.id));
  EXPECT_EQ(titles(session.state), (Names{"a", "b", "c"})) << "its edits are in no file yet";
}

TEST(Tabs, AFileThatIsOpenIsShownAndReadAgainUnlessThatLosesEdits) {
  SessionDriver session = three();
  session.open(titled("a2"), "/tmp/a.json");
  EXPECT_EQ(titles(session.state), (Names{"a2", "b", "c"}));
  EXPECT_EQ(session.state.document.title, "a2");
  session.send(command::SelectTab{session.state.background.back().id});
  session.send(set_cell(0, 0, 5.0F));
  session.send(command::StepTab{-1});
  session.open(titled("c2"), "/tmp/c.json");
  EXPECT_EQ(titles(session.state), (Names{"a2", "b", "c"}));
  EXPECT_EQ(session.state.document.title, "c");
  EXPECT_EQ(session.last_notice(), "c.json is open already, with changes that are not saved");
}

// 4 GiB are the limit of one computation, and of all results together.
TEST(Tabs, ResultsAsideAreDroppedWhenTogetherTheyAreTooLarge) {
  SessionDriver session = three();
  ASSERT_NE(session.state.background.front().result, nullptr);
  Document large = titled("large");
  constexpr std::size_t kTokens = 20'000, kWidth = 40'000;  // queries of 3 GiB
  large.query_tokens = {TokenList(kTokens, "a")};
  const auto filled = [](const Shape& shape) {
    return Tensor(shape, std::vector<float>(element_count(shape), 0.5F));
  };
  AttentionLayer layer;
  layer.embeddings.query = filled({kTokens, 2});
  layer.projections.w_q = layer.projections.w_k = layer.projections.w_v = filled({2, kWidth});
  large.model = layer;
  Reading report;
  report.document = large;
  session.send(command::Opened{{"/tmp/large.json"}, report});
  EXPECT_EQ(session.state.background.front().result, nullptr);
  session.send(command::SelectTab{session.state.background.front().id});
  EXPECT_NE(session.effect<effect::Compute>(), nullptr) << "it is computed again";
}

TEST(Tabs, AResultFindsItsDocumentAside) {
  SessionDriver session = three();
  session.send(set_cell(0, 0, 5.0F));
  const effect::Compute job = *session.effect<effect::Compute>();
  session.send(command::StepTab{-1});
  session.send(*run_effect(job, nullptr));
  EXPECT_EQ(session.state.document.title, "b");
  EXPECT_EQ(session.state.background[session.state.place].result_revision, job.revision);
  session.send(command::StepTab{1});
  EXPECT_EQ(session.state.result_revision, session.state.revision);
}

// Two files, the second one shown, in two panes, with a pin.
struct KeptSession {
  test::TemporaryFolder folder;
  std::vector<std::string> paths{folder.file("a.json"), folder.file("b.json")};
  Preferences preferences;

  KeptSession() {
    SessionDriver session;
    for (const std::string& path : paths) {
      EXPECT_TRUE(write_file_atomically(path, write_document(two_heads()), Overwrite::Refuse));
      session.send(command::Open{path});
      session.settle();
    }
    session.send(command::SplitPane{0, SplitDirection::Right});
    session.send(command::SelectPlot{"links"});
    session.send(command::SelectHead{{0, 0, 1}});
    session.send(command::Pin{{{Stage::Weights, {0, 0, 1}}, 2, 1}});
    session.send(command::KeepTabs{});
    preferences = parse_preferences(preferences_text(session.state.preferences));
  }

  SessionDriver next() const {
    SessionDriver session;
    session.send(command::LoadedPreferences{preferences});
    session.send(command::RestoreTabs{preferences.tabs, preferences.last_document});
    return session;
  }
};

TEST(KeptTabs, EveryTabComesBackWithItsPanesAndPins) {
  const KeptSession kept;
  SessionDriver session = kept.next();
  session.settle();
  const AppState& state = session.state;
  ASSERT_EQ(open_documents(state).size(), 2U);
  EXPECT_EQ(state.path, kept.paths[1]);
  EXPECT_EQ(state.background.front().path, kept.paths[0]);
  ASSERT_EQ(panes_of(state.layout).size(), 2U);
  EXPECT_EQ(focused_view(state).plot, "links");
  EXPECT_EQ(focused_view(state).options.at.head, 1U);
  EXPECT_EQ(state.grid.matrix.at.head, 1U) << "the inputs of the head in view";
  const CellHit pin{{Stage::Weights, {0, 0, 1}}, 2, 1};
  EXPECT_EQ(state.pins, std::vector<CellHit>{pin});
  EXPECT_TRUE(state.restoring.empty());
  EXPECT_FALSE(has_unsaved_changes(state));
}

TEST(KeptTabs, DoNotAskAgainWhatAFileIs) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("heads.json");
  ASSERT_TRUE(
      write_file_atomically(path, R"({"attention": [[1, 0], [0.5, 0.5]]})", Overwrite::Refuse));
  const auto asks = [](const AppState& state) {
    return std::ranges::count(state.notices, Notice::Offer::CausalOff, &Notice::offer);
  };
  SessionDriver session;
  session.send(command::Open{path});
  session.settle();
  EXPECT_EQ(asks(session.state), 1);
  session.send(command::KeepTabs{});
  SessionDriver next;
  next.send(command::RestoreTabs{session.state.preferences.tabs, path});
  next.settle();
  EXPECT_EQ(next.state.source_path, path);
  EXPECT_TRUE(next.state.document.mask.causal);
  EXPECT_EQ(asks(next.state), 0);
}

TEST(Tabs, QuestionsAboutManyFilesDisplaceNeitherEachOtherNorMessages) {
  const test::TemporaryFolder folder;
  SessionDriver session;
  for (const char* name : {"a", "b", "c", "d"}) {  // the same name in each
    std::filesystem::create_directory(folder.file(name));
    const std::string path = folder.file(name) + "/heads.json";
    ASSERT_TRUE(
        write_file_atomically(path, R"({"attention": [[1, 0], [0.5, 0.5]]})", Overwrite::Refuse));
    session.send(command::Open{path});
    session.settle();
  }
  const auto& notices = session.state.notices;
  EXPECT_EQ(std::ranges::count(notices, Notice::Offer::CausalOff, &Notice::offer), 4);
  session.send(command::Notify{Notice::Level::Info, "Wrote heads.png", ""});
  EXPECT_EQ(notices.back().text, "Wrote heads.png");
}

TEST(KeptTabs, OnlyTheOneThatIsLookedAtIsReadAtFirst) {
  const KeptSession kept;
  SessionDriver session = kept.next();
  std::size_t loads = 0;
  for (const Effect& effect : session.effects)
    loads += std::holds_alternative<effect::Load>(effect);
  EXPECT_EQ(loads, 1U);
  ASSERT_NE(session.effect<effect::Load>(), nullptr);
  EXPECT_EQ(session.effect<effect::Load>()->path, kept.paths[1]);
}

TEST(KeptTabs, AFileThatCannotBeReadIsSaidAndTheOthersAreOpened) {
  const KeptSession kept;
  for (const std::size_t gone : {0U, 1U}) {
    SessionDriver session;
    std::vector<KeptTab> tabs = kept.preferences.tabs;
    tabs[gone].path += ".gone";
    session.send(command::RestoreTabs{tabs, tabs[1].path});
    session.settle();
    const auto open = open_documents(session.state);
    const auto is_there = [&](const OpenDocument* tab) {
      return tab->path == kept.paths[1 - gone];
    };
    EXPECT_TRUE(std::ranges::any_of(open, is_there));
    EXPECT_TRUE(session.state.restoring.empty());
    EXPECT_EQ(session.state.messages.size(), 1U);
  }
}

TEST(KeptTabs, AreNotWrittenOverBeforeAllOfThemAreBack) {
  const KeptSession kept;
  SessionDriver session = kept.next();
  session.send(command::KeepTabs{});
  EXPECT_EQ(session.state.preferences.tabs, kept.preferences.tabs);
}

TEST(KeptTabs, StayForAnotherStartWhereThisOneHasOtherFiles) {
  const KeptSession kept;
  SessionDriver session;
  session.send(command::LoadedPreferences{kept.preferences});
  session.send(command::RestoreTabs{kept.preferences.tabs, "", true});
  EXPECT_TRUE(session.state.restoring.empty());
  session.send(command::Open{kept.paths[1]});
  session.settle();
  session.send(command::KeepTabs{});
  const auto paths_kept = [&] {
    std::vector<std::string> paths;
    for (const KeptTab& tab : session.state.preferences.tabs) paths.push_back(tab.path);
    return paths;
  };
  EXPECT_EQ(paths_kept(), (std::vector<std::string>{kept.paths[1], kept.paths[0]}));
  session.send(command::CloseTab{session.state.id});
  session.send(command::KeepTabs{});
  EXPECT_EQ(paths_kept(), std::vector<std::string>{kept.paths[0]}) << "closed by the user";
}

TEST(KeptTabs, WhatIsBrokenInTheirListIsLeftOut) {
  const Preferences read = parse_preferences(R"({"tabs": [1, {"path": "/a"}, {"panes": {}},
      {"path": "/b", "panes": {"view": {"plot": "heatmap"}}, "pins": [7, {"stage": "weights"},
        {"stage": "weights", "at": [0, 0, 0, 1, -2]},
        {"stage": "weights", "at": [0, 0, 0, 1, 2]}]},
      {"path": "/b", "panes": {"view": {}}}]})");
  ASSERT_EQ(read.tabs.size(), 1U);
  EXPECT_EQ(read.tabs.front().path, "/b");
  const CellHit pin{{Stage::Weights, {0, 0, 0}}, 1, 2};
  EXPECT_EQ(read.tabs.front().pins, std::vector<CellHit>{pin});
}

TEST(Tabs, NamesTellFilesAndDocumentsApart) {
  SessionDriver session;
  session.open(two_heads(), "/tmp/x/cats.json");
  session.open(two_heads(), "/tmp/y/cats.json");
  session.open(two_heads(), "/tmp/y/dogs.json");
  std::vector<std::string> names;
  for (const OpenDocument* open : open_documents(session.state)) {
    names.push_back(tab_name(session.state, *open));
  }
  EXPECT_EQ(names, (Names{"x/cats.json", "y/cats.json", "dogs.json"}));
}

}  // namespace
}  // namespace attn
