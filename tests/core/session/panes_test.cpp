// Panes: several views of one document.
#include <gtest/gtest.h>

#include <numeric>

#include "document/load/open.h"
#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::two_heads;

SessionDriver split_in_two(SplitDirection direction = SplitDirection::Right) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SplitPane{0, direction});
  return session;
}

const Pane& pane_at(const AppState& state, std::size_t place) {
  return *panes_of(state.layout)[place];
}

double sum_of_shares(const Split& split) {
  return std::accumulate(split.parts.begin(), split.parts.end(), 0.0,
                         [](double sum, const Part& part) { return sum + part.share; });
}

TEST(Panes, SplittingShowsTheSameInHalfTheRoomAndMovesTheFocus) {
  SessionDriver session = split_in_two();
  ASSERT_EQ(panes_of(session.state.layout).size(), 2U);
  EXPECT_EQ(pane_at(session.state, 0).view, pane_at(session.state, 1).view);
  EXPECT_EQ(session.state.focus, pane_at(session.state, 1).id);
  EXPECT_EQ(std::get<Split>(session.state.layout).parts[0].share, 0.5);
  EXPECT_FALSE(has_unsaved_changes(session.state));
}

TEST(Panes, HaveAPlotAndOptionsEachButFollowOneAnotherInWhatIsLookedAt) {
  SessionDriver session = split_in_two();
  session.send(command::SelectPlot{"dimensions"});
  session.send(command::SetOption{"colormap", "magma"});
  session.send(command::SelectHead{{0, 0, 1}});
  const View& first = pane_at(session.state, 0).view;
  const View& second = pane_at(session.state, 1).view;
  EXPECT_EQ(first.plot, "heatmap");
  EXPECT_EQ(second.plot, "dimensions");
  EXPECT_EQ(first.options.colormap, "auto");
  EXPECT_EQ(first.options.at.head, 1U);
  session.send(command::SetOption{"decimals", "4", pane_at(session.state, 0).id});
  EXPECT_EQ(pane_at(session.state, 0).view.options.decimals, 4);
  EXPECT_EQ(pane_at(session.state, 1).view.options.decimals, 2);
}

TEST(Panes, ShowTheSamePartWhereTheirMatricesAreAsLarge) {
  SessionDriver session;
  session.open(open_document("example:four-heads")->document);
  for (int i = 0; i < 3; ++i) session.send(command::SplitPane{0, SplitDirection::Right});
  const auto focus = [&](std::size_t place) {
    session.send(command::FocusPane{pane_at(session.state, place).id});
  };
  const auto part_in = [&](std::size_t place) {
    return pane_at(session.state, place).view.options.window;
  };
  session.send(command::LinkPane{pane_at(session.state, 1).id, false});
  focus(2);
  session.send(command::SelectStage{Stage::Output});
  focus(0);
  const CellWindow part{1.0, 0.5, 2.0, 3.0};
  session.send(command::SetWindow{part});
  EXPECT_EQ(part_in(0), part);
  EXPECT_EQ(part_in(1), CellWindow{}) << "it is not linked";
  EXPECT_EQ(part_in(2), CellWindow{}) << "its matrix is another one";
  EXPECT_EQ(part_in(3), part);
  session.send(command::SetWindow{});
  EXPECT_EQ(part_in(3), CellWindow{});
}

TEST(Panes, AHeadIsComparedInANewPaneAndThenInThatOne) {
  SessionDriver session;
  session.open(two_heads());
  const PaneId heads = session.state.focus;
  session.send(command::SelectPlot{"heads"});
  session.send(command::CompareHead{heads, HeadAddress{0, 0, 0}});
  EXPECT_EQ(panes_of(session.state.layout).size(), 1U) << "the head looked at itself";
  session.send(command::CompareHead{heads, HeadAddress{0, 0, 1}});
  ASSERT_EQ(panes_of(session.state.layout).size(), 2U);
  EXPECT_EQ(session.state.focus, heads);
  const View& shown = pane_at(session.state, 1).view;
  EXPECT_EQ(shown.plot, "difference");
  EXPECT_EQ(shown.options.stage, Stage::Weights);
  EXPECT_EQ(shown.options.at, (HeadAddress{0, 0, 0}));
  EXPECT_EQ(shown.options.minus_head, std::optional<std::size_t>(1));
  EXPECT_EQ(shown.options.minus, MinusFrom::Document);
  session.send(command::SelectHead{{0, 0, 1}});
  session.send(command::CompareHead{heads, HeadAddress{0, 0, 0}});
  ASSERT_EQ(panes_of(session.state.layout).size(), 2U);
  EXPECT_EQ(pane_at(session.state, 1).view.options.minus_head, std::optional<std::size_t>(0));
}

