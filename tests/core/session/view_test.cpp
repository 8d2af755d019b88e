// Selection, zoom, pins and the spreadsheet's cursor.
#include <gtest/gtest.h>

#include <limits>

#include "document/load/open.h"
#include "document/problem.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::two_heads;

SessionDriver session_of_two_heads() {
  SessionDriver session;
  session.open(two_heads());
  return session;
}

TEST(View, HeadsAreBroughtIntoBoundsAndStepsWrap) {
  SessionDriver session = session_of_two_heads();
  session.send(command::SelectHead{{9, 9, 9}});
  EXPECT_EQ(focused_view(session.state).options.at, (HeadAddress{0, 0, 1}));
  session.send(command::StepHead{1});
  EXPECT_EQ(focused_view(session.state).options.at.head, 0U);
  session.send(command::StepHead{-1});
  EXPECT_EQ(focused_view(session.state).options.at.head, 1U);
  session.send(command::StepHead{std::numeric_limits<int>::min()});
  EXPECT_LT(focused_view(session.state).options.at.head, 2U);
}

TEST(View, StepsVisitEveryHeadOfEveryLayerInOrder) {
  SessionDriver session;
  session.open(read_document(R"({"tokens": ["a"], "d_model": 6, "heads": 3, "blocks": 2})", "it")
                   .value()
                   .document);
  for (std::size_t step = 1; step <= 6; ++step) {
    session.send(command::StepHead{1});
    const HeadAddress at = focused_view(session.state).options.at;
    EXPECT_EQ(at.layer, step % 6 / 3) << step;
    EXPECT_EQ(at.head, step % 3) << step;
  }
}

TEST(View, TheSpreadsheetFollowsTheHead) {
  SessionDriver session = session_of_two_heads();
  session.send(command::SelectHead{{0, 0, 1}});
  EXPECT_EQ(session.state.grid.matrix.at.head, 1U);
}

TEST(View, GroupedKeysShowTheirOwnHead) {
  SessionDriver session;
  session.open(read_document(R"({"tokens": ["a"], "q": [[[1]], [[2]], [[3]], [[4]]],
                                 "k": [[[1]], [[2]]], "v": [[[1]], [[2]]]})",
                             "gqa")
                   .value()
                   .document);
  session.send(command::SelectMatrix{{"/k", {}}});
  session.send(command::SelectHead{{0, 0, 3}});
  EXPECT_EQ(focused_view(session.state).options.at.head, 3U);
  EXPECT_EQ(session.state.grid.matrix.at.head, 1U);
}

TEST(View, IsNoUnsavedChangeAndNotUndoable) {
  SessionDriver session = session_of_two_heads();
  session.send(command::SelectStage{Stage::Scores});
  session.send(command::SetOption{"colormap", "magma"});
  session.send(command::SetOption{"values", "false"});
  session.send(command::SetOption{"own_range", "true"});
  session.send(command::SetOption{"matrix", "flow"});
  session.send(command::SetOption{"residual", "0.25"});
  session.send(command::SetOption{"kernel", "7"});
  session.send(command::SelectPlot{"dimensions"});
  EXPECT_FALSE(has_unsaved_changes(session.state));
  EXPECT_TRUE(session.state.history.past.empty());
  EXPECT_TRUE(session.effects.empty());
  EXPECT_EQ(focused_view(session.state).plot, "dimensions");
  EXPECT_EQ(focused_view(session.state).options.colormap, "magma");
  EXPECT_EQ(focused_view(session.state).options.range, ColorSpan::Head);
  EXPECT_EQ(plot_options(session.state).derived, Derived::Flow);
  EXPECT_EQ(plot_options(session.state).residual, 0.25);
  session.send(command::SetOption{"residual", "7.0"});
  EXPECT_EQ(focused_view(session.state).options.residual, 1.0);
  EXPECT_EQ(plot_options(session.state).kernel, 7U);
  session.send(command::SetOption{"step", "1000000"});
  EXPECT_EQ(focused_view(session.state).options.step, shape_of(session.state.document).n_q);
  session.send(command::StepDecoder{1});
  EXPECT_EQ(focused_view(session.state).options.step, 1U);
  session.send(command::StepDecoder{-1});
  EXPECT_EQ(plot_options(session.state).step, shape_of(session.state.document).n_q);
  session.send(command::SetOption{"step", "0"});
  session.send(command::StepDecoder{-1});
  EXPECT_EQ(focused_view(session.state).options.step, shape_of(session.state.document).n_q - 1);
  session.send(command::SetOption{"kernel", "0"});
  EXPECT_EQ(focused_view(session.state).options.kernel, kLeastKernel);
  session.send(command::SetOption{"kernel", "1000000"});
  EXPECT_EQ(focused_view(session.state).options.kernel, kMostKernel);
}

