// Opening, saving, exporting and quitting.
#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "document/json/write.h"
#include "document/load/open.h"
#include "session/figure_file.h"
#include "support/process.h"
#include "tests/core/document/npy_bytes.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::saved_and_edited;
using test::SessionDriver;
using test::set_cell;
using test::two_heads;
using Answer = command::Answer;

SessionDriver edited() {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(0, 0, 5.0F));
  return session;
}

TEST(Files, OpeningWithoutChangesAsksNothing) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::Open{"example:i-love-cats"});
  EXPECT_FALSE(session.state.question);
  session.settle();
  EXPECT_EQ(tokens_of(session.state.document, Side::Query).front(), "I");
  EXPECT_TRUE(session.state.path.empty());
  EXPECT_FALSE(has_unsaved_changes(session.state));
  EXPECT_NE(session.state.result, nullptr);
}

// Opening keeps edits: only closing and quitting can lose them.
TEST(Files, OpeningAndNewKeepEditsInTheirTab) {
  for (const Command& command :
       {Command(command::Open{"example:i-love-cats"}), Command(command::NewDocument{})}) {
    SessionDriver session = edited();
    const Document before = session.state.document;
    session.send(command);
    session.settle();
    EXPECT_FALSE(session.state.question) << (command.get_if<command::Open>() != nullptr);
    EXPECT_NE(session.state.document, before);
    session.send(command::StepTab{-1});
    EXPECT_EQ(session.state.document, before);
    EXPECT_TRUE(has_unsaved_changes(session.state));
    session.send(command::StepEdit{-1});
    EXPECT_EQ(session.state.document, two_heads());
  }
}

TEST(Files, ClosingAndQuittingAskBeforeEditsAreLost) {
  for (const Command& command : {Command(command::CloseTab{}), Command(command::Quit{})}) {
    SessionDriver session = edited();
    const Document before = session.state.document;
    session.send(command);
    EXPECT_TRUE(session.asks<UnsavedQuestion>()) << (command.get_if<command::Quit>() != nullptr);
    EXPECT_TRUE(session.effects.empty());
    session.send(command::AnswerQuestion{Answer::Cancel});
    EXPECT_FALSE(session.state.question);
    EXPECT_EQ(session.state.document, before);
    EXPECT_FALSE(session.state.quitting);
    EXPECT_TRUE(session.effects.empty());
    session.send(command);
    session.send(command::AnswerQuestion{Answer::Discard});
    EXPECT_TRUE(session.state.quitting || session.state.document != before);
  }
}

TEST(Files, QuitWithoutChangesLeaves) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::Quit{});
  EXPECT_TRUE(session.state.quitting);
}

TEST(Files, SavingFromTheQuestionGoesOnWhenWritten) {
  SessionDriver session = edited();
  session.send(command::Quit{});
  session.send(command::AnswerQuestion{Answer::Save});
  ASSERT_NE(session.effect<effect::Store>(), nullptr);
  EXPECT_FALSE(session.state.quitting);
  const std::uint64_t revision = session.effect<effect::Store>()->revision;
  session.send(test::stored(session.state.path, revision));
  EXPECT_TRUE(session.state.quitting);
}

TEST(Files, AFailedSaveStaysPut) {
  SessionDriver session = edited();
  session.send(command::Quit{});
  session.send(command::AnswerQuestion{Answer::Save});
  Error full;
  full.kind = ErrorKind::CannotWrite;
  full.message = "the disk is full";
  session.send(command::Stored{{session.state.path, nullptr, 0}, full});
  EXPECT_FALSE(session.state.quitting);
  EXPECT_TRUE(has_unsaved_changes(session.state));
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Error);
  EXPECT_NE(session.state.notices.back().details.find("the disk is full"), std::string::npos);
  session.send(test::stored(session.state.path, session.state.revision));
  EXPECT_FALSE(session.state.quitting) << "a later save is not the answer to the old question";
}