TEST(Panes, AHeadIsComparedInAnotherPaneOnlyWhereThereIsNoSpaceForOne) {
  SessionDriver session = split_in_two();
  const PaneId left = pane_at(session.state, 0).id, right = pane_at(session.state, 1).id;
  session.send(command::SetPlotSpace{{600.0, 300.0}});
  session.send(command::CompareHead{left, HeadAddress{0, 0, 1}});
  ASSERT_EQ(panes_of(session.state.layout).size(), 2U);
  EXPECT_EQ(pane_at(session.state, 1).view.plot, "difference");
  session.send(command::LinkPane{right, false});
  session.send(command::SetPlotSpace{{1200.0, 800.0}});
  session.send(command::CompareHead{left});
  EXPECT_EQ(panes_of(session.state.layout).size(), 3U) << "one that is not linked stays";
}

// Opens a document without computing it.
SessionDriver opened_uncomputed(const std::string& text) {
  ReadOptions options;
  options.memory_limit_bytes = std::uint64_t{1} << 50U;
  SessionDriver session;
  session.send(command::SetPlotSpace{{800.0, 700.0}});
  session.send(command::Opened{{"/tmp/long.json"}, read_document(text, "long", options).value()});
  return session;
}

constexpr PaneSize kUsualSpace{800.0, 700.0};

SessionDriver opened_within(const Document& document, const PaneSize& space = kUsualSpace) {
  SessionDriver session;
  session.send(command::SetPlotSpace{space});
  session.open(document);
  return session;
}

TEST(Opening, ADocumentOfSeveralHeadsShowsThemAllBelowItsMap) {
  SessionDriver session = opened_within(two_heads());
  ASSERT_EQ(panes_of(session.state.layout).size(), 2U);
  EXPECT_EQ(pane_at(session.state, 0).view.plot, "heatmap");
  EXPECT_EQ(pane_at(session.state, 1).view.plot, "heads");
  EXPECT_EQ(session.state.focus, pane_at(session.state, 0).id);
  const auto& split = std::get<Split>(session.state.layout);
  EXPECT_EQ(split.direction, SplitDirection::Down);
  EXPECT_GT(split.parts[0].share, 2.0 * split.parts[1].share);
  EXPECT_FALSE(has_unsaved_changes(session.state));
  session.send(command::SelectHead{{0, 0, 1}});
  EXPECT_EQ(pane_at(session.state, 1).view.options.at.head, 1U);
}

TEST(Opening, ManyLayersAreAtTheRightOfTheMap) {
  const SessionDriver session =
      opened_uncomputed(R"({"blocks": 12, "heads": 4, "d_model": 8, "tokens": ["a", "b"]})");
  ASSERT_EQ(panes_of(session.state.layout).size(), 2U);
  EXPECT_EQ(std::get<Split>(session.state.layout).direction, SplitDirection::Right);
}

TEST(Opening, OneHeadSmallWindowsAndManyTokensHaveTheMapAlone) {
  const auto panes = [](const SessionDriver& session) {
    return panes_of(session.state.layout).size();
  };
  EXPECT_EQ(panes(opened_within(open_document("example:i-love-cats")->document)), 1U);
  EXPECT_EQ(panes(opened_within(two_heads(), {400.0, 300.0})), 1U);
  EXPECT_EQ(panes(opened_within(two_heads(), {})), 1U) << "without a window";
  EXPECT_EQ(panes(opened_uncomputed(R"({"heads": 2, "d_model": 4, "tokens": 100000})")), 1U);
  EXPECT_EQ(panes(opened_uncomputed(R"({"heads": 2, "d_model": 4, "tokens": 4096})")), 2U);
}

TEST(Opening, ASavedViewWins) {
  Document document = two_heads();
  document.panes = Panes{};
  EXPECT_EQ(panes_of(opened_within(document).state.layout).size(), 1U);
}