TEST(View, StepsThatAreGoneAreNotDrawn) {
  SessionDriver session = session_of_two_heads();
  const std::size_t n_q = shape_of(session.state.document).n_q;
  session.send(command::SetOption{"step", std::to_string(n_q)});
  session.send(command::DeleteToken{Side::Query, 0});
  EXPECT_EQ(focused_view(session.state).options.step, n_q - 1);
}

TEST(View, WhatDoesNotExistIsRefusedWithAReason) {
  SessionDriver session = session_of_two_heads();
  const View before = focused_view(session.state);
  session.send(command::SelectPlot{"hairball"});
  session.send(command::SetOption{"colormap", "jet"});
  session.send(command::SelectStage{Stage::Softcapped});
  EXPECT_EQ(focused_view(session.state), before);
  EXPECT_EQ(session.state.notices.size(), 3U);
}

TEST(View, AWindowStaysInsideTheMatrix) {
  SessionDriver session = session_of_two_heads();
  session.send(command::SetWindow{{-5.0, 2.5, 2.0, 2.0}});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{0.0, 1.0, 2.0, 2.0}));
  session.send(command::SetWindow{{0.0, 0.0, 99.0, 99.0}});
  EXPECT_EQ(focused_view(session.state).options.window, CellWindow{});
  session.send(command::SetWindow{{1.0, 1.0, 0.001, 0.001}});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{1.0, 1.0, 1.0, 1.0}));
  session.send(command::SetWindow{{std::numeric_limits<double>::quiet_NaN(), 0.0, 1.0, 1.0}});
  EXPECT_EQ(focused_view(session.state).options.window, CellWindow{});
}

TEST(View, AStageOfAnotherShapeIsShownWhole) {
  SessionDriver session = session_of_two_heads();
  session.send(command::SetWindow{{0.0, 0.0, 2.0, 2.0}});
  session.send(command::SelectStage{Stage::Scores});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{0.0, 0.0, 2.0, 2.0}));
  session.send(command::SelectStage{Stage::Output});
  EXPECT_EQ(focused_view(session.state).options.window, CellWindow{});
}

TEST(View, PinningTogglesAndASecondPinCompares) {
  SessionDriver session = session_of_two_heads();
  const CellHit a{{Stage::Weights, {}}, 0, 0};
  const CellHit b{{Stage::Weights, {}}, 1, 2};
  const CellHit c{{Stage::Weights, {}}, 2, 2};
  session.send(command::Pin{a});
  session.send(command::Pin{b, true});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{a, b}));
  session.send(command::Pin{c, true});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{a, c}));
  session.send(command::Pin{b});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{b, c}));
  session.send(command::Pin{b});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{c}));
  session.send(command::Pin{{{Stage::Weights, {}}, 3, 0}});
  EXPECT_TRUE(session.state.pins.empty() || session.state.pins.front() == c);
  session.send(command::Unpin{});
  EXPECT_TRUE(session.state.pins.empty());
}

TEST(View, WhatIsPointedAtIsForgottenWithItsStage) {
  SessionDriver session = session_of_two_heads();
  const CellHit cell{{Stage::Weights, {}}, 1, 0};
  session.send(command::Hover{cell});
  session.send(command::SelectHead{{0, 0, 1}});
  EXPECT_EQ(session.state.hover, cell) << "the pointer stays where it is";
  session.send(command::SelectStage{Stage::Scores});
  EXPECT_FALSE(session.state.hover);
}

TEST(View, PinsFollowTheShownStageAmongThoseOfTokensByTokens) {
  SessionDriver session = session_of_two_heads();
  session.send(command::Pin{{{Stage::Weights, {}}, 1, 0}});
  session.send(command::SelectStage{Stage::Scores});
  const CellHit in_scores{{Stage::Scores, {}}, 1, 0};
  EXPECT_EQ(session.state.pins, std::vector<CellHit>{in_scores});
  session.send(command::SelectStage{Stage::Query});
  EXPECT_EQ(session.state.pins, std::vector<CellHit>{in_scores});
  const CellHit in_query{{Stage::Query, {}}, 0, 1};
  session.send(command::Pin{in_query, true});
  session.send(command::SelectStage{Stage::Weights});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{{{Stage::Weights, {}}, 1, 0}, in_query}));
  // Unpins the corresponding cell of another stage.
  session.send(command::Pin{in_scores});
  EXPECT_EQ(session.state.pins, std::vector<CellHit>{in_query});
}

TEST(View, ShrinkingTheDocumentDropsWhatPointedOutside) {
  SessionDriver session = session_of_two_heads();
  session.send(command::Pin{{{Stage::Weights, {}}, 2, 2}});
  session.send(command::Pin{{{Stage::Weights, {}}, 0, 1}, true});
  session.send(command::Hover{CellHit{{Stage::Weights, {}}, 2, 0}});
  session.send(command::MoveCursor{2, 1});
  session.send(command::SetWindow{{1.0, 1.0, 2.0, 2.0}});
  session.send(command::DeleteToken{Side::Query, 2});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{{{Stage::Weights, {}}, 0, 1}}));
  EXPECT_FALSE(session.state.hover);
  EXPECT_EQ(session.state.grid.row, 1U);
  EXPECT_EQ(focused_view(session.state).options.window, CellWindow{});
}