TEST(Files, AnEditWhileSavingStaysPutAndUnsaved) {
  SessionDriver session = edited();
  session.send(command::Quit{});
  session.send(command::AnswerQuestion{Answer::Save});
  const std::uint64_t revision = session.effect<effect::Store>()->revision;
  session.send(set_cell(0, 0, 6.0F));
  session.send(test::stored(session.state.path, revision));
  EXPECT_FALSE(session.state.quitting);
  EXPECT_TRUE(has_unsaved_changes(session.state));
}

TEST(Files, SavingWithoutAPathAsksForOneAndGoesOn) {
  const test::TemporaryFolder folder;
  SessionDriver session;
  session.send(command::SetTitle{"Mine"});
  session.send(command::CloseTab{});
  session.send(command::AnswerQuestion{Answer::Save});
  EXPECT_EQ(session.state.dialog, DialogKind::SaveAs);
  session.send(command::SaveAs{folder.file("mine")});
  EXPECT_FALSE(session.state.dialog);
  session.settle();
  EXPECT_EQ(open_document(folder.file("mine.attn.json")).value().document.title, "Mine");
  EXPECT_EQ(session.state.document.title, "") << "a new document takes its place";
}

TEST(Files, ClosingTheDialogTakesBackWhatWasToFollow) {
  SessionDriver session;
  session.send(command::SetTitle{"Mine"});
  session.send(command::Quit{});
  session.send(command::AnswerQuestion{Answer::Save});
  session.send(command::ShowDialog{std::nullopt});
  session.send(test::stored("/tmp/x.attn.json", session.state.revision));
  EXPECT_FALSE(session.state.quitting);
}

TEST(Files, SavingWritesTheViewAndOpeningAppliesIt) {
  const test::TemporaryFolder folder;
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SelectStage{Stage::Scores});
  session.send(command::SelectHead{{0, 0, 1}});
  session.send(command::SetOption{"colormap", "magma"});
  session.send(command::SaveAs{folder.file("view.attn.json")});
  session.settle();
  EXPECT_EQ(session.state.path, folder.file("view.attn.json"));
  EXPECT_EQ(session.last_notice(), "Saved view.attn.json");

  SessionDriver other;
  other.send(command::Open{folder.file("view.attn.json")});
  other.settle();
  EXPECT_EQ(focused_view(other.state), focused_view(session.state));
  EXPECT_EQ(focused_view(other.state).options.stage, Stage::Scores);
}

TEST(Files, ARememberedViewIsBroughtIntoBounds) {
  SessionDriver session;
  Document document = two_heads();
  View& view = focused_view(document.panes.emplace());
  view.plot = "hairball";
  view.options.stage = Stage::Projected;
  view.options.at = {4, 5, 6};
  view.options.colormap = "jet";
  session.open(document);
  EXPECT_EQ(focused_view(session.state).plot, "heatmap");
  EXPECT_EQ(focused_view(session.state).options.colormap, "auto");
  EXPECT_EQ(focused_view(session.state).options.at, (HeadAddress{0, 0, 1}));
  EXPECT_TRUE(session.state.result->has(focused_view(session.state).options.stage));
}

TEST(Files, AnExistingFileIsOnlyReplacedWhenConfirmed) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("there.attn.json");
  ASSERT_TRUE(write_file_atomically(path, "precious", Overwrite::Refuse).ok());
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SaveAs{path});
  session.settle();
  EXPECT_TRUE(has_question(session.state, FileObstacle::Exists));
  EXPECT_EQ(read_file(path, 1000).value(), "precious");
  session.send(command::AnswerQuestion{Answer::Cancel});
  EXPECT_EQ(session.state.dialog, DialogKind::SaveAs);
  session.send(command::SaveAs{path});
  session.settle();
  session.send(command::AnswerQuestion{Answer::Overwrite});
  session.settle();
  EXPECT_EQ(session.state.path, path);
  EXPECT_TRUE(open_document(path).ok());
}

TEST(Files, AFolderThatIsNotThereIsAnErrorNotAQuestion) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SaveAs{"/nonexistent/folder/cats.attn.json"});
  session.settle();
  EXPECT_FALSE(session.state.question);
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Error);
}

