// Changes of open documents' files by other programs: reported, read again, never lost.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "support/paths.h"
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

TEST(ChangedFiles, AFileThatAnotherProgramChangedIsAskedAbout) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = saved_and_edited(path);
  ASSERT_TRUE(write_file_atomically(path, "theirs", Overwrite::Replace));
  session.send(command::Save{});
  session.settle();
  ASSERT_TRUE(has_question(session.state, FileObstacle::Changed));
  EXPECT_EQ(std::get<FileQuestion>(*session.state.question).path, path);
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
  EXPECT_TRUE(has_question(session.state, FileObstacle::Changed));
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
  ASSERT_TRUE(has_question(session.state, FileObstacle::Changed));
  session.send(command::AnswerQuestion{Answer::Reload});
  session.settle();
  EXPECT_FALSE(session.state.quitting);
  EXPECT_EQ(session.state.document.title, "Theirs");
  EXPECT_FALSE(has_unsaved_changes(session.state));
  session.send(command::StepEdit{-1});
  session.settle();
  EXPECT_EQ(session.state.document, mine);
  EXPECT_TRUE(has_unsaved_changes(session.state));
  session.send(command::Save{});
  session.settle();
  EXPECT_FALSE(session.state.question) << "what is there now has been seen";
  EXPECT_EQ(open_document(path).value().document.title, mine.title);
}

// Written to `path`, opened from there and not edited.
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
  session.send(command::CheckFiles{});
  session.settle();
  EXPECT_EQ(session.last_notice(), "") << "the same bytes are no news";
  write_titled(path, "Theirs");
  session.send(command::CheckFiles{});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Theirs");
  EXPECT_FALSE(has_unsaved_changes(session.state));
  EXPECT_EQ(focused_view(session.state), view);
  EXPECT_EQ(session.last_notice(), "Reloaded cats.attn.json, which another program changed");
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Info);
  session.send(command::StepEdit{-1});
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
    session.send(command::CheckFiles{});
    session.settle();
  }
  EXPECT_EQ(session.state.document, mine);
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_EQ(session.state.notices.back().count, 1U) << "said once";
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Warning);
  EXPECT_EQ(session.state.notices.back().offer, Notice::Offer::Reload);
  EXPECT_EQ(session.state.notices.back().document, session.state.id);
  session.send(command::Save{});
  session.settle();
  EXPECT_TRUE(has_question(session.state, FileObstacle::Changed)) << "seen is not agreed to";
  session.send(command::AnswerQuestion{Answer::Cancel});
  session.send(command::Reload{session.state.id});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Theirs");
  EXPECT_EQ(session.last_notice(), "Reloaded cats.attn.json");
  EXPECT_EQ(session.state.notices.size(), 1U) << "the offer is gone";
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, mine);
}

TEST(ChangedFiles, EditsMadeWhileTheFileIsReadAgainAreKept) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  write_titled(path, "Theirs");
  session.send(command::CheckFiles{});
  session.send(*run_effect(*session.effect<effect::CheckFile>(), nullptr));
  ASSERT_NE(session.effect<effect::Reload>(), nullptr);
  const effect::Reload reload = *session.effect<effect::Reload>();
  session.send(set_cell(0, 0, 5.0F));
  session.send(*run_effect(reload, nullptr));
  EXPECT_EQ(session.state.document.title, "Two heads");
  EXPECT_EQ(session.state.notices.back().offer, Notice::Offer::Reload);
  EXPECT_EQ(session.state.notices.back().document, session.state.id);
}

TEST(ChangedFiles, AFileOfATabAsideIsLookedAtWhenItsTabIs) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  session.open(two_heads(), folder.file("other.attn.json"));
  write_titled(path, "Theirs");
  session.send(command::CheckFiles{});
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
    session.send(command::CheckFiles{});
    session.settle();
  }
  EXPECT_EQ(session.state.document.title, "Two heads");
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Error);
  EXPECT_EQ(session.state.notices.back().count, 1U);
  EXPECT_EQ(session.state.preferences.recent_files.front(), path);
  session.send(command::Notify{Notice::Level::Error, "out.png cannot be written", ""});
  write_titled(path, "Theirs");
  session.send(command::CheckFiles{});
  session.settle();
  EXPECT_EQ(session.state.document.title, "Theirs");
  EXPECT_EQ(std::ranges::count(session.state.notices, Notice::Level::Error, &Notice::level), 1)
      << "errors of other files stay";
}