TEST(View, TheCursorExtendsASelection) {
  SessionDriver session = session_of_two_heads();
  session.send(command::MoveCursor{1, 0});
  session.send(command::MoveCursor{9, 9, true});
  EXPECT_EQ(session.state.grid.anchor_row, 1U);
  EXPECT_EQ(session.state.grid.row, 2U);
  EXPECT_EQ(session.state.grid.col, 1U);
  session.send(command::MoveCursor{0, 1});
  EXPECT_EQ(session.state.grid.anchor_row, 0U);
}

TEST(View, AMatrixThatIsNotThereGivesTheFirst) {
  SessionDriver session = session_of_two_heads();
  session.send(command::SelectMatrix{{"/projections/w_o", {}}});
  EXPECT_EQ(session.state.grid.matrix.tensor, "/q");
}

TEST(View, PlotOptionsAreWhatIsOpen) {
  SessionDriver session = session_of_two_heads();
  session.send(command::SelectStage{Stage::Scores});
  session.send(command::SetWindow{{0.0, 1.0, 2.0, 2.0}});
  session.send(command::Pin{{{Stage::Scores, {}}, 1, 1}});
  const PlotOptions options = plot_options(session.state);
  EXPECT_EQ(ViewOptions(options), focused_view(session.state).options);
  EXPECT_EQ(options.window, focused_view(session.state).options.window);
  EXPECT_EQ(options.pins, session.state.pins);
}

SessionDriver decoder_session() {
  SessionDriver session;
  session.open(open_document("example:transformer-decoder")->document);
  session.settle();
  return session;
}

TEST(View, EitherAttentionOfADecoderIsLookedAt) {
  SessionDriver session = decoder_session();
  EXPECT_EQ(focused_view(session.state).options.at.attention,
            kSelfAttention);  // as in the document
  EXPECT_EQ(shown_shape(session.state).n_k, 5U);
  session.send(command::Pin{{{Stage::Weights, {.attention = kSelfAttention}}, 4, 4}, false});
  EXPECT_EQ(session.state.pins.size(), 1U);
  session.send(command::SetOption{"attention", "cross"});
  EXPECT_EQ(shown_shape(session.state).n_k, 4U);
  EXPECT_TRUE(session.state.pins.empty());
  EXPECT_FALSE(has_unsaved_changes(session.state));
  session.open(two_heads());
  EXPECT_EQ(focused_view(session.state).options.at.attention, kLastAttention);
  session.send(command::SetOption{"attention", "self"});
  EXPECT_EQ(focused_view(session.state).options.at.attention, kLastAttention);
  EXPECT_NE(session.last_notice().find("no such attention"), std::string::npos);
}

TEST(View, AStageThatTheOtherAttentionLacksIsReplaced) {
  SessionDriver session;
  session.open(read_document(R"({"query_tokens": ["a"], "key_tokens": ["b"], "blocks": 1,
                                 "position": "rope", "view": {"attention": "self"}})",
                             "rope")
                   .value()
                   .document);
  session.settle();
  session.send(command::SelectStage{Stage::RotatedKey});
  session.send(command::SetOption{"attention", "cross"});
  EXPECT_TRUE(session.state.result->has(focused_view(session.state).options.stage,
                                        focused_view(session.state).options.at));
}

TEST(View, AStageThatTheDocumentLacksIsNamedAndTheNearestShown) {
  Document document = read_document(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]],
                        "view": {"stage": "scores"}})",
                                    "x")
                          .value()
                          .document;
  SessionDriver session;
  session.open(document);
  EXPECT_EQ(focused_view(session.state).options.stage, Stage::Weights);
  EXPECT_EQ(session.last_notice(), "There is no stage “Scores” here; “Weights” is shown");
  session.state.notices.clear();
  session.send(command::SelectPlot{"measures"});
  session.settle();
  EXPECT_TRUE(session.state.notices.empty()) << "once";
}

// Derivatives of minutes are for the command line; the window must show edits soon.
TEST(View, TheWindowLeavesOutInfluenceThatTakesLong) {
  std::string tokens = "\"t\"";
  for (int i = 1; i < 2500; ++i) tokens += ", \"t\"";
  const std::string text = R"({"seed": 1, "d_model": 4, "recurrent": {"hidden": 8},
      "key_tokens": ["a", "b", "c"], "query_tokens": [)" +
                           tokens + "]}";
  SessionDriver session;
  session.open(read_document(text, "long").value().document);
  ASSERT_NE(session.state.result, nullptr);
  EXPECT_FALSE(session.state.result->has(Stage::Influence));
  EXPECT_TRUE(has_influence(make_problem(session.state.document)));
}

}  // namespace
}  // namespace attn