TEST(Panes, AreNotSplitWhereAHalfHasNoSpaceForAPlot) {
  SessionDriver session =
      opened_within(open_document("example:i-love-cats")->document, {430.0, 340.0});
  session.send(command::SplitPane{0, SplitDirection::Right});
  EXPECT_EQ(panes_of(session.state.layout).size(), 1U);
  EXPECT_EQ(session.last_notice(),
            "Too narrow to split: half would be 215 px, a plot needs 220; close a pane or enlarge "
            "this one");
  session.send(command::SplitPane{0, SplitDirection::Down});
  EXPECT_EQ(panes_of(session.state.layout).size(), 2U);
  session.send(command::SplitPane{0, SplitDirection::Down});
  EXPECT_EQ(panes_of(session.state.layout).size(), 2U);
}

TEST(Panes, TheNextHeadIsShownBesideInAPaneOfItsOwn) {
  SessionDriver session = opened_within(two_heads());
  session.send(command::ShowBeside{0});
  ASSERT_EQ(panes_of(session.state.layout).size(), 3U);
  const Pane& beside = pane_at(session.state, 1);
  EXPECT_FALSE(beside.linked);
  EXPECT_EQ(beside.view.options.at.head, 1U);
  session.send(command::SetOption{"head", "0", beside.id});
  session.send(command::SelectHead{{0, 0, 1}});
  EXPECT_EQ(pane_at(session.state, 1).view.options.at.head, 0U);
  EXPECT_EQ(pane_at(session.state, 0).view.options.at.head, 1U);
}

TEST(Panes, TheNextHeadIsSubtractedInAPaneBesideTheMapAndNotInThatOfTheHeads) {
  SessionDriver session = opened_within(two_heads());
  session.send(command::CompareHead{pane_at(session.state, 1).id});
  ASSERT_EQ(panes_of(session.state.layout).size(), 3U);
  const View& beside = pane_at(session.state, 1).view;
  EXPECT_EQ(beside.plot, "difference");
  EXPECT_EQ(beside.options.minus_head, std::optional<std::size_t>(1));
  EXPECT_EQ(pane_at(session.state, 2).view.plot, "heads");
}

TEST(Panes, TheNextHeadIsShownNextToAPaneOfLinksAndNotToTheMap) {
  SessionDriver session = split_in_two();
  session.send(command::SelectPlot{"links"});
  const PaneId links = session.state.focus;
  session.send(command::ShowBeside{links});
  ASSERT_EQ(panes_of(session.state.layout).size(), 3U);
  EXPECT_EQ(pane_at(session.state, 1).id, links);
}

TEST(Panes, AHeadIsComparedWhereADifferenceIsShownAlready) {
  SessionDriver session = split_in_two();
  session.send(command::SplitPane{session.state.focus, SplitDirection::Right});
  const PaneId heads = pane_at(session.state, 0).id, difference = pane_at(session.state, 2).id;
  session.send(command::SelectPlot{"difference", difference});
  session.send(command::CompareHead{heads, HeadAddress{0, 0, 1}});
  ASSERT_EQ(panes_of(session.state.layout).size(), 3U);
  EXPECT_NE(pane_at(session.state, 1).view.plot, "difference");
  EXPECT_EQ(pane_at(session.state, 2).view.options.minus_head, std::optional<std::size_t>(1));
}

TEST(Panes, OneThatIsUnlinkedKeepsItsHeadUntilItFollowsAgain) {
  SessionDriver session = split_in_two();
  const PaneId second = session.state.focus;
  session.send(command::LinkPane{second, false});
  session.send(command::FocusPane{pane_at(session.state, 0).id});
  session.send(command::SelectHead{{0, 0, 1}});
  EXPECT_EQ(pane_at(session.state, 1).view.options.at.head, 0U);
  session.send(command::LinkPane{second, true});
  EXPECT_EQ(pane_at(session.state, 1).view.options.at.head, 1U);
}