TEST(ChangedFiles, AFileThatIsGoneIsNoChange) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("cats.attn.json");
  SessionDriver session = opened_from(path);
  std::filesystem::remove(path);
  session.send(command::CheckFiles{});
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
  ASSERT_TRUE(has_question(session.state, FileObstacle::Changed));
  session.send(command::AnswerQuestion{Answer::Cancel});
  session.send(command::SaveAs{folder.file("mine.attn.json")});
  session.settle();
  EXPECT_FALSE(session.state.quitting);
}

// The question is shown over all windows, and another one may replace it.
TEST(ChangedFiles, AnotherQuestionTakesBackWhatWasToFollow) {
  const Command others[] = {command::Quit{}, command::CloseTab{},
                            command::Exported{"/tmp/a.png", usage_error("it exists", ""), true}};
  for (const Command& other : others) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("cats.attn.json");
    SessionDriver session = saved_and_edited(path);
    ASSERT_TRUE(write_file_atomically(path, "theirs", Overwrite::Replace));
    session.send(command::Quit{});
    session.send(command::AnswerQuestion{Answer::Save});
    session.settle();
    ASSERT_TRUE(has_question(session.state, FileObstacle::Changed));
    session.send(other);
    ASSERT_FALSE(has_question(session.state, FileObstacle::Changed));
    session.send(command::AnswerQuestion{Answer::Cancel});
    session.send(command::SaveAs{folder.file("mine.attn.json")});
    session.settle();
    EXPECT_FALSE(has_unsaved_changes(session.state));
    EXPECT_FALSE(session.state.quitting) << "a later save is not the answer to the old question";
  }
}

// ---- Files of a document's numbers.

