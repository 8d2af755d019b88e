// Derivations of plots: requested once, cached, cancelled; layers in view before the others.
#include <gtest/gtest.h>

#include <algorithm>

#include "document/load/read.h"
#include "engine/matrix/derived.h"
#include "plot/all_plots.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

std::size_t derive_requests(const SessionDriver& session) {
  return static_cast<std::size_t>(std::ranges::count_if(session.effects, [](const Effect& effect) {
    return std::holds_alternative<effect::Derive>(effect);
  }));
}

std::vector<Need> needs_asked_for(const SessionDriver& session) {
  std::vector<Need> needs;
  for (const Effect& effect : session.effects) {
    if (const auto* job = std::get_if<effect::Derive>(&effect)) needs.push_back(job->need);
  }
  return needs;
}

SessionDriver showing(const std::string& plot) {
  SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SelectPlot{plot});
  return session;
}

TEST(Derivations, AreAskedForWhenAPlotNeedsThemAndThenKept) {
  SessionDriver session = showing("derived");
  EXPECT_EQ(derive_requests(session), 1U);
  EXPECT_EQ(session.state.deriving.size(), 1U);
  session.settle();
  EXPECT_TRUE(session.state.deriving.empty());
  const MatrixId id = derived_id({Derived::Rollout, 0.5}, {});
  const auto matrix = session.state.derivations.get<Matrix>(text_of(id));
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->id(), id);
  session.send(command::SelectPlot{"heatmap"});
  session.send(command::SelectPlot{"derived"});
  EXPECT_EQ(derive_requests(session), 0U) << "is still there";
}

TEST(Derivations, OfLongMapsComeSoonestFirstAndLeaveOutWhatOnlyFilesNeed) {
  SessionDriver session;
  const char* text = R"({"tokens": 5000, "d_model": 8, "heads": 1})";
  session.open(read_document(text, "long.json", {})->document);
  session.send(command::SelectStage{Stage::Scores});
  const std::vector<Need> needs = needs_asked_for(session);
  ASSERT_GT(needs.size(), 1U);
  EXPECT_TRUE(std::ranges::none_of(needs, &Need::only_for_files));
  for (std::size_t i = 1; i < needs.size(); ++i) {
    EXPECT_TRUE(needs[i - 1].awaited || !needs[i].awaited);
    if (needs[i - 1].awaited == needs[i].awaited) {
      EXPECT_LE(needs[i - 1].nanoseconds, needs[i].nanoseconds);
    }
  }
}

// Two million multiplications and more, which take longer than a frame may wait.
SessionDriver with_five_blocks() {
  SessionDriver session;
  const char* text = R"({"tokens": 32, "d_model": 64, "heads": 2, "blocks": 5,
                         "norms": {"order": "pre", "final": {}}})";
  session.open(read_document(text, "blocks.json", {})->document);
  session.send(command::SelectPlot{"heatmap"});
  session.send(command::SelectHead{{1, 0, 0}});
  session.settle();
  return session;
}

// The gates that one gesture leads to.
command::SetGates dragged(float factor) { return {{{{0, 0, 1}, factor}}, 7}; }

TEST(Layers, InViewAreComputedFirstAndTheOthersFollow) {
  SessionDriver session = with_five_blocks();
  session.send(dragged(0.5F));
  ASSERT_NE(session.effect<effect::Compute>(), nullptr);
  EXPECT_EQ(session.effect<effect::Compute>()->layers, 2U);
  session.send(*run_effect(*session.effect<effect::Compute>(), nullptr));
  EXPECT_EQ(session.state.result->layers_ready(), 2U);
  EXPECT_EQ(session.state.result_revision, session.state.revision);
  session.send(dragged(0.25F));
  EXPECT_EQ(session.effect<effect::Compute>()->layers, 2U) << "the hand is still moving";
  const ResultPtr untouched = session.state.reference->result;
  session.settle();
  EXPECT_EQ(session.state.result->layers_ready(), 5U);
  SessionDriver anew;
  anew.open(session.state.document);
  for (std::size_t layer = 0; layer < 5; ++layer) {
    const HeadAddress at{layer, 0, 1};
    const Tensor expected = whole_stage(*anew.state.result, Stage::Weights, at);
    EXPECT_EQ(whole_stage(*session.state.result, Stage::Weights, at), expected) << layer;
    EXPECT_EQ(whole_stage(*untouched, Stage::Weights, at) == expected, layer == 0) << layer;
  }
}

TEST(Layers, ThatATabLeftOutAreComputedWhenItIsShownAgain) {
  SessionDriver session = with_five_blocks();
  session.send(dragged(0.5F));
  session.send(*run_effect(*session.effect<effect::Compute>(), nullptr));
  ASSERT_EQ(session.state.result->layers_ready(), 2U);
  session.send(command::NewDocument{});
  session.settle();
  session.send(command::StepTab{-1});
  session.settle();
  ASSERT_EQ(session.state.document.what_if.gates.size(), 1U);
  EXPECT_EQ(session.state.result->layers_ready(), 5U);
}