TEST(Files, SavingTwiceInARowAsksNothing) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  for (const float value : {6.0F, 7.0F}) {
    session.send(set_cell(0, 0, value));
    session.send(command::Save{});
    session.settle();
    EXPECT_FALSE(session.state.question);
    EXPECT_FALSE(has_unsaved_changes(session.state));
  }
  EXPECT_EQ(open_document(path).value().document.model, session.state.document.model);
}

TEST(Files, ASaveWhileSavingWaitsForTheFirst) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  session.send(command::Save{});
  const std::vector<Effect> first = session.effects;
  session.send(set_cell(0, 0, 6.0F));
  session.send(command::Save{});
  EXPECT_EQ(session.effect<effect::Store>(), nullptr);
  session.effects = first;
  session.settle();
  EXPECT_FALSE(session.state.question);
  EXPECT_FALSE(has_unsaved_changes(session.state));
  EXPECT_EQ(open_document(path).value().document.model, session.state.document.model);
}

TEST(Files, SavingSaysWhatOtherNamesKeep) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  std::filesystem::create_hard_link(path, folder.file("other.attn.json"));
  session.send(command::Save{});
  session.settle();
  EXPECT_EQ(session.last_notice(),
            "Saved cats.attn.json; its other name (a hard link) keeps what the file held before");
}

TEST(Files, WhatIsReadOnceIsSavedUnderANewName) {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << write_document(two_heads()); });
  SessionDriver session;
  session.send(command::Open{pipe});
  session.settle();
  writer.join();
  EXPECT_EQ(session.state.document.title, "Two heads");
  EXPECT_EQ(session.state.path, "");
  EXPECT_TRUE(session.state.preferences.recent_files.empty());
  session.send(command::Save{});
  EXPECT_EQ(session.state.dialog, DialogKind::SaveAs);
}

TEST(Files, AStartThatFailsLeavesAComputedDocument) {
  SessionDriver session;
  session.send(command::Open{"/nonexistent/cats.attn.json"});
  session.settle();
  EXPECT_NE(session.state.result, nullptr);
  EXPECT_FALSE(is_computing(session.state));
}