struct OfNumbers {
  OfNumbers() {
    write({1, 0, 0, 1});
    session.send(command::Open{path});
    session.settle();
    EXPECT_EQ(session.last_notice().find("w.npy: the array (2 × 2): attention, a map of 2 × 2"), 0U)
        << session.last_notice();
    session.send(command::DismissNotice{session.state.last_notice});
  }
  void write(const std::vector<float>& values) {
    test::write_in_place(path, test::float_npy("(2, 2)", values));
  }
  void look() {
    session.send(command::CheckFiles{});
    session.settle();
  }
  float weight(std::size_t q, std::size_t k) const {
    return session.state.result->value(Stage::Weights, {}, q, k);
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("w.npy");
  SessionDriver session;
};

TEST(ChangedNumbers, OfAnUneditedDocumentAreReadAgain) {
  OfNumbers open;
  open.look();
  EXPECT_EQ(open.session.last_notice(), "") << "the same bytes are no news";
  const ResultPtr before = open.session.state.result;
  open.write({0.25F, 0.75F, 0.5F, 0.5F});
  open.look();
  ASSERT_NE(open.session.state.result, nullptr);
  EXPECT_NE(open.session.state.result, before);
  EXPECT_EQ(open.weight(0, 1), 0.75F);
  EXPECT_FALSE(has_unsaved_changes(open.session.state));
  EXPECT_EQ(open.session.last_notice(), "Reloaded w.npy, which another program changed");
  test::write_in_place(open.path, test::float_npy("(3, 3)", {1, 0, 0, 0, 1, 0, 0, 0, 1}));
  open.look();
  EXPECT_EQ(open.session.state.result->shape().n_q, 3U) << "of whatever shape";
}

TEST(ChangedNumbers, ThatAreCutAreNotShownUntilTheyAreBack) {
  OfNumbers open;
  std::filesystem::resize_file(open.path, 130);
  for (int looks = 0; looks < 3; ++looks) {
    open.look();
    EXPECT_EQ(open.session.state.result, nullptr);
    ASSERT_EQ(open.session.state.notices.size(), 1U);
    EXPECT_EQ(open.session.state.notices[0].count, 1U) << "said once";
    EXPECT_EQ(open.session.state.result_error->message,
              "the file is not as long as its header says");
  }
  open.write({1, 0, 0, 1});
  open.look();
  ASSERT_NE(open.session.state.result, nullptr);
  EXPECT_EQ(open.weight(1, 1), 1.0F);
  for (const Notice& notice : open.session.state.notices) {
    EXPECT_EQ(notice.level, Notice::Level::Info) << notice.text;
  }
}

TEST(ChangedNumbers, OfAnEditedDocumentAreReadWhenThatIsWanted) {
  OfNumbers open;
  open.session.send(command::SetTitle{"Mine"});
  open.session.settle();
  open.write({0.25F, 0.75F, 0.5F, 0.5F});
  for (int looks = 0; looks < 2; ++looks) open.look();
  EXPECT_EQ(open.session.state.result, nullptr) << "which might be of two versions";
  ASSERT_EQ(open.session.state.notices.size(), 1U);
  EXPECT_EQ(open.session.state.notices[0].count, 1U) << "said once";
  EXPECT_EQ(open.session.state.notices[0].offer, Notice::Offer::Reload);
  open.session.send(command::Reload{open.session.state.id});
  open.session.settle();
  ASSERT_NE(open.session.state.result, nullptr);
  EXPECT_EQ(open.weight(0, 1), 0.75F);
  EXPECT_EQ(open.session.state.document.title, "Mine");
  EXPECT_TRUE(has_unsaved_changes(open.session.state));
  open.session.send(command::StepEdit{-1});
  open.look();
  EXPECT_EQ(open.weight(0, 1), 0.75F) << "undo leads back to no older numbers";
  open.session.send(command::StepEdit{1});
  EXPECT_EQ(open.session.state.document.title, "Mine");
}

TEST(ChangedNumbers, FoundWhileTheyAreComputedAreReadAgain) {
  OfNumbers open;
  open.session.send(command::Open{open.path});
  open.session.send(*run_effect(*open.session.effect<effect::Load>(), nullptr));
  ASSERT_NE(open.session.effect<effect::Compute>(), nullptr);
  open.write({0.25F, 0.75F, 0.5F, 0.5F});
  open.session.settle();
  ASSERT_NE(open.session.state.result, nullptr);
  EXPECT_EQ(open.weight(0, 1), 0.75F);
}

TEST(ChangedNumbers, AreNotDrawnToAFile) {
  OfNumbers open;
  open.session.send(command::Export{open.folder.file("a.svg")});
  open.write({0.25F, 0.75F, 0.5F, 0.5F});
  open.session.settle();
  EXPECT_FALSE(std::filesystem::exists(open.folder.file("a.svg")));
  EXPECT_NE(open.session.last_notice().find("changed by another program"), std::string::npos);
}

// ---- References out of a document's folder.

struct Outside {
  Outside() {
    std::filesystem::create_directories(folder.file("deep"));
    EXPECT_TRUE(write_file_atomically(folder.file("w.npy"), test::float_npy("(2, 2)", {1, 0, 0, 1}),
                                      Overwrite::Refuse));
    write(R"({"attention": {"file": "../w.npy"}})");
  }
  void write(const std::string& text) {
    EXPECT_TRUE(write_file_atomically(path, text, Overwrite::Replace));
  }
  void open() {
    session.send(command::Open{path});
    session.settle();
  }
  void answer(command::Answer answer) {
    session.send(command::AnswerQuestion{answer});
    session.settle();
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("deep/a.json");
  SessionDriver session;
};

TEST(OutsideReferences, AreAskedAboutAndReadOnceTheyAreAllowed) {
  Outside outside;
  outside.open();
  ASSERT_TRUE(outside.session.asks<OutsideQuestion>());
  EXPECT_TRUE(outside.session.state.source_path.empty());
  outside.answer(command::Answer::Cancel);
  EXPECT_TRUE(outside.session.state.source_path.empty());
  outside.open();
  outside.answer(command::Answer::Allow);
  EXPECT_EQ(outside.session.state.source_path, outside.path);
  ASSERT_NE(outside.session.state.result, nullptr);
  outside.write(R"({"attention": {"file": "../w.npy"}, "title": "Theirs"})");
  outside.session.send(command::CheckFiles{});
  outside.session.settle();
  EXPECT_EQ(outside.session.state.document.title, "Theirs") << "as long as it is open";
  outside.session.send(command::CloseTab{});
  outside.open();
  EXPECT_TRUE(outside.session.asks<OutsideQuestion>()) << "once";
}

TEST(OutsideReferences, AreReadWithoutAQuestionWhereThatIsSaid) {
  Outside outside;
  outside.session.send(command::AllowOutside{true});
  outside.open();
  EXPECT_FALSE(outside.session.state.question);
  EXPECT_EQ(outside.session.state.source_path, outside.path);
}

TEST(OutsideReferences, OfPastedDocumentsStartInTheWorkingFolder) {
  Outside outside;
  outside.session.send(command::PasteDocument{R"({"attention": {"file": ")" +
                                              outside.folder.file("w.npy") + R"("}})"});
  outside.session.settle();
  ASSERT_TRUE(outside.session.asks<OutsideQuestion>());
  outside.answer(command::Answer::Allow);
  EXPECT_TRUE(std::holds_alternative<GivenWeights>(outside.session.state.document.model));
}