TEST(Panes, ShowWhatIsPointedAtAndPinnedInEachOther) {
  SessionDriver session = split_in_two();
  session.send(command::SelectStage{Stage::Scores});
  session.send(command::Hover{CellHit{{Stage::Scores, {}}, 2, 1}});
  session.send(command::Pin{{{Stage::Scores, {}}, 0, 1}});
  const Pane& weights = pane_at(session.state, 0);
  EXPECT_EQ(weights.view.options.stage, Stage::Weights);
  EXPECT_EQ(hovered_in(session.state, weights), (CellHit{{Stage::Weights, {}}, 2, 1}));
  EXPECT_EQ(plot_options(session.state, weights).pins,
            (std::vector<CellHit>{{{Stage::Weights, {}}, 0, 1}}));
  EXPECT_EQ(plot_options(session.state).pins, (std::vector<CellHit>{{{Stage::Scores, {}}, 0, 1}}));
}

TEST(Panes, ShowACellOfAnotherHeadInTheirOwnOnlyWhereTheyAreUnlinked) {
  SessionDriver session = split_in_two();
  session.send(command::LinkPane{session.state.focus, false});
  const CellHit of_second_head{{Stage::Weights, {0, 0, 1}}, 2, 1};
  session.send(command::Hover{of_second_head});
  EXPECT_EQ(hovered_in(session.state, pane_at(session.state, 0)), of_second_head);
  EXPECT_EQ(hovered_in(session.state, pane_at(session.state, 1)),
            (CellHit{{Stage::Weights, {}}, 2, 1}));
}

TEST(Panes, CloseGivingTheirRoomToTheNeighbourAndTheLastStays) {
  SessionDriver session = split_in_two();
  session.send(command::SplitPane{0, SplitDirection::Right});
  ASSERT_EQ(std::get<Split>(session.state.layout).parts.size(), 3U) << "one split, not two";
  session.send(command::ClosePane{0});
  EXPECT_DOUBLE_EQ(sum_of_shares(std::get<Split>(session.state.layout)), 1.0);
  session.send(command::ClosePane{0});
  session.send(command::ClosePane{0});
  ASSERT_EQ(panes_of(session.state.layout).size(), 1U);
  EXPECT_NE(pane_of(session.state.layout, session.state.focus), nullptr);
}

TEST(Panes, AreSplitDownWithinASplitToTheRight) {
  SessionDriver session = split_in_two();
  session.send(command::SplitPane{0, SplitDirection::Down});
  const auto& outer = std::get<Split>(session.state.layout);
  const auto& inner = std::get<Split>(outer.parts[1].layout);
  EXPECT_EQ(outer.direction, SplitDirection::Right);
  EXPECT_EQ(inner.direction, SplitDirection::Down);
  EXPECT_NE(outer.id, inner.id);
}

TEST(Panes, EdgesMoveAndBothSidesKeepSomeRoom) {
  SessionDriver session = split_in_two();
  const PaneId split = std::get<Split>(session.state.layout).id;
  session.send(command::ResizePane{split, 0, 0.7});
  EXPECT_DOUBLE_EQ(std::get<Split>(session.state.layout).parts[0].share, 0.7);
  EXPECT_DOUBLE_EQ(std::get<Split>(session.state.layout).parts[1].share, 0.3);
  session.send(command::ResizePane{split, 0, 2.0});
  EXPECT_DOUBLE_EQ(std::get<Split>(session.state.layout).parts[1].share, kLeastShare);
  session.send(command::ResizePane{split, 7, 0.2});
  EXPECT_DOUBLE_EQ(std::get<Split>(session.state.layout).parts[1].share, kLeastShare);
}

TEST(Panes, TheFocusGoesRoundAndOneMayBeAlone) {
  SessionDriver session = split_in_two();
  const PaneId first = pane_at(session.state, 0).id, second = pane_at(session.state, 1).id;
  session.send(command::StepFocus{1});
  EXPECT_EQ(session.state.focus, first);
  session.send(command::StepFocus{-1});
  EXPECT_EQ(session.state.focus, second);
  session.send(command::FocusPane{12345});
  EXPECT_EQ(session.state.focus, second);
  session.send(command::MaximisePane{true});
  EXPECT_TRUE(session.state.maximised);
  session.send(command::ClosePane{0});
  EXPECT_FALSE(session.state.maximised);
}

TEST(Panes, SixteenAreTheMost) {
  SessionDriver session = split_in_two();
  for (int i = 0; i < 20; ++i) session.send(command::SplitPane{0, SplitDirection::Down});
  EXPECT_EQ(panes_of(session.state.layout).size(), kMostPanes);
}

