// Edits, undo and redo.
#include <gtest/gtest.h>

#include <limits>

#include "document/problem.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::set_cell;
using test::two_heads;

float query_at(const AppState& state, std::size_t row, std::size_t col) {
  return matrix_of(state.document, {"/q", {}}).at(row, col);
}

TEST(Edit, AStartIsConsistentAndClean) {
  const AppState state = initial_state();
  EXPECT_TRUE(check(state.document).ok());
  EXPECT_FALSE(has_unsaved_changes(state));
  EXPECT_TRUE(is_computing(state));
  EXPECT_EQ(window_title(state), "Untitled – AttnScope");
}

TEST(Edit, ACellChangesAndIsComputedAnew) {
  SessionDriver session;
  session.open(two_heads());
  const std::uint64_t before = session.state.revision;
  session.send(set_cell(0, 1, 3.5F));
  EXPECT_EQ(query_at(session.state, 0, 1), 3.5F);
  EXPECT_GT(session.state.revision, before);
  ASSERT_NE(session.effect<effect::Compute>(), nullptr);
  EXPECT_EQ(session.effect<effect::Compute>()->revision, session.state.revision);
  EXPECT_EQ(session.effect<effect::Compute>()->document, session.state.document);
  EXPECT_EQ(session.state.history.past.back().label, "edit Q");
}

TEST(Edit, TheSameValueIsNoEdit) {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(0, 0, 1.0F));
  EXPECT_TRUE(session.effects.empty());
  EXPECT_TRUE(session.state.history.past.empty());
  EXPECT_FALSE(has_unsaved_changes(session.state));
}

TEST(Edit, AGestureThatEndsWhereItBeganIsNoStep) {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(0, 1, 3.5F));
  const std::uint64_t before = session.state.revision;
  const float number = query_at(session.state, 1, 0);
  session.send(set_cell(1, 0, 4.0F, 7));
  session.send(set_cell(1, 0, 5.0F, 7));
  session.send(set_cell(1, 0, number, 7));
  EXPECT_EQ(session.state.revision, before);
  EXPECT_EQ(session.state.history.past.size(), 1U);
  session.settle();
  EXPECT_EQ(session.state.result_revision, before);
  session.send(set_cell(1, 0, 6.0F, 7));
  EXPECT_EQ(session.state.history.past.size(), 2U) << "and it may go on";
  session.send(command::StepEdit{-1});
  EXPECT_EQ(query_at(session.state, 1, 0), number);
}

TEST(Edit, ADragIsOneStep) {
  SessionDriver session;
  session.open(two_heads());
  const Document original = session.state.document;
  for (int i = 1; i <= 20; ++i) {
    session.send(set_cell(1, 0, 0.1F * static_cast<float>(i), 7));
    session.send(command::Hover{CellHit{{Stage::Weights, {}}, 0, 0}});
    session.settle();
  }
  EXPECT_EQ(session.state.history.past.size(), 1U);
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, original);
  session.send(command::StepEdit{1});
  EXPECT_EQ(query_at(session.state, 1, 0), 0.1F * 20.0F);
}

TEST(Edit, AnotherStrokeOrCommandStartsAnotherStep) {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(1, 0, 0.1F, 7));
  session.send(set_cell(1, 0, 0.2F, 8));
  EXPECT_EQ(session.state.history.past.size(), 2U);
  session.send(command::SelectStage{Stage::Scores});
  session.send(set_cell(1, 0, 0.3F, 8));
  EXPECT_EQ(session.state.history.past.size(), 3U);
  session.send(set_cell(1, 0, 0.4F));
  session.send(set_cell(1, 0, 0.5F));
  EXPECT_EQ(session.state.history.past.size(), 5U);
}

TEST(Edit, AnUndoneStrokeIsNotContinued) {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(1, 0, 0.1F, 7));
  session.send(command::StepEdit{-1});
  session.send(set_cell(1, 0, 0.2F, 7));
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, two_heads());
}

TEST(Edit, UndoBackToTheSavedRevisionIsClean) {
  SessionDriver session;
  session.open(two_heads());
  EXPECT_EQ(window_title(session.state), "two_heads.attn.json – AttnScope");
  session.send(set_cell(0, 0, 9.0F));
  EXPECT_EQ(window_title(session.state), "* two_heads.attn.json – AttnScope");
  session.send(command::StepEdit{-1});
  EXPECT_FALSE(has_unsaved_changes(session.state));
  session.send(command::StepEdit{1});
  EXPECT_TRUE(has_unsaved_changes(session.state));
}

