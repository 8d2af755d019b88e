// What other programs write to the files of open documents: asked about, read again, never lost.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "document/open.h"
#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::saved_and_edited;
using test::SessionDriver;
using test::set_cell;
using test::two_heads;
using Answer = command::Answer;

TEST(ChangedFiles, AFileThatAnotherProgramChangedIsAskedAbout) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  ASSERT_TRUE(write_file_atomically(path, "theirs", Overwrite::Replace));
  session.send(command::Save{});
  session.settle();
  ASSERT_TRUE(session.asks<ChangedQuestion>());
  EXPECT_EQ(std::get<ChangedQuestion>(*session.state.question).path, path);
  EXPECT_EQ(read_file(path, 100).value(), "theirs");
  session.send(command::AnswerQuestion{Answer::Cancel});
  EXPECT_TRUE(has_unsaved_changes(session.state));
  EXPECT_FALSE(session.state.dialog);

  session.send(command::Save{});
  session.settle();
  session.send(command::AnswerQuestion{Answer::SaveAs});
  EXPECT_EQ(session.state.dialog, DialogKind::SaveAs);
  session.send(command::ShowDialog{std::nullopt});
  EXPECT_EQ(read_file(path, 100).value(), "theirs");

  session.send(command::Save{});
  session.settle();
  session.send(command::AnswerQuestion{Answer::Overwrite});
  session.settle();
  EXPECT_FALSE(session.state.question);
  EXPECT_FALSE(has_unsaved_changes(session.state));
  EXPECT_EQ(open_document(path).value().document.model, session.state.document.model);
}

TEST(ChangedFiles, AFileReadAndChangedSinceIsAskedAboutAndOneThatIsGoneIsNot) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  ASSERT_TRUE(write_file_atomically(path, write_document(two_heads()), Overwrite::Refuse));
  SessionDriver session;
  session.send(command::Open{path});
  session.settle();
  session.send(set_cell(0, 0, 5.0F));
  ASSERT_TRUE(write_file_atomically(path, "theirs", Overwrite::Replace));
  session.send(command::Save{});
  session.settle();
  EXPECT_TRUE(session.asks<ChangedQuestion>());
  session.send(command::AnswerQuestion{Answer::Cancel});
  std::filesystem::remove(path);
  session.send(command::Save{});
  session.settle();
  EXPECT_FALSE(session.state.question);
  EXPECT_TRUE(open_document(path).ok());
}

TEST(ChangedFiles, TheirsMayBeTakenAndUndoLeadsBack) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  const Document mine = session.state.document;
  Document theirs = two_heads();
  theirs.title = "Theirs";
  ASSERT_TRUE(write_file_atomically(path, write_document(theirs), Overwrite::Replace));
  session.send(command::Quit{});
  session.send(command::AnswerQuestion{Answer::Save});
  session.settle();
  ASSERT_TRUE(session.asks<ChangedQuestion>());
  session.send(command::AnswerQuestion{Answer::Reload});
  session.settle();
  EXPECT_FALSE(session.state.quitting);
  EXPECT_EQ(session.state.document.title, "Theirs");
  EXPECT_FALSE(has_unsaved_changes(session.state));
  session.send(command::Undo{});
  session.settle();
  EXPECT_EQ(session.state.document, mine);
  EXPECT_TRUE(has_unsaved_changes(session.state));
  session.send(command::Save{});
  session.settle();
  EXPECT_FALSE(session.state.question) << "what is there now has been seen";
  EXPECT_EQ(open_document(path).value().document.title, mine.title);
}

// Opened from `path`, where it was written, and not edited.
SessionDriver opened_from(const std::string& path) {
  EXPECT_TRUE(write_file_atomically(path, write_document(two_heads()), Overwrite::Refuse));
  SessionDriver session;
  session.send(command::Open{path});
  session.settle();
  return session;
}

void write_titled(const std::string& path, const std::string& title) {
  Document theirs = two_heads();
  theirs.title = title;
  EXPECT_TRUE(write_file_atomically(path, write_document(theirs), Overwrite::Replace));
}