TEST(Files, AWriteProtectedFileIsKeptAndAnotherNameOffered) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  const std::string before = read_file(path, 100'000).value();
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  session.send(command::Save{});
  session.settle();
  ASSERT_TRUE(has_question(session.state, FileObstacle::Protected));
  EXPECT_EQ(std::get<FileQuestion>(*session.state.question).reason,
            "the file is write-protected (its permissions allow no writing)");
  EXPECT_EQ(read_file(path, 100'000).value(), before);
  session.send(command::AnswerQuestion{Answer::SaveAs});
  EXPECT_EQ(session.state.dialog, DialogKind::SaveAs);
  session.send(command::SaveAs{folder.file("mine.attn.json")});
  session.settle();
  EXPECT_FALSE(has_unsaved_changes(session.state));
}

// Two tokens of given weights.
SessionDriver opened_array(const test::TemporaryFolder& folder) {
  EXPECT_TRUE(write_file_atomically(folder.file("cats.npy"),
                                    test::float_npy("(2, 2)", {1, 0, 0.5, 0.5}), Overwrite::Refuse)
                  .ok());
  SessionDriver session;
  session.send(command::Open{folder.file("cats.npy")});
  session.settle();
  return session;
}

TEST(Files, AnArrayIsNeverSavedOver) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.npy");
  SessionDriver session = opened_array(folder);
  EXPECT_EQ(session.state.source_path, path);
  EXPECT_EQ(session.state.path, "");
  EXPECT_EQ(session.state.preferences.recent_files.front(), path);
  EXPECT_FALSE(has_unsaved_changes(session.state));
  const std::string before = read_file(path, 10'000).value();

  session.send(command::Save{});
  EXPECT_EQ(session.state.dialog, DialogKind::SaveAs);
  session.send(command::SaveAs{path, true});
  EXPECT_EQ(session.effect<effect::Store>(), nullptr);
  EXPECT_NE(session.last_notice().find("saved as JSON"), std::string::npos);

  const std::string link = folder.file("link.attn.json");
  std::filesystem::create_symlink("cats.npy", link);
  session.send(command::SaveAs{link, true});
  session.settle();
  EXPECT_NE(session.last_notice().find("takes its numbers from this file"), std::string::npos);
  EXPECT_EQ(read_file(path, 10'000).value(), before);

  session.send(command::SaveAs{folder.file("cats.attn.json")});
  session.settle();
  EXPECT_EQ(session.state.path, folder.file("cats.attn.json"));
  EXPECT_EQ(open_document(session.state.path).value().document.model, session.state.document.model);
}

TEST(Files, ComputingFromAFileThatWasCutShortIsAnError) {
  const test::TemporaryFolder folder;
  SessionDriver session = opened_array(folder);
  EXPECT_NE(session.state.result, nullptr);
  std::filesystem::resize_file(folder.file("cats.npy"), 100);
  session.send(command::SetCausal{false});
  session.settle();
  EXPECT_EQ(session.state.result, nullptr);
  EXPECT_NE(session.last_notice().find("changed by another program"), std::string::npos);
}

TEST(Files, AFailedOpeningKeepsTheDocument) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::Open{"/nonexistent/cats.attn.json"});
  session.settle();
  EXPECT_EQ(session.state.document, two_heads());
  EXPECT_NE(session.last_notice().find("/nonexistent/cats.attn.json"), std::string::npos);
}

// A cancelled file is not invalid: the next attempt may succeed.
TEST(Files, AStoppedOpeningKeepsTheDocumentAndTheRecentFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.attn.json");
  ASSERT_TRUE(write_file_atomically(path, write_document(two_heads()), Overwrite::Refuse));
  SessionDriver session = edited();
  session.state.preferences.recent_files = {path};
  const Document before = session.state.document;
  Progress progress;
  progress.cancelled = true;
  session.send(command::Open{path});
  session.send(*run_effect(*session.effect<effect::Load>(), &progress));
  EXPECT_EQ(session.state.document, before);
  EXPECT_EQ(session.state.preferences.recent_files, std::vector<std::string>{path});
  ASSERT_FALSE(session.state.notices.empty());
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Warning);
}

TEST(Files, AFileOfTextIsReadAgainAsAskedAndNeverSavedOver) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("w.csv");
  ASSERT_TRUE(write_file_atomically(path, "0.5,0.5\n0.25,0.75\n", Overwrite::Refuse));
  SessionDriver session;
  session.send(command::Open{path, false, false, "", "axes=key,query"});
  session.settle();
  EXPECT_EQ(session.last_notice(),
            "w.csv: read as 2 × 2 numbers as finished attention weights: every row sums to 1");
  session.send(command::Save{});
  EXPECT_EQ(session.state.dialog, DialogKind::SaveAs);
  session.send(command::Reload{});
  ASSERT_NE(session.effect<effect::Reload>(), nullptr);
  EXPECT_EQ(session.effect<effect::Reload>()->arrays, "axes=key,query");
}

TEST(Files, OpeningSaysHowFarItIs) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.attn.json");
  ASSERT_TRUE(write_file_atomically(path, write_document(two_heads()), Overwrite::Refuse));
  Progress progress;
  ASSERT_TRUE(run_effect(effect::Load{path}, &progress));
  EXPECT_EQ(progress.fraction, 1.0F);
}

TEST(Files, OpeningSaysHowFarGeneratingIsAndStops) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.attn.json");
  const char* text = R"({"tokens": ["a", "b"], "d_model": 64, "heads": 1, "blocks": 3})";
  ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Refuse));
  Progress progress;
  const std::optional<Command> read = run_effect(effect::Load{path}, &progress);
  EXPECT_TRUE(read->get_if<command::Opened>()->made);
  EXPECT_EQ(progress.fraction, 1.0F);
  Progress stopped;
  stopped.cancelled = true;
  ReadOptions options;
  options.progress = &stopped;
  const Result<Reading> report = read_document(text, "generated", options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::Interrupted);
}