TEST(Edit, AnEditAfterUndoForgetsWhatWasUndone) {
  SessionDriver session;
  session.open(two_heads());
  session.send(set_cell(0, 0, 9.0F));
  session.send(command::StepEdit{-1});
  session.send(set_cell(0, 0, 8.0F));
  EXPECT_TRUE(session.state.history.future.empty());
  session.send(command::StepEdit{1});
  EXPECT_EQ(query_at(session.state, 0, 0), 8.0F);
}

TEST(Edit, HistoryIsBounded) {
  SessionDriver session;
  session.open(two_heads());
  for (int i = 0; i < 300; ++i) session.send(set_cell(0, 0, static_cast<float>(i) + 2.0F));
  EXPECT_EQ(session.state.history.past.size(), 200U);
  session.send(command::StepEdit{-1});
  EXPECT_EQ(query_at(session.state, 0, 0), 300.0F);
}

TEST(Edit, HistoryOfLargeMatricesIsBoundedByTheirSize) {
  constexpr std::size_t kRows = 16;
  constexpr std::size_t kCols = std::size_t{1} << 20U;
  const Tensor large({kRows, kCols}, std::vector<float>(kRows * kCols));  // 64 MiB
  const Tensor small({kRows, 1}, std::vector<float>(kRows));
  Document document;
  document.query_tokens = {TokenList(kRows, "t")};
  document.model = GivenQkv{large, large, small};
  SessionDriver session;
  Reading report;
  report.document = document;
  session.send(command::Opened{{"/tmp/large.json"}, report});
  for (int i = 0; i < 12; ++i) session.send(set_cell(0, 0, static_cast<float>(i) + 1.0F));
  EXPECT_EQ(session.state.history.past.size(), 8U) << "512 MiB at 64 MiB each";
  session.send(command::StepEdit{-1});
  EXPECT_EQ(query_at(session.state, 0, 0), 11.0F);
  for (int i = 0; i < 4; ++i) session.send(command::StepEdit{-1});
  for (int i = 0; i < 5; ++i) session.send(command::StepEdit{1});
  session.send(set_cell(0, 0, 20.0F));
  EXPECT_EQ(session.state.history.past.size(), 8U) << "steps done again count as before";
}

template <class Member, class Value>
Scoring scoring_with(Member Scoring::*member, Value value) {
  Scoring scoring;
  scoring.*member = value;
  return scoring;
}

Scoring scaled_by(float scale) { return scoring_with(&Scoring::scale, scale); }

Position rope() {
  Position position;
  position.kind = PositionKind::Rope;
  return position;
}

Mask with_slopes_of(std::vector<float> slopes) {
  Mask mask;
  mask.alibi = std::move(slopes);
  return mask;
}

Position learned_from(Tensor table) {
  Position position;
  position.kind = PositionKind::Learned;
  position.table = std::move(table);
  return position;
}

TEST(Edit, ARefusedEditSaysWhyAndChangesNothing) {
  SessionDriver session;
  session.open(two_heads());
  const std::vector<Command> refused = {
      set_cell(99, 0, 1.0F),
      set_cell(0, 99, 1.0F),
      command::SetCell{{"/projections/w_q", {}}, 0, 0, 1.0F},
      command::SetCell{{"/q", {0, 0, 5}}, 0, 0, 1.0F},
      command::SetCell{{"/q", {0, 0, 2}}, 0, 0, 1.0F},  // of two heads, the third
      command::SetCell{{"/q", {1, 0, 0}}, 0, 0, 1.0F},  // of one layer and sample, the second
      command::SetCell{{"/q", {0, 1, 0}}, 0, 0, 1.0F},
      command::PasteText{{"/q", {}}, 2, 1, "1\t2\n3\t4"},
      command::PasteText{{"/q", {}}, 0, 0, "one\ttwo"},
      command::DeleteToken{Side::Query, 99},
      command::MoveToken{Side::Query, 0, 99},
      command::RenameToken{Side::Query, 0, 99, "x"},
      command::SetPadding{Side::Key, 0, 99, false},
      command::SetScoring{scaled_by(std::numeric_limits<float>::infinity())},
      command::SetMask{with_slopes_of({1, 2, 3})},
      command::SetPosition{learned_from(Tensor({1, 1}, {1}))},
  };
  for (const Command& command : refused) {
    session.state.notices.clear();
    session.send(command);
    EXPECT_EQ(session.state.notices.size(), 1U) << &command - refused.data();
    EXPECT_FALSE(session.last_notice().empty()) << &command - refused.data();
    EXPECT_EQ(session.state.document, two_heads()) << &command - refused.data();
    EXPECT_TRUE(session.effects.empty()) << &command - refused.data();
  }
}