TEST(OutsideReferences, ToAnotherDocumentAreAskedAboutBeforeItIsCompared) {
  Outside outside;
  EXPECT_TRUE(write_file_atomically(outside.folder.file("b.json"), R"({"tokens": ["a", "b"]})",
                                    Overwrite::Refuse));
  outside.write(R"({"tokens": ["a", "b"], "reference": "../b.json"})");
  outside.open();
  EXPECT_EQ(outside.session.state.source_path, outside.path);
  EXPECT_EQ(outside.session.state.reference, nullptr);
  ASSERT_TRUE(outside.session.asks<OutsideQuestion>());
  outside.answer(command::Answer::Allow);
  EXPECT_NE(outside.session.state.reference, nullptr);
}

// ---- Folders of models.

struct OfModel {
  OfModel() {
    std::filesystem::copy(test::source_folder() + "/assets/models/pronoun-encoder", path);
    session.send(command::Open{path});
    session.settle();
    session.send(command::SetText{"the dog was tired", 1});
    session.settle();
  }
  // Another training: the last weights of the file are others.
  void train() const {
    const std::string file = path + "/model.safetensors";
    std::string bytes = read_file(file, 1'000'000).value();
    for (std::size_t i = bytes.size() / 2; i < bytes.size(); i += 2) bytes[i] = '\x11';
    ASSERT_TRUE(write_file_atomically(file, bytes, Overwrite::Replace));
  }
  void look() {
    session.send(command::CheckFiles{});
    session.settle();
  }
  std::vector<float> last_row() const {
    std::vector<float> row;
    for (std::size_t k = 0; k < 6; ++k) {
      row.push_back(session.state.result->value(Stage::Weights, {2, 0, 1}, 4, k));
    }
    return row;
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("toy");
  SessionDriver session;
};

TEST(ChangedModel, IsReadAgainWithTheTextAndTheEditsThatItHas) {
  OfModel open;
  constexpr const char* kPlace = "/blocks/0/projections/w_q";
  open.session.send(command::SetCell{{kPlace, {}}, 1, 2, 7.0F});
  open.session.settle();
  const std::vector<float> before = open.last_row();
  open.train();
  open.look();
  ASSERT_EQ(open.session.state.notices.size(), 1U);
  EXPECT_NE(open.session.last_notice().find("Reloading keeps its edits"), std::string::npos)
      << open.session.last_notice();
  open.session.send(command::Reload{open.session.state.id});
  open.session.settle();
  ASSERT_NE(open.session.state.result, nullptr) << open.session.last_notice();
  const Document& document = open.session.state.document;
  EXPECT_EQ(document.source_model->text, "the dog was tired");
  EXPECT_EQ(matrix_of(document, {kPlace, {}}).at(1, 2), 7.0F);
  EXPECT_NE(open.last_row(), before);
  EXPECT_LT(write_document(document).size(), 2000U) << "the other weights are those of the folder";
  EXPECT_TRUE(has_unsaved_changes(open.session.state));
}

TEST(ChangedModel, KeepsNoNoteOnATextThatIsNotGiven) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("toy");
  std::filesystem::copy(test::source_folder() + "/assets/models/pronoun-encoder", path);
  std::string config = read_file(path + "/config.json", 10'000).value();
  config.replace(config.find("attnscope_text"), 14, "_other_key_her");
  ASSERT_TRUE(write_file_atomically(path + "/config.json", config, Overwrite::Replace));
  SessionDriver session;
  session.send(command::Open{path});
  session.settle();
  ASSERT_EQ(session.state.reading_notes.size(), 1U);
  session.send(command::SetText{"the dog", 1});
  EXPECT_TRUE(session.state.reading_notes.empty());
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.reading_notes.size(), 1U);
}

TEST(ChangedModel, ThatMovedIsMissedWhenItsDocumentIsOpenedAndNothingIsLost) {
  OfModel open;
  const std::string document = open.folder.file("mine.attn.json");
  open.session.send(command::SaveAs{document});
  open.session.settle();
  std::filesystem::rename(open.path, open.folder.file("elsewhere"));
  open.look();
  EXPECT_NE(open.session.state.result, nullptr) << "what is open stays";
  SessionDriver other;
  other.send(command::Open{document});
  other.settle();
  EXPECT_NE(other.last_notice().find("put the folder back"), std::string::npos)
      << other.last_notice();
  std::filesystem::rename(open.folder.file("elsewhere"), open.path);
  other.send(command::Open{document});
  other.settle();
  EXPECT_EQ(other.state.document.source_model->text, "the dog was tired");
}

}  // namespace
}  // namespace attn
