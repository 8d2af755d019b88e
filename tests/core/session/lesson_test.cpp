// Lessons in the state: steps, guesses, answers, and what happens to edits.
#include "lesson/lesson.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/special_numbers.h"
#include "support/process.h"
#include "tests/core/document/npy_bytes.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

constexpr const char* kLesson = R"({"tokens": ["I", "love", "cats"],
  "q": [[1, 0], [0, 2], [1, 1]], "k": [[1, 1], [0, 1], [2, 0]], "v": [[1, 0], [0, 1], [1, 1]],
  "lesson": [
    {"text": "a", "view": {"plot": "heatmap", "stage": "scores"}, "pins": "scores[1, 2]"},
    {"text": "b", "view": {"plot": "heatmap"}, "edit": {"mask": {"causal": true}},
     "ask": "weights[\"love\", :]"},
    {"text": "c", "edit": {"scoring": {"temperature": 2}}, "input": "/k/2/0"}]})";

class LessonStepsTest : public testing::Test {
 protected:
  LessonStepsTest() { session_.open(read_document(kLesson, "lesson").value().document); }
  void send(const Command& command) {
    session_.send(command);
    session_.settle();
  }
  AppState& state() { return session_.state; }
  float weight(std::size_t q, std::size_t k) {
    return state().result->value(Stage::Weights, {}, q, k);
  }
  SessionDriver session_;
};

TEST_F(LessonStepsTest, BeginWithTheFirst) {
  EXPECT_TRUE(is_in_lesson(state()));
  EXPECT_EQ(state().lesson.step, 0U);
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Scores);
  EXPECT_EQ(state().pins, (std::vector{CellHit{{Stage::Scores, {}}, 0, 1}}));
  EXPECT_FALSE(has_unsaved_changes(state()));
  EXPECT_FALSE(differs_from_lesson(state()));
  send(command::StepLesson{-1});
  EXPECT_EQ(state().lesson.step, 0U) << "nothing is before it";
}

// An author's slip, such as a head that is not there or that an edit removes, ends nothing.
TEST(LessonSlips, ShowWhatIsThere) {
  const char* const slips[] = {
      R"({"tokens": 2, "lesson": [{"text": "{weights[1,1]}", "view": {"head": 99}}]})",
      R"({"tokens": 2, "lesson": [{"text": "{weights[1,1]}", "view": {"layer": 5, "sample": 7}}]})",
      R"({"tokens": 2, "lesson": [{"text": "x", "ask": "weights[1,:]", "view": {"sample": 9}}]})",
      R"({"tokens": 2, "lesson": [{"text": "x", "pins": "weights[1,1]", "view": {"layer": 9}},
          {"text": "y", "ask": "weights[2,2]"}]})",
      R"({"query_tokens": 2, "key_tokens": 3, "blocks": 2, "lesson": [
          {"text": "{weights[1,1]}", "view": {"attention": "self", "layer": 1, "head": 1}},
          {"text": "{weights[1,1]}", "ask": "weights[1,1]", "edit": {"blocks": 1, "heads": 1}}]})",
      R"({"tokens": 2, "heads": 2, "lesson": [{"text": "x", "view": {"head": 1}},
          {"text": "{weights[1,1]}", "pins": "weights[1,1]", "edit": {"heads": 1}},
          {"text": "{output[1,:]}", "edit": {"projections": null, "blocks": 1}}]})"};
  for (const char* const text : slips) {
    SessionDriver session;
    session.open(read_document(text, "slip").value().document);
    session.settle();
    for (const int by : {1, 1, -2, 2}) {
      session.send(command::Guess{{0.5, 0.5}});
      session.send(command::Reveal{});
      session.send(command::StepLesson{by});
      session.settle();
      const HeadAddress& at = focused_view(session.state).options.at;
      EXPECT_EQ(at, nearest_head(session.state.document, at)) << text;
    }
  }
}