TEST(Edit, PastingSelectsWhatWasPasted) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::PasteText{{"/q", {}}, 1, 0, "7\t8\n9\t10\n"});
  EXPECT_EQ(query_at(session.state, 1, 1), 8.0F);
  EXPECT_EQ(query_at(session.state, 2, 0), 9.0F);
  EXPECT_EQ(session.state.grid.anchor_row, 1U);
  EXPECT_EQ(session.state.grid.row, 2U);
  EXPECT_EQ(session.state.grid.col, 1U);
}

TEST(Edit, PastedPrintsAndTablesAreNumbers) {
  for (const char* text : {"array([[ 7.,  8.],\n       [ 9., 10.]], dtype=float32)",
                           "tensor([[ 7.,  8.],\n        [ 9., 10.]], device='cuda:0')"}) {
    SessionDriver session;
    session.open(two_heads());
    session.send(command::PasteText{{"/q", {}}, 1, 0, text});
    EXPECT_EQ(query_at(session.state, 1, 0), 7.0F) << text;
    EXPECT_EQ(query_at(session.state, 1, 1), 8.0F) << text;
    EXPECT_EQ(query_at(session.state, 2, 0), 9.0F) << text;
    EXPECT_EQ(query_at(session.state, 2, 1), 10.0F) << text;
    EXPECT_TRUE(session.state.notices.empty()) << text;
  }
}

TEST(Edit, LabelsOfAPastedTableAreLeftOutAndSaidToBe) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::PasteText{{"/q", {}}, 1, 0, "\tx\ty\ncat\t7\t8\n"});
  EXPECT_EQ(query_at(session.state, 1, 0), 7.0F);
  EXPECT_EQ(query_at(session.state, 1, 1), 8.0F);
  EXPECT_EQ(session.last_notice(),
            "Pasted without the labels in the first row and the first column");
  session.send(command::PasteText{{"/q", {}}, 1, 0, "x\ty\n1\t2\n"});
  EXPECT_EQ(session.last_notice(), "Pasted without the labels in the first row");
  session.send(command::PasteText{{"/q", {}}, 1, 0, "x\t3\t4\n"});
  EXPECT_EQ(session.last_notice(), "Pasted without the labels in the first column");
  EXPECT_EQ(query_at(session.state, 1, 1), 4.0F);
}

TEST(Edit, APastedPrintThatWasShortenedSaysHowToPrintAllOfIt) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::PasteText{{"/q", {}}, 0, 0, "[[0. 1. 2. ... 7. 8. 9.]]"});
  EXPECT_EQ(session.last_notice(),
            "NumPy shortened these numbers with “...” in line 1 of the pasted text; print all of "
            "them with numpy.set_printoptions(threshold=sys.maxsize)");
  EXPECT_EQ(session.state.document, two_heads());
}

TEST(Edit, PastedNumbersThatAreNotFiniteAreRefused) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::PasteText{{"/q", {}}, 0, 0, "np.array([[0.5, np.inf]])"});
  EXPECT_EQ(session.last_notice(),
            "Line 1, cell 2 of the pasted text: the number is not finite: found “inf”, expected a "
            "number such as 0.25, -3 or 1e-4; enter a finite number");
  EXPECT_EQ(session.state.document, two_heads());
}