TEST(Files, SavingSaysHowFarItIsAndStops) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.attn.json");
  Progress progress;
  ASSERT_TRUE(
      run_effect(effect::Store{path, std::make_shared<const Document>(two_heads()), 1}, &progress));
  EXPECT_EQ(progress.fraction, 0.9F) << "the rest is the disk's";
  Progress stopped;
  stopped.cancelled = true;
  const std::string other = folder.file("b.attn.json");
  const auto answer =
      run_effect(effect::Store{other, std::make_shared<const Document>(two_heads()), 1}, &stopped);
  const auto* failed = answer->get_if<command::Stored>();
  ASSERT_TRUE(failed != nullptr && !failed->made);
  EXPECT_EQ(failed->made.error().kind, ErrorKind::Interrupted);
  EXPECT_FALSE(std::filesystem::exists(other));
}

// Progress does not change the bytes written.
TEST(Files, WhatIsWrittenIsTheSameWithProgress) {
  Progress progress;
  EXPECT_EQ(write_document(two_heads(), &progress), write_document(two_heads()));
}

TEST(Files, ALimitOfMemoryHoldsForWhatIsOpenedAndComputed) {
  const auto opened = run_effect(effect::Load{"example:four-heads"}, nullptr, 2'000);
  const auto* refused = opened->get_if<command::Opened>();
  ASSERT_TRUE(refused != nullptr && !refused->made);
  EXPECT_EQ(refused->made.error().kind, ErrorKind::OverMemoryLimit);
  const auto computed = run_effect(effect::Compute{two_heads(), 1}, nullptr, 10);
  const auto* failed = computed->get_if<command::Computed>();
  ASSERT_TRUE(failed != nullptr && !failed->result);
  EXPECT_EQ(failed->result.error().kind, ErrorKind::OverMemoryLimit);
}

TEST(Files, EditsMadeWhileLoadingAreNotLost) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::Open{"example:i-love-cats"});
  const effect::Load load = *session.effect<effect::Load>();
  session.send(set_cell(0, 0, 5.0F));
  session.send(*run_effect(load, nullptr));
  EXPECT_EQ(tokens_of(session.state.document, Side::Query).front(), "I");
  session.send(command::StepTab{1});
  EXPECT_EQ(session.state.document.title, "Two heads");
  EXPECT_TRUE(has_unsaved_changes(session.state));
}

TEST(Files, ASaveOfAClosedDocumentDoesNotNameTheNextOne) {
  SessionDriver session = edited();
  const std::uint64_t revision = session.state.revision, closed = session.state.id;
  session.send(command::CloseTab{});
  session.send(command::AnswerQuestion{Answer::Discard});
  session.send(test::stored("/tmp/old.attn.json", revision, closed));
  EXPECT_TRUE(session.state.path.empty());
  EXPECT_FALSE(has_unsaved_changes(session.state));
}

TEST(Files, RecentFilesAreNewestFirstOnceAndAtMostTen) {
  SessionDriver session;
  for (int i = 0; i < 12; ++i) session.open(two_heads(), "/tmp/" + std::to_string(i) + ".json");
  session.open(two_heads(), "/tmp/5.json");
  const std::vector<std::string>& recent = session.state.preferences.recent_files;
  ASSERT_EQ(recent.size(), 10U);
  EXPECT_EQ(recent[0], "/tmp/5.json");
  EXPECT_EQ(recent[1], "/tmp/11.json");
  EXPECT_EQ(std::count(recent.begin(), recent.end(), "/tmp/5.json"), 1);
  session.open(two_heads(), "example:i-love-cats");
  EXPECT_EQ(session.state.preferences.recent_files[0], "/tmp/5.json");
}

TEST(Files, RecentFilesAreStored) {
  SessionDriver session;
  Reading report;
  report.document = two_heads();
  session.send(command::Opened{{"/tmp/cats.json"}, report});
  ASSERT_NE(session.effect<effect::StorePreferences>(), nullptr);
  EXPECT_EQ(session.effect<effect::StorePreferences>()->preferences.recent_files.front(),
            "/tmp/cats.json");
}