TEST(Layers, InViewAreThoseOfAllThatIsOnTheScreen) {
  SessionDriver session = with_five_blocks();
  const auto layers = [&] {
    session.settle();
    session.send(dragged(session.state.document.what_if.gates.empty() ? 0.5F : 1.0F));
    return session.effect<effect::Compute>()->layers;
  };
  EXPECT_EQ(layers(), 2U);
  session.send(command::SelectPlot{"heads"});
  EXPECT_GT(layers(), 4U);
  session.send(command::SelectPlot{"difference"});
  session.send(command::SetOption{"minus_layer", "3"});
  EXPECT_EQ(layers(), 4U);
  session.send(command::SelectPlot{"derived"});
  EXPECT_GT(layers(), 4U) << "a rollout goes through all";
  session.send(command::SelectPlot{"heatmap"});
  session.send(command::SelectStage{Stage::FinalNorm});
  EXPECT_GT(layers(), 4U);
  session.send(command::SelectStage{Stage::Weights});
  EXPECT_EQ(layers(), 2U);
  session.settle();
  session.send(command::SetGates{{{{0, 0, 1}, 0.75F}}});
  EXPECT_GT(session.effect<effect::Compute>()->layers, 4U) << "no gesture goes on";
}

TEST(Derivations, ColoursNumbersAndThemesComputeNothing) {
  for (const char* plot : {"derived", "compare", "measures", "sharpness"}) {
    SessionDriver session = showing(plot);
    EXPECT_GT(derive_requests(session), 0U) << plot;
    session.settle();
    const std::uint64_t version = session.state.derivations.version();
    const Command changes[] = {command::SetOption{"colormap", "magma"},
                               command::SetOption{"values", "false"},
                               command::SetOption{"decimals", "4"},
                               command::SetOption{"own_range", "true"},
                               command::SetPreference{"theme", "light"},
                               command::Hover{CellHit{{Stage::Weights, {}}, 1, 1}},
                               command::Pin{{{Stage::Weights, {}}, 1, 1}},
                               command::SetWindow{{0.0, 0.0, 2.0, 2.0}}};
    for (const Command& change : changes) {
      session.send(change);
      EXPECT_EQ(derive_requests(session), 0U) << plot;
    }
    EXPECT_EQ(session.state.derivations.version(), version) << plot;
  }
}

TEST(Derivations, AnotherResidualShareIsAnotherMatrix) {
  SessionDriver session = showing("derived");
  session.settle();
  session.send(command::SetOption{"residual", "0.25"});
  EXPECT_EQ(derive_requests(session), 1U);
  session.settle();
  session.send(command::SetOption{"residual", "0.5"});
  EXPECT_EQ(derive_requests(session), 0U) << "both are kept";
}

TEST(Derivations, AreCalledOffWhenNobodyNeedsThem) {
  SessionDriver session = showing("derived");
  const effect::Derive* asked_for = session.effect<effect::Derive>();
  ASSERT_NE(asked_for, nullptr);
  const effect::Derive late = *asked_for;
  session.send(command::SelectPlot{"heatmap"});
  const effect::StopDeriving* stop = session.effect<effect::StopDeriving>();
  ASSERT_NE(stop, nullptr);
  EXPECT_EQ(stop->key, late.need.key);
  session.send(*run_effect(late, nullptr));
  EXPECT_EQ(session.state.derivations.size(), 0U) << "came too late";
}

TEST(Derivations, AnEditMakesThemAnew) {
  SessionDriver session = showing("derived");
  session.settle();
  const ResultPtr before = session.state.derived_from;
  session.send(test::set_cell(0, 0, 5.0F));
  EXPECT_EQ(derive_requests(session), 0U) << "not before the new numbers are there";
  session.settle();
  EXPECT_NE(session.state.derived_from, before);
  EXPECT_EQ(session.state.derived_from, session.state.result);
  EXPECT_EQ(session.state.derivations.size(), 1U);
}

// Rows of an atlas that takes long come layer by layer, the last ones first.
TEST(Derivations, OfTheLayerUnderThePointerComeFirst) {
  std::string tokens = "\"t\"";
  for (int i = 1; i < 64; ++i) tokens += ", \"t\"";
  const std::string text =
      R"({"tokens": [)" + tokens + R"(], "blocks": 4, "heads": 8, "d_model": 256, "seed": 1})";
  SessionDriver session;
  session.open(read_document(text, "large.json", {})->document);
  session.send(command::SelectPlot{"atlas"});
  const std::vector<Need> before = needs_asked_for(session);
  ASSERT_EQ(before.size(), 4U);
  EXPECT_NE(before.front().key.find("layer 4"), std::string::npos) << before.front().key;
  session.send(command::PointAtLayer{1});
  const std::vector<Need> after = needs_asked_for(session);
  ASSERT_EQ(after.size(), 4U) << "in another order";
  EXPECT_NE(session.effect<effect::StopDeriving>(), nullptr);
  EXPECT_NE(after[1].key.find("layer 2"), std::string::npos) << after[1].key;
  EXPECT_TRUE(after[1].awaited);
  session.send(command::PointAtLayer{1});
  EXPECT_EQ(derive_requests(session), 0U) << "once";
}