TEST(Edit, TokensAndMasksAreUndoableWithAName) {
  const std::vector<std::pair<Command, std::string>> edits = {
      {command::InsertToken{Side::Query, 1, "new"}, "add token"},
      {command::RenameToken{Side::Query, 0, 0, "first"}, "rename token"},
      {command::DeleteToken{Side::Query, 2}, "delete token"},
      {command::MoveToken{Side::Query, 0, 2}, "move token"},
      {command::SetCausal{true}, "causal mask on"},
      {command::SetPadding{Side::Key, 0, 2, false}, "hide token"},
      {command::PaintCell{{}, 0, 1, false}, "paint mask"},
      {command::SetScoring{scaled_by(0.25F)}, "change scale"},
      {command::SetScoring{scoring_with(&Scoring::function, ScoringFunction::Additive)},
       "change scoring function"},
      {command::SetScoring{scoring_with(&Scoring::temperature, 2.0F)}, "change temperature"},
      {command::SetScoring{scoring_with(&Scoring::normaliser, Normaliser::Sparsemax)},
       "change normaliser"},
      {command::SetMask{with_slopes_of({})}, "change mask"},
      {command::SetPosition{rope()}, "change positions"},
      {command::SetTitle{"Other"}, "change title"},
      {command::FillMatrix{{"/k", {}}, Fill::Zeros}, "zero K"},
      {command::FillMatrix{{"/k", {}}, Fill::RandomNormal}, "randomize K"},
      {command::ScaleMatrix{{"/v", {}}, 2.0F}, "scale V"},
  };
  for (const auto& [command, label] : edits) {
    SessionDriver session;
    session.open(two_heads());
    session.send(command);
    ASSERT_EQ(session.state.history.past.size(), 1U) << label;
    EXPECT_EQ(session.state.history.past.back().label, label);
    EXPECT_TRUE(check(session.state.document).ok()) << label;
    EXPECT_NE(session.effect<effect::Compute>(), nullptr) << label;
    session.send(command::StepEdit{-1});
    EXPECT_EQ(session.state.document, two_heads()) << label;
    EXPECT_EQ(session.state.history.future.back().label, label);
  }
}

TEST(Edit, ATitleThatIsNoUtf8IsRefused) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SetTitle{"caf\xe9"});
  EXPECT_EQ(session.state.document, two_heads());
  EXPECT_NE(
      session.last_notice().find("The title is not valid UTF-8: found the byte 233 at offset 3"),
      std::string::npos);
}

TEST(Edit, NothingIsPaintedBeyondTheLastSampleHeadQueryAndKey) {
  SessionDriver session;
  session.open(two_heads());
  const AttentionShape shape = shape_of(session.state.document);
  for (const command::PaintCell& beyond : {command::PaintCell{{0, shape.samples, 0}, 0, 0, false},
                                           command::PaintCell{{0, 0, shape.heads}, 0, 0, false},
                                           command::PaintCell{{0, 0, 0}, shape.n_q, 0, false},
                                           command::PaintCell{{0, 0, 0}, 0, shape.n_k, false}}) {
    session.send(beyond);
    EXPECT_EQ(session.state.document, two_heads());
  }
  session.send(command::PaintCell{
      {0, shape.samples - 1, shape.heads - 1}, shape.n_q - 1, shape.n_k - 1, false});
  EXPECT_NE(session.state.document, two_heads());
}

TEST(Edit, ClearingTheMaskShowsEverything) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SetCausal{true});
  session.send(command::PaintCell{{}, 2, 0, false});
  session.send(command::ClearMask{});
  EXPECT_EQ(hidden_by(session.state.document.mask, {}, 0, 2), kVisible);
  EXPECT_EQ(hidden_by(session.state.document.mask, {}, 2, 0), kVisible);
}

TEST(Edit, ClearingWhatIsPaintedKeepsOtherRules) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SetCausal{true});
  session.send(command::PaintCell{{}, 2, 0, false});
  session.send(command::ClearMask{true});
  EXPECT_EQ(hidden_by(session.state.document.mask, {}, 0, 2), kHiddenByCausal);
  EXPECT_EQ(hidden_by(session.state.document.mask, {}, 2, 0), kVisible);
  session.send(command::StepEdit{-1});
  EXPECT_EQ(hidden_by(session.state.document.mask, {}, 2, 0), kHiddenByHand);
}