TEST(Files, AnExportIsThePictureOfTheView) {
  const test::TemporaryFolder folder;
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SelectHead{{0, 0, 1}});
  session.send(command::SetWindow{{1.0, 0.0, 2.0, 3.0}});
  session.send(command::Pin{{{Stage::Weights, {0, 0, 1}}, 1, 1}});
  session.send(command::Export{folder.file("view.svg")});
  ASSERT_NE(session.effect<effect::Draw>(), nullptr);
  const effect::Draw draw = *session.effect<effect::Draw>();
  EXPECT_EQ(draw.plot, focused_view(session.state).plot);
  EXPECT_EQ(ViewOptions(draw.options), focused_view(session.state).options);
  EXPECT_EQ(draw.options.window, focused_view(session.state).options.window);
  EXPECT_EQ(draw.options.pins, session.state.pins);
  EXPECT_EQ(draw.options.theme, ThemeKind::Paper);
  EXPECT_EQ(draw.options.width, PlotOptions{}.width);
  EXPECT_EQ(draw.export_options.dpi, 300.0);
  session.settle();
  EXPECT_EQ(session.last_notice(), "Exported view.svg");

  const std::string drawn = read_file(folder.file("view.svg"), 1U << 24U).value();
  EXPECT_EQ(drawn,
            figure_file(session.state.document, session.state.result, draw, "again.svg").value());
  session.send(command::SelectHead{{0, 0, 0}});
  session.send(command::Export{folder.file("other.svg")});
  session.settle();
  EXPECT_NE(drawn, read_file(folder.file("other.svg"), 1U << 24U).value());
}

TEST(Files, AnExportWhileComputingDrawsTheNewNumbers) {
  const test::TemporaryFolder folder;
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(0, 0, 50.0F));
  session.send(command::Export{folder.file("stale.svg")});
  EXPECT_EQ(session.effect<effect::Draw>()->result, nullptr);
  session.settle();
  session.send(command::SetCausal{true});
  session.settle();
  session.send(command::StepEdit{-1});
  session.settle();
  session.send(command::Export{folder.file("fresh.svg")});
  EXPECT_NE(session.effect<effect::Draw>()->result, nullptr);
  session.settle();
  EXPECT_EQ(read_file(folder.file("stale.svg"), 1U << 24U).value(),
            read_file(folder.file("fresh.svg"), 1U << 24U).value());
}

TEST(Files, AnExportSaysHowFarItIsAndCanBeCalledOff) {
  const test::TemporaryFolder folder;
  SessionDriver session;
  session.open(two_heads());
  for (const bool computed : {true, false}) {
    for (const char* name : {"f.png", "f.svg", "f.pdf"}) {
      session.send(command::Export{folder.file(name)});
      effect::Draw draw = *session.effect<effect::Draw>();
      if (!computed) draw.result = nullptr;
      Progress cancelled;
      cancelled.cancelled = true;
      const auto stopped = run_effect(draw, &cancelled);
      const auto* failed = stopped->get_if<command::Exported>();
      ASSERT_TRUE(failed != nullptr && !failed->written) << name;
      EXPECT_EQ(failed->written.error().kind, ErrorKind::Interrupted) << name;
      EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << name;
      Progress progress;
      const std::optional<Command> exported = run_effect(draw, &progress);
      EXPECT_TRUE(exported->get_if<command::Exported>()->written) << name;
      EXPECT_NEAR(progress.fraction, 1.0F, 1e-5F) << name;
      std::filesystem::remove(folder.file(name));
    }
  }
}

TEST(Files, AnExportNeverReplacesUnasked) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("there.png");
  ASSERT_TRUE(write_file_atomically(path, "precious", Overwrite::Refuse).ok());
  SessionDriver session;
  session.open(two_heads());
  session.send(command::Export{path});
  session.settle();
  ASSERT_TRUE(has_question(session.state, FileObstacle::Exists));
  EXPECT_TRUE(std::get<FileQuestion>(*session.state.question).exporting);
  session.send(command::AnswerQuestion{Answer::Overwrite});
  session.settle();
  EXPECT_TRUE(read_file(path, 1U << 24U).value().starts_with("\x89PNG"));
}

TEST(Files, AnUnknownPictureFormatIsRefusedBeforeDrawing) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::Export{"/tmp/picture.doc"});
  EXPECT_TRUE(session.effects.empty());
  EXPECT_NE(session.last_notice().find(".png"), std::string::npos);
}

}  // namespace
}  // namespace attn