TEST(ChangedFiles, AFileThatChangesBesideAnUneditedDocumentIsReadAgain) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  session.send(command::SelectHead{{0, 0, 1}});
  const View view = focused_view(session.state);
  session.send(command::LookAtFiles{});
  session.settle();
  EXPECT_EQ(session.last_notice(), "") << "the same bytes are no news";
  write_titled(path, "Theirs");
  session.send(command::LookAtFiles{});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Theirs");
  EXPECT_FALSE(has_unsaved_changes(session.state));
  EXPECT_EQ(focused_view(session.state), view);
  EXPECT_EQ(session.last_notice(), "Reloaded cats.attn.json, which another program changed");
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Info);
  session.send(command::Undo{});
  EXPECT_EQ(session.state.document.title, "Two heads");
  EXPECT_TRUE(has_unsaved_changes(session.state));
}

TEST(ChangedFiles, EditsAreKeptWhenTheFileChangesAndReloadingIsOffered) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  session.send(set_cell(0, 0, 5.0F));
  const Document mine = session.state.document;
  write_titled(path, "Theirs");
  for (int looks = 0; looks < 2; ++looks) {
    session.send(command::LookAtFiles{});
    session.settle();
  }
  EXPECT_EQ(session.state.document, mine);
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_EQ(session.state.notices.back().count, 1U) << "said once";
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Warning);
  EXPECT_EQ(session.state.notices.back().changed_file_of, session.state.id);
  session.send(command::Save{});
  session.settle();
  EXPECT_TRUE(session.asks<ChangedQuestion>()) << "seen is not agreed to";
  session.send(command::AnswerQuestion{Answer::Cancel});
  session.send(command::Reload{session.state.id});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Theirs");
  EXPECT_EQ(session.last_notice(), "Reloaded cats.attn.json");
  EXPECT_EQ(session.state.notices.size(), 1U) << "the offer is gone";
  session.send(command::Undo{});
  EXPECT_EQ(session.state.document, mine);
}

TEST(ChangedFiles, EditsMadeWhileTheFileIsReadAgainAreKept) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  write_titled(path, "Theirs");
  session.send(command::LookAtFiles{});
  session.send(*run_effect(*session.effect<effect::LookAtFile>(), nullptr));
  ASSERT_NE(session.effect<effect::Reload>(), nullptr);
  const effect::Reload reload = *session.effect<effect::Reload>();
  session.send(set_cell(0, 0, 5.0F));
  session.send(*run_effect(reload, nullptr));
  EXPECT_EQ(session.state.document.title, "Two heads");
  EXPECT_EQ(session.state.notices.back().changed_file_of, session.state.id);
}

TEST(ChangedFiles, AFileOfATabAsideIsLookedAtWhenItsTabIs) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  session.open(two_heads(), folder.file("other.attn.json"));
  write_titled(path, "Theirs");
  session.send(command::LookAtFiles{});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Two heads");
  session.send(command::StepTab{1});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Theirs");
}

TEST(ChangedFiles, WhatCannotBeReadAgainIsSaidOnceAndTheDocumentStays) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  ASSERT_TRUE(write_file_atomically(path, "{", Overwrite::Replace));
  for (int looks = 0; looks < 2; ++looks) {
    session.send(command::LookAtFiles{});
    session.settle();
  }
  EXPECT_EQ(session.state.document.title, "Two heads");
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Error);
  EXPECT_EQ(session.state.notices.back().count, 1U);
  EXPECT_EQ(session.state.preferences.recent_files.front(), path);
  write_titled(path, "Theirs");
  session.send(command::LookAtFiles{});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Theirs");
}

TEST(ChangedFiles, AFileThatIsGoneIsNoChange) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  std::filesystem::remove(path);
  session.send(command::LookAtFiles{});
  session.settle();
  EXPECT_EQ(session.last_notice(), "");
}

TEST(ChangedFiles, CancellingOverAChangedFileTakesBackWhatWasToFollow) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  ASSERT_TRUE(write_file_atomically(path, "theirs", Overwrite::Replace));
  session.send(command::Quit{});
  session.send(command::AnswerQuestion{Answer::Save});
  session.settle();
  ASSERT_TRUE(session.asks<ChangedQuestion>());
  session.send(command::AnswerQuestion{Answer::Cancel});
  session.send(command::SaveAs{folder.file("mine.attn.json")});
  session.settle();
  EXPECT_FALSE(session.state.quitting);
}

}  // namespace
}  // namespace attn