TEST(Edit, APasteThatDoesNotFitIsRefusedInCountsFromOne) {
  SessionDriver session;
  session.open(two_heads());
  const MatrixView q = matrix_of(session.state.document, {"/q", {}});
  session.send(command::PasteText{{"/q", {}}, q.rows - 1, q.cols - 2, "1\t2\n3\t4"});
  EXPECT_EQ(session.last_notice(), "2 × 2 cells do not fit: from row " + std::to_string(q.rows) +
                                       ", column " + std::to_string(q.cols - 1) +
                                       " Q has 1 row and 2 columns");
}

TEST(Edit, AnOffsetFarOutsideIsRefused) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SetCausalOffset{-1'000'001});
  EXPECT_EQ(session.state.document, two_heads());
  EXPECT_NE(session.last_notice().find("1,000,000"), std::string::npos);
  session.send(command::SetCausalOffset{-1'000'000});
  EXPECT_EQ(session.state.document.mask.offset_of(0), -1'000'000);
}

TEST(Edit, FinishedWeightsHaveNoScale) {
  SessionDriver session;
  session.open(read_document(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]]})", "w")
                   .value()
                   .document);
  session.send(command::SetScoring{scaled_by(2.0F)});
  EXPECT_NE(session.last_notice().find("finished weights"), std::string::npos);
  EXPECT_TRUE(session.state.history.past.empty());
}

TEST(Edit, ChangesTheEncoderDecoderOfADocumentThatHasOne) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SetModel{RecurrentChoice{}});
  EXPECT_NE(session.last_notice().find("no recurrent encoder"), std::string::npos);
  session.open(
      read_document(R"({"tokens": ["a", "b"], "recurrent": {"hidden": 3}})", "r").value().document);
  RecurrentChoice choice =
      choice_of(std::get<RecurrentModel>(session.state.document.model).recurrent);
  choice.bidirectional = true;
  session.send(command::SetModel{choice});
  EXPECT_EQ(shape_of(session.state.document).d_k, 6U);
  EXPECT_EQ(session.state.history.past.back().label, "change encoder–decoder");
  session.send(command::StepEdit{-1});
  EXPECT_EQ(shape_of(session.state.document).d_k, 3U);
}

TEST(Edit, ChangesTheBlocksOfADocumentThatHasAny) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SetModel{Stack{}});
  EXPECT_NE(session.last_notice().find("no transformer blocks"), std::string::npos);
  session.open(read_document(R"({"tokens": ["a", "b"], "blocks": 1})", "b").value().document);
  Stack stack = (*stack_of(session.state.document.model));
  stack.blocks.emplace_back();
  session.send(command::SetModel{stack});
  EXPECT_EQ(shape_of(session.state.document).layers, 2U);
  EXPECT_EQ(session.state.history.past.back().label, "change blocks");
}

TEST(Edit, MasksAreThoseOfTheAttentionThatIsLookedAt) {
  SessionDriver session;
  session.open(read_document(R"({"query_tokens": ["a", "b", "c"], "key_tokens": ["x"],
                                 "blocks": 1})",
                             "decoder")
                   .value()
                   .document);
  const Document original = session.state.document;
  session.send(command::SetOption{"attention", "self"});
  session.send(command::SetCausal{true});
  session.send(command::SetCausalOffset{1});
  session.send(command::PaintCell{{}, 2, 2, false});
  session.send(command::SetPadding{Side::Key, 0, 2, false});
  EXPECT_EQ(session.state.document.mask, Mask{});
  const Mask& self = session.state.document.self_mask;
  EXPECT_TRUE(self.causal);
  EXPECT_EQ(self.offset_of(0), 1);
  EXPECT_EQ(self.visible.shape(), (Shape{3, 3}));
  EXPECT_EQ(self.key_padding, (PaddingLists{{1, 1, 0}}));
  session.send(command::SetOption{"attention", "cross"});
  session.send(command::PaintCell{{}, 2, 2, false});  // there is one key only
  EXPECT_EQ(session.state.document.mask, Mask{});
  session.send(command::PaintCell{{}, 2, 0, false});
  EXPECT_EQ(session.state.document.mask.visible.shape(), (Shape{3, 1}));
  session.send(command::ClearMask{});
  EXPECT_EQ(session.state.document.mask, Mask{});
  EXPECT_TRUE(session.state.document.self_mask.causal);
  for (int i = 0; i < 6; ++i) session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, original);
}

}  // namespace
}  // namespace attn