// The driver sees to it that no step opens a file, also none of that name in the working folder.
TEST(LessonStepsOfFiles, KeepTheNumbersThatWereRead) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.file("q.npy"), test::float_npy("(2, 2)", {1, 0, 0, 1}),
                                    Overwrite::Refuse)
                  .ok());
  ASSERT_TRUE(write_file_atomically(folder.file("k.npy"), test::float_npy("(2, 2)", {3, 0, 0, 3}),
                                    Overwrite::Refuse)
                  .ok());
  ReadOptions options{.folder = folder.path(), .lesson_faults = lesson_faults};
  SessionDriver session;
  session.open(read_document(R"({"tokens": 2, "q": {"file": "q.npy"}, "k": [[1, 0], [0, 1]],
    "v": [[1, 0], [0, 1]], "lesson": [
      {"text": "a"}, {"text": "b", "edit": {"mask": {"causal": true}}},
      {"text": "c", "edit": {"k": {"file": "k.npy"}}}, {"text": "d", "edit": {"tokens": ["x", "y"]}}]})",
                             "lesson", options)
                   .value()
                   .document);
  session.send(command::StepLesson{3});
  const auto& model = std::get<GivenQkv>(session.state.document.model);
  EXPECT_EQ(model.q[0], 1.0F);
  EXPECT_EQ(model.k[0], 3.0F);
  EXPECT_EQ(session.state.document.query_tokens.front()[1], "y");
}

TEST_F(LessonStepsTest, EditTheDocumentAndTakeItBack) {
  const Document first = state().document;
  send(command::StepLesson{1});
  EXPECT_TRUE(state().document.mask.causal);
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Weights);
  EXPECT_TRUE(state().pins.empty());
  send(command::StepLesson{1});
  send(command::StepLesson{1});
  EXPECT_EQ(state().lesson.step, 2U) << "nothing is behind the last";
  EXPECT_EQ(state().document.scoring.temperature, 2.0F);
  EXPECT_FALSE(has_unsaved_changes(state()));
  send(command::StepLesson{-2});
  EXPECT_EQ(state().document, first);
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Scores);
}

TEST_F(LessonStepsTest, ConcealWhatTheyAskAboutUntilItIsRevealed) {
  send(command::StepLesson{1});
  EXPECT_TRUE(is_concealed(weight(1, 0)));
  EXPECT_FALSE(is_concealed(weight(0, 0)));
  send(command::Guess{{1, 3, 0}});
  ASSERT_EQ(shown_answer(state()).guess.size(), 3U);
  EXPECT_NEAR(shown_answer(state()).guess[1], 0.75, 1e-4);
  EXPECT_EQ(shown_answer(state()).guess[2], 0.0) << "the mask says so";
  send(command::Guess{{0, 3, 0}});
  EXPECT_GT(shown_answer(state()).guess[0], 0.0) << "no guess is infinitely far off";
  send(command::SetCell{{"/q", {}}, 1, 1, 3.0F});
  EXPECT_TRUE(is_concealed(weight(1, 0))) << "an edit tells nothing";
  send(command::StepEdit{-1});
  EXPECT_TRUE(is_concealed(weight(1, 0)));
  send(command::Reveal{});
  EXPECT_EQ(weight(1, 0), 0.5F);
  send(command::StepLesson{1});
  EXPECT_TRUE(shown_answer(state()).guess.empty());
  send(command::StepLesson{-1});
  EXPECT_EQ(weight(1, 0), 0.5F) << "revealed once and for all";
  EXPECT_EQ(shown_answer(state()).guess.size(), 3U) << "with the guess";
  EXPECT_EQ(shown_answer(state()).truth, (std::vector{0.5, 0.5, 0.0}));
  send(command::SetCell{{"/q", {}}, 1, 0, 7.0F});
  EXPECT_NE(weight(1, 0), 0.5F);
  EXPECT_EQ(shown_answer(state()).truth.front(), 0.5) << "as it was revealed";
}

// Undo of what the lesson did leads to the step before, whose words fit the document.
TEST_F(LessonStepsTest, AreLeftBackwardsByUndoWithoutEdits) {
  send(command::StepLesson{1});
  send(command::StepLesson{1});
  const Document third = state().document;
  send(command::SetCausal{false});
  send(command::StepEdit{-1});
  EXPECT_EQ(state().lesson.step, 2U) << "the reader's edit";
  EXPECT_EQ(state().document, third);
  send(command::StepEdit{-1});
  EXPECT_EQ(state().lesson.step, 1U);
  EXPECT_FALSE(differs_from_lesson(state()));
  EXPECT_FALSE(state().document.scoring.temperature == 2.0F);
  send(command::StepEdit{-1});
  EXPECT_EQ(state().lesson.step, 0U);
  EXPECT_FALSE(state().document.mask.causal);
}