// Runs the first effect of the kind and applies its answer.
template <class Kind>
void carry_out(SessionDriver& session) {
  const Kind* job = session.effect<Kind>();
  ASSERT_NE(job, nullptr);
  const Effect copy = *job;
  session.send(*run_effect(copy, nullptr));
}

TEST(Derivations, ThoseUnderWayMayFinishWhileADragGoesOn) {
  SessionDriver session = showing("derived");
  const effect::Derive first = *session.effect<effect::Derive>();
  for (const float value : {2.0F, 3.0F, 4.0F}) {
    session.send(test::set_cell(0, 0, value, 1));
    EXPECT_EQ(session.effect<effect::StopDeriving>(), nullptr);
    carry_out<effect::Compute>(session);
    EXPECT_EQ(session.effect<effect::StopDeriving>(), nullptr);
    EXPECT_EQ(derive_requests(session), 0U) << "one result after the other";
  }
  session.send(*run_effect(first, nullptr));
  ASSERT_TRUE(session.state.older.has_value());
  EXPECT_EQ(session.state.older->result, first.result);
  EXPECT_NE(session.state.older->derivations.find(first.need.key), nullptr);
  EXPECT_EQ(session.state.derivations.size(), 0U) << "those are of the present numbers";
  ASSERT_EQ(derive_requests(session), 1U) << "and now the newest";
  EXPECT_EQ(session.effect<effect::Derive>()->result, session.state.result);
  session.settle();
  EXPECT_EQ(session.state.derivations.size(), 1U);
  EXPECT_FALSE(session.state.older.has_value());
  EXPECT_TRUE(session.state.deriving.empty());
}

TEST(Derivations, OfSeveralPartsOneResultIsFinishedWhole) {
  SessionDriver session = showing("compare");
  const std::vector<Effect> first = session.effects;
  ASSERT_GT(derive_requests(session), 1U);
  session.send(*run_effect(first[0], nullptr));
  session.send(test::set_cell(0, 0, 2.0F, 1));
  carry_out<effect::Compute>(session);
  for (std::size_t i = 1; i < first.size(); ++i) {
    EXPECT_EQ(derive_requests(session), 0U);
    session.send(*run_effect(first[i], nullptr));
  }
  ASSERT_TRUE(session.state.older.has_value());
  EXPECT_EQ(session.state.older->derivations.size(), first.size());
  EXPECT_EQ(derive_requests(session), first.size());
}

TEST(Derivations, ThatTakeLongAreCalledOffWithTheirNumbers) {
  SessionDriver session;
  session.open(read_document(R"({"seed": 1, "d_model": 2, "tokens": 400})", "x").value().document);
  session.send(command::SelectPlot{"derived"});
  session.settle();
  session.send(command::SetOption{"matrix", "flow"});
  ASSERT_EQ(derive_requests(session), 1U);
  session.send(command::SetCausal{true});
  EXPECT_NE(session.effect<effect::StopDeriving>(), nullptr);
}

TEST(Derivations, WhatWasStoppedIsTriedAgainWhenItIsOpenedAgain) {
  SessionDriver session = showing("derived");
  const effect::Derive derive = *session.effect<effect::Derive>();
  Progress progress;
  progress.cancelled = true;
  session.send(*run_effect(derive, &progress));
  EXPECT_TRUE(session.state.deriving.empty());
  EXPECT_EQ(derive_requests(session), 0U) << "not again and again";
  const auto* made = session.state.derivations.find(derive.need.key);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->error().kind, ErrorKind::Interrupted);
  session.send(command::SelectPlot{"heatmap"});
  session.send(command::SelectPlot{"derived"});
  EXPECT_EQ(derive_requests(session), 1U);
}

TEST(Derivations, PinsAndHoverKnowMatricesThatAreNoStage) {
  SessionDriver session = showing("derived");
  session.settle();
  const MatrixId id = derived_id({Derived::Rollout, 0.5}, {});
  session.send(command::Hover{CellHit{id, 1, 2}});
  EXPECT_EQ(session.state.hover, (CellHit{id, 1, 2}));
  session.send(command::Pin{{id, 2, 0}});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{{id, 2, 0}}));
  session.send(command::Hover{CellHit{id, 9, 0}});
  EXPECT_FALSE(session.state.hover.has_value());
}

}  // namespace
}  // namespace attn
