// Documents from pasted text, and commands for names of features.
#include <gtest/gtest.h>

#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::two_heads;

void paste(SessionDriver& session, const std::string& text) {
  session.send(command::PasteDocument{text});
  session.settle();
}

TEST(PasteDocument, OpensInATabOfItsOwnWithoutAFile) {
  SessionDriver session;
  session.open(two_heads());
  paste(session, "The cat sat");
  EXPECT_EQ(open_documents(session.state).size(), 2U);
  EXPECT_EQ(session.state.document.query_tokens.front(), (TokenList{"The", "cat", "sat"}));
  EXPECT_TRUE(session.state.path.empty());
  EXPECT_TRUE(session.state.source_path.empty());
  EXPECT_TRUE(has_unsaved_changes(session.state));
  EXPECT_TRUE(session.state.history.past.empty());
  EXPECT_EQ(session.last_notice(), "Pasted a text of 3 tokens");
  ASSERT_NE(session.state.result, nullptr);
  session.send(command::StepTab{-1});
  EXPECT_EQ(session.state.document, two_heads());
}

TEST(PasteDocument, SaysWhatATableWasTakenFor) {
  SessionDriver session;
  paste(session, "1\t0\n0.5\t0.5\n");
  EXPECT_EQ(session.last_notice(),
            "Pasted 2 × 2 numbers as finished attention weights: every row sums to 1");
  EXPECT_TRUE(std::holds_alternative<GivenWeights>(session.state.document.model));
  paste(session, "1\t2\n3\t4\n");
  EXPECT_EQ(session.last_notice(), "Pasted 2 × 2 numbers as embeddings X of 2 tokens");
  const std::vector<std::string> notes{"read as 2 × 2 numbers as embeddings X of 2 tokens",
                                       "generated from the seed: w_q, w_k, w_v, w_o"};
  EXPECT_EQ(session.state.reading_notes, notes);
}

TEST(PasteDocument, LeavesALessonInItsTab) {
  SessionDriver session;
  Document lesson = two_heads();
  lesson.lesson = {{.text = "one"}, {.text = "two"}};
  session.open(lesson);
  session.state.path.clear();
  session.state.source_path = "example:lesson";
  ASSERT_TRUE(is_in_lesson(session.state));
  paste(session, "The cat sat");
  EXPECT_EQ(open_documents(session.state).size(), 2U);
  session.send(command::StepTab{-1});
  EXPECT_EQ(session.state.document.lesson.size(), 2U);
}

TEST(PasteDocument, AsksWhetherWeightsThatLookCausalAre) {
  SessionDriver session;
  paste(session, R"({"attention": [[1, 0], [0.5, 0.5]]})");
  EXPECT_TRUE(session.state.document.mask.causal);
  const auto asks = [&] {
    return std::ranges::count(session.state.notices, Notice::Offer::CausalOff, &Notice::offer);
  };
  ASSERT_EQ(asks(), 1);
  EXPECT_EQ(session.state.notices.front().document, session.state.id);
  EXPECT_FALSE(disappears(session.state.notices.front()));
  for (const char* text : {"one", "two", "three"}) {
    session.send(command::Notify{Notice::Level::Info, text, ""});
  }
  ASSERT_EQ(asks(), 1) << "it outlasts what asks nothing";
  session.send(command::SetCausal{false});
  EXPECT_EQ(asks(), 0) << "it is answered";
  EXPECT_FALSE(session.state.document.mask.causal);
  session.send(command::StepEdit{-1});
  EXPECT_TRUE(session.state.document.mask.causal);
  paste(session, R"({"attention": [[1, 0], [0.5, 0.5]], "mask": {"causal": true}})");
  EXPECT_EQ(asks(), 0) << "it says so itself";
  paste(session, R"({"attention": [[1, 0], [0.5, 0.5]]})");
  session.send(command::CloseTab{session.state.id});
  session.send(command::AnswerQuestion{command::Answer::Discard});
  EXPECT_EQ(asks(), 0) << "the document is closed";
}

TEST(PasteDocument, KeepsTheNotesOnHowItWasRead) {
  SessionDriver session;
  paste(session, R"({"tokens": ["a"]})");
  ASSERT_FALSE(session.state.reading_notes.empty());
  EXPECT_NE(session.state.reading_notes.front().find("generated"), std::string::npos);
}

TEST(PasteDocument, ThatIsNoUtf8SaysWhichByteAndOpensNothing) {
  SessionDriver session;
  session.open(two_heads());
  paste(session, "caf\xe9 au lait");
  EXPECT_NE(session.last_notice().find("found the byte 233 at offset 3"), std::string::npos);
  EXPECT_EQ(open_documents(session.state).size(), 1U);
}

TEST(PasteDocument, ThatIsNoneSaysWhyAndOpensNothing) {
  SessionDriver session;
  session.open(two_heads());
  paste(session, "{\"headz\": 2}");
  EXPECT_NE(session.last_notice().find("unknown key"), std::string::npos);
  paste(session, "1\t2\t3\n4\tx\t6\n");
  EXPECT_NE(session.last_notice().find("Line 2, cell 2"), std::string::npos);
  paste(session, "");
  EXPECT_EQ(session.last_notice(), "The clipboard holds no text to paste");
  EXPECT_EQ(open_documents(session.state).size(), 1U);
  EXPECT_EQ(session.state.document, two_heads());
}

TEST(RenameFeature, IsOneStepOfUndo) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::RenameFeature{FeatureAxis::Key, 1, "where"});
  EXPECT_EQ(*session.state.document.features.name_of(FeatureAxis::Key, 1), "where");
  EXPECT_EQ(session.state.history.past.back().label, "rename feature");
  EXPECT_TRUE(has_unsaved_changes(session.state));
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, two_heads());
  session.send(command::RenameFeature{FeatureAxis::Key, 1, ""});
  EXPECT_TRUE(session.state.history.past.empty());
  session.send(command::RenameFeature{FeatureAxis::Hidden, 0, "edge"});
  EXPECT_NE(session.last_notice().find("there is no such column"), std::string::npos);
}

TEST(PasteDocument, ThatIsTooLargeIsRefusedBeforeItIsRead) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::LimitMemory{std::uint64_t{20} << 20U});
  std::string numbers;
  for (int cell = 0; cell < 200'000; ++cell) numbers += "1,2\n";
  const effect::ReadPasted paste{numbers};
  const auto answer = run_effect(paste, nullptr, session.state.memory_limit_bytes);
  session.send(*answer);
  EXPECT_NE(session.last_notice().find("more memory than is allowed"), std::string::npos);
  session.send(command::PasteText{{"/q", {}}, 0, 0, numbers});
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_EQ(session.state.notices.front().count, 2U) << "into a matrix";
  EXPECT_NE(session.last_notice().find("more memory than is allowed"), std::string::npos);
  EXPECT_EQ(open_documents(session.state).size(), 1U);
}

}  // namespace
}  // namespace attn