// A reference that was kept while a question concealed some of it is whole after the answer.
TEST(LessonReferences, AreWholeOnceTheQuestionIsRevealed) {
  SessionDriver session;
  session.open(read_document(R"({"tokens": 3, "blocks": 2, "heads": 2, "d_model": 4, "seed": 5,
      "lesson": [{"text": "a", "ask": "weights[layer 2, head 1, 3, :]",
                  "edit": {"what_if": {"gates": [{"layer": 0, "head": 1, "factor": 0}]}}},
                 {"text": "b"}]})",
                             "lesson")
                   .value()
                   .document);
  const auto send = [&](const Command& command) {
    session.send(command);
    session.settle();
  };
  const HeadAddress asked{1, 0, 0};
  send(command::SetGates{{{{0, 0, 1}, 1.0F}}});
  send(command::StepEdit{-1});
  ASSERT_NE(session.state.reference, nullptr);
  EXPECT_TRUE(session.state.result->conceals(Stage::Weights, asked));
  send(command::Reveal{});
  EXPECT_FALSE(session.state.result->conceals(Stage::Weights, asked));
  ASSERT_NE(session.state.reference, nullptr);
  EXPECT_FALSE(session.state.reference->result->conceals(Stage::Weights, asked));
}

TEST_F(LessonStepsTest, KeepTheCellThatWasClicked) {
  send(command::StepLesson{1});
  const std::vector<CellHit> chosen{{{Stage::Weights, {}}, 1, 1}};
  state().pins = chosen;
  send(command::StepLesson{1});
  send(command::StepLesson{-1});
  EXPECT_EQ(state().pins, chosen);
  send(command::Reveal{});
  state().pins.clear();
  send(command::StepLesson{-1});
  EXPECT_EQ(state().pins, (std::vector{CellHit{{Stage::Scores, {}}, 0, 1}}));
  send(command::StepLesson{1});
  EXPECT_EQ(state().pins, chosen);
}

TEST_F(LessonStepsTest, SayNothingOfABadEditUnlessTheReaderMadeIt) {
  Document document = read_document(kLesson, "lesson")->document;
  document.lesson[1].edit = R"([{"op": "test", "path": "/q/0/0", "value": 1}])";
  document.lesson[2].edit = R"({"masc": {}})";
  session_.open(document);
  send(command::StepLesson{2});
  EXPECT_TRUE(state().notices.empty());
  send(command::StepLesson{-2});
  send(command::SetCell{{"/q", {}}, 0, 0, 3.0F});
  send(command::StepLesson{1});
  ASSERT_EQ(state().notices.size(), 1U);
}

TEST_F(LessonStepsTest, ShowTheNumberToChange) {
  send(command::SelectMatrix{{"/v", {}}});
  send(command::StepLesson{1});
  EXPECT_EQ(state().grid.matrix.tensor, "/v");
  send(command::StepLesson{1});
  EXPECT_EQ(state().grid.matrix.tensor, "/k");
  EXPECT_EQ(state().grid.row, 2U);
  EXPECT_EQ(state().grid.col, 0U);
  EXPECT_EQ(state().grid.anchor_row, 2U);
}

TEST_F(LessonStepsTest, SayWhenTheDocumentWasEdited) {
  send(command::SetCell{{"/q", {}}, 0, 0, 3.0F});
  EXPECT_TRUE(differs_from_lesson(state()));
  send(command::StepLesson{1});
  EXPECT_TRUE(differs_from_lesson(state())) << "the edit carries on";
  EXPECT_TRUE(state().document.mask.causal);
  send(command::RestoreStep{});
  EXPECT_FALSE(differs_from_lesson(state()));
  EXPECT_FALSE(has_unsaved_changes(state()));
  send(command::StepLesson{-1});
  EXPECT_TRUE(differs_from_lesson(state())) << "Back leads to the document as it was left";
  send(command::StepEdit{-1});
  send(command::EndLesson{});
  EXPECT_FALSE(is_in_lesson(state()));
  send(command::EndLesson{false});
  EXPECT_TRUE(is_in_lesson(state()));
}

TEST_F(LessonStepsTest, AreNotThoseOfAFileThatWasSavedWithEdits) {
  const test::TemporaryFolder folder;
  send(command::SetCell{{"/q", {}}, 0, 0, 3.0F});
  send(command::SaveAs{folder.file("mine.json")});
  ASSERT_FALSE(has_unsaved_changes(state()));
  send(command::RestoreStep{});
  EXPECT_FALSE(differs_from_lesson(state()));
  EXPECT_TRUE(has_unsaved_changes(state())) << "the file has the edits";
}

}  // namespace
}  // namespace attn
