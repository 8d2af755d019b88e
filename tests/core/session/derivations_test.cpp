// What plots need beyond the result: asked for once, kept, called off.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/matrix/derived.h"
#include "plot/needs.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

std::size_t asked(const SessionDriver& session) {
  return static_cast<std::size_t>(std::ranges::count_if(session.effects, [](const Effect& effect) {
    return std::holds_alternative<effect::Derive>(effect);
  }));
}

SessionDriver showing(const std::string& plot) {
  SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SelectPlot{plot});
  return session;
}

TEST(Derivations, AreAskedForWhenAPlotNeedsThemAndThenKept) {
  SessionDriver session = showing("derived");
  EXPECT_EQ(asked(session), 1U);
  EXPECT_EQ(session.state.deriving.size(), 1U);
  session.settle();
  EXPECT_TRUE(session.state.deriving.empty());
  const MatrixId id = derived_id(AttentionPart::Cross, Derived::Rollout, {}, 0.5);
  const auto matrix = session.state.derivations.get<Matrix>(text_of(id));
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->id(), id);
  session.send(command::SelectPlot{"heatmap"});
  session.send(command::SelectPlot{"derived"});
  EXPECT_EQ(asked(session), 0U) << "is still there";
}

TEST(Derivations, ColoursNumbersAndThemesComputeNothing) {
  for (const char* plot : {"derived", "compare", "measures", "sharpness"}) {
    SessionDriver session = showing(plot);
    EXPECT_GT(asked(session), 0U) << plot;
    session.settle();
    const std::uint64_t version = session.state.derivations.version();
    const Command changes[] = {command::SetOption{"colormap", "magma"},
                               command::SetOption{"values", "false"},
                               command::SetOption{"decimals", "4"},
                               command::SetOption{"own_range", "true"},
                               command::SetTheme{ThemeKind::Light},
                               command::Hover{CellHit{{Stage::Weights, {}}, 1, 1}},
                               command::Pin{{{Stage::Weights, {}}, 1, 1}},
                               command::SetWindow{{0.0, 0.0, 2.0, 2.0}}};
    for (const Command& change : changes) {
      session.send(change);
      EXPECT_EQ(asked(session), 0U) << plot;
    }
    EXPECT_EQ(session.state.derivations.version(), version) << plot;
  }
}

TEST(Derivations, AnotherResidualShareIsAnotherMatrix) {
  SessionDriver session = showing("derived");
  session.settle();
  session.send(command::SetOption{"residual", "0.25"});
  EXPECT_EQ(asked(session), 1U);
  session.settle();
  session.send(command::SetOption{"residual", "0.5"});
  EXPECT_EQ(asked(session), 0U) << "both are kept";
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
  EXPECT_EQ(asked(session), 0U) << "not before the new numbers are there";
  session.settle();
  EXPECT_NE(session.state.derived_from, before);
  EXPECT_EQ(session.state.derived_from, session.state.result);
  EXPECT_EQ(session.state.derivations.size(), 1U);
}

TEST(Derivations, WhatWasStoppedIsTriedAgainWhenItIsOpenedAgain) {
  SessionDriver session = showing("derived");
  const effect::Derive derive = *session.effect<effect::Derive>();
  Progress progress;
  progress.cancelled = true;
  session.send(*run_effect(derive, &progress));
  EXPECT_TRUE(session.state.deriving.empty());
  EXPECT_EQ(asked(session), 0U) << "not again and again";
  const auto* made = session.state.derivations.find(derive.need.key);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->error().kind, ErrorKind::Interrupted);
  session.send(command::SelectPlot{"heatmap"});
  session.send(command::SelectPlot{"derived"});
  EXPECT_EQ(asked(session), 1U);
}

TEST(Derivations, PinsAndHoverKnowMatricesThatAreNoStage) {
  SessionDriver session = showing("derived");
  session.settle();
  const MatrixId id = derived_id(AttentionPart::Cross, Derived::Rollout, {}, 0.5);
  session.send(command::Hover{CellHit{id, 1, 2}});
  EXPECT_EQ(session.state.hover, (CellHit{id, 1, 2}));
  session.send(command::Pin{{id, 2, 0}});
  EXPECT_EQ(session.state.pins, (std::vector<CellHit>{{id, 2, 0}}));
  session.send(command::Hover{CellHit{id, 9, 0}});
  EXPECT_FALSE(session.state.hover.has_value());
}

}  // namespace
}  // namespace attn