// Trees are equal except for the ids of panes.
void expect_same(const Layout& a, const Layout& b) {
  ASSERT_EQ(a.index(), b.index());
  if (const auto* pane = std::get_if<Pane>(&a)) {
    EXPECT_EQ(pane->view, std::get<Pane>(b).view);
    EXPECT_EQ(pane->linked, std::get<Pane>(b).linked);
    return;
  }
  const auto &one = std::get<Split>(a), &other = std::get<Split>(b);
  EXPECT_EQ(one.direction, other.direction);
  ASSERT_EQ(one.parts.size(), other.parts.size());
  for (std::size_t i = 0; i < one.parts.size(); ++i) {
    EXPECT_NEAR(one.parts[i].share, other.parts[i].share, 1e-6);
    expect_same(one.parts[i].layout, other.parts[i].layout);
  }
}

TEST(Panes, AreSavedWithTheDocument) {
  const test::TemporaryFolder folder;
  SessionDriver session = split_in_two();
  session.send(command::SelectPlot{"measures"});
  session.send(command::SplitPane{0, SplitDirection::Down});
  session.send(command::LinkPane{session.state.focus, false});
  session.send(command::SetOption{"matrix", "head_mean"});
  session.send(command::ResizePane{std::get<Split>(session.state.layout).id, 0, 0.3});
  session.send(command::StepFocus{-1});
  session.send(command::SaveAs{folder.file("panes.json")});
  session.settle();
  SessionDriver other;
  other.send(command::Open{folder.file("panes.json")});
  other.settle();
  expect_same(session.state.layout, other.state.layout);
  EXPECT_EQ(focused_view(other.state), focused_view(session.state));
  EXPECT_TRUE(other.state.notices.empty()) << other.last_notice();
}

TEST(Panes, OneShownAloneIsAloneAgainWhenItsDocumentIsOpened) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("alone.json");
  SessionDriver session = split_in_two();
  session.send(command::SaveAs{path});
  session.settle();
  for (const bool alone : {true, false}) {
    session.send(command::MaximisePane{alone});
    session.send(command::Save{});
    session.settle();
    SessionDriver other;
    other.send(command::Open{path});
    other.settle();
    EXPECT_EQ(panes_of(other.state.layout).size(), 2U);
    EXPECT_EQ(other.state.maximised, alone);
  }
}

TEST(Panes, OfPlotsThatThereAreNotAreNamedAndTheRestShown) {
  SessionDriver session;
  Document document = two_heads();
  Panes& panes = document.panes.emplace();
  PaneId last = 1;
  for (const char* plot : {"hairball", "alignment", "measures"}) {
    Pane added;
    added.id = ++last;
    added.view.plot = plot;
    split_pane(panes.layout, 1, SplitDirection::Right, 100, added);
  }
  panes.focus = 2;
  session.open(document);
  std::vector<std::string> shown;
  for (const Pane* pane : panes_of(session.state.layout)) shown.push_back(pane->view.plot);
  // An empty plot explains itself.
  EXPECT_EQ(shown, (std::vector<std::string>{"heatmap", "measures", "alignment"}));
  ASSERT_EQ(session.state.notices.size(), 1U);
  EXPECT_NE(session.state.notices[0].text.find("\"hairball\""), std::string::npos);
}

TEST(ResetLayout, LeavesOnePaneWithWhatIsLookedAt) {
  SessionDriver session = split_in_two(SplitDirection::Down);
  session.send(command::SelectPlot{"heads"});
  session.send(command::SetSides{Sides{.left = 222.0F, .right_folded = true}});
  session.send(command::SetOption{"colormap", "magma"});
  session.send(command::MaximisePane{true});
  session.send(command::ResetLayout{});
  ASSERT_EQ(panes_of(session.state.layout).size(), 1U);
  EXPECT_EQ(focused_view(std::as_const(session.state)).plot, "heads");
  EXPECT_EQ(focused_view(std::as_const(session.state)).options.colormap, "magma");
  EXPECT_FALSE(session.state.maximised);
  EXPECT_EQ(session.state.preferences.sides, Sides{});
  EXPECT_FALSE(has_unsaved_changes(session.state));
}

}  // namespace
}  // namespace attn
