// Marking and finding tokens, going to places, moving pins by keys.
#include <gtest/gtest.h>

#include "session/place.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::two_heads;

SessionDriver with_document(const char* json) {
  SessionDriver session;
  session.open(read_document(json, "places").value().document);
  return session;
}

constexpr const char* kTen = R"({"tokens": ["The", "cat", "sat", "on", "the", "mat", "and", "Cat",
  "ate", "it"], "d_model": 4, "heads": 2, "blocks": 2})";
constexpr const char* kCross =
    R"({"query_tokens": ["a", "b"], "key_tokens": ["b", "c", "d"], "d_model": 2})";

TEST(Places, AMarkedTokenIsThatOfTheListAndGoesWithIt) {
  SessionDriver session = with_document(kTen);
  session.send(command::MarkToken{TokenHit{Side::Key, 0, 3}});
  EXPECT_EQ(session.state.marked_token, (TokenHit{Side::Query, 0, 3})) << "one sequence, one list";
  session.send(command::MarkToken{TokenHit{Side::Query, 0, 10}});
  EXPECT_FALSE(session.state.marked_token) << "there are ten";
  session.send(command::MarkToken{TokenHit{Side::Query, 0, 9}});
  session.send(command::DeleteToken{Side::Query, 0});
  EXPECT_FALSE(session.state.marked_token);
  session.send(command::MarkToken{TokenHit{Side::Query, 0, 1}});
  session.send(command::Unpin{});
  EXPECT_FALSE(session.state.marked_token);
}

TEST(Places, AMarkComesIntoViewOnBothSidesOfASquare) {
  SessionDriver session = with_document(kTen);
  session.send(command::SetWindow{{0, 0, 4, 4}});
  session.send(command::MarkToken{TokenHit{Side::Query, 0, 2}});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{0, 0, 4, 4})) << "it is there";
  session.send(command::MarkToken{TokenHit{Side::Query, 0, 7}});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{5.5, 5.5, 4, 4}));
  session.send(command::MarkToken{TokenHit{Side::Query, 0, 9}});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{6, 6, 4, 4})) << "the edge";
}

TEST(Places, AcrossSequencesOnlyTheTokensSideMoves) {
  SessionDriver session = with_document(kCross);
  session.send(command::SetWindow{{0, 0, 1, 1}});
  session.send(command::MarkToken{TokenHit{Side::Key, 0, 2}});
  const CellWindow window = focused_view(session.state).options.window;
  EXPECT_EQ(window.row, 0.0);
  EXPECT_EQ(window.col, 2.0);
}

TEST(Places, AreReadAsPeopleWriteThem) {
  const SessionDriver session = with_document(kTen);
  struct Case {
    const char* text;
    std::optional<std::size_t> row, col;
    std::optional<HeadAddress> head;
  };
  for (const Case& c :
       {Case{"3", 2, {}, {}}, Case{"3, 7", 2, 6, {}}, Case{"3 7", 2, 6, {}},
        Case{"row 10", 9, {}, {}}, Case{"key 4", {}, 3, {}}, Case{"k4 q1", 0, 3, {}},
        Case{"Column 4", {}, 3, {}}, Case{"head 2", {}, {}, HeadAddress{0, 0, 1}},
        Case{"layer 2 head 1", {}, {}, HeadAddress{1, 0, 0}},
        Case{"l2h2 3", 2, {}, HeadAddress{1, 0, 1}}}) {
    const Result<command::GoTo> place = parse_place(session.state, c.text);
    ASSERT_TRUE(place) << c.text << ": " << describe(place.error());
    EXPECT_EQ(place->row, c.row) << c.text;
    EXPECT_EQ(place->col, c.col) << c.text;
    EXPECT_EQ(place->head, c.head) << c.text;
  }
  const std::string words = place_text(session.state, *parse_place(session.state, "3 2 head 2"));
  EXPECT_EQ(words, "Row 3 (“sat”), column 2 (“cat”), layer 1, head 2");
}

TEST(Places, ThatAreNotThereAreRefusedWithWhatThereIs) {
  const SessionDriver session = with_document(kTen);
  const auto message = [&](const char* text) {
    const Result<command::GoTo> place = parse_place(session.state, text);
    return place ? "read" : place.error().message;
  };
  EXPECT_EQ(message("11"), "there is no row 11: they count from 1 to 10");
  EXPECT_EQ(message("0"), "there is no row 0: they count from 1 to 10");
  EXPECT_EQ(message("head 3"), "there is no head 3: they count from 1 to 2");
  EXPECT_EQ(message("99999999999999999999999"),
            "there is no row 99999999999999999999999: they count from 1 to 10");
  EXPECT_EQ(message("1 2 3"), "a third number needs a word before it");
  EXPECT_EQ(message("tail 3"), "“tail” is not a place");
  EXPECT_EQ(message("head"), "a number is missing at the end");
  EXPECT_EQ(message(""), "no place is named");
  EXPECT_EQ(message("-3"), "no place is named");
  EXPECT_EQ(message("1.5"), "no place is named");
}

TEST(Places, LayersAreFoundByTheNumbersTheyHave) {
  const SessionDriver session = with_document(R"({"tokens": ["a"], "axes": ["layer", "query",
      "key"], "attention": [[[1]], [[1]], [[1]]], "layer_numbers": [3, 7, 11]})");
  const Result<command::GoTo> place = parse_place(session.state, "layer 7");
  ASSERT_TRUE(place.ok());
  EXPECT_EQ(place->head, (HeadAddress{1, 0, 0}));
  EXPECT_EQ(place_text(session.state, *place), "Layer 7, head 1");
  EXPECT_EQ(parse_place(session.state, "layer 2").error().message,
            "there is no layer 2, but 3, 7, 11");
}

TEST(Places, GoingPinsACellMarksARowAndChoosesAHead) {
  SessionDriver session = with_document(kTen);
  session.send(*parse_place(session.state, "3 8"));
  ASSERT_EQ(session.state.pins.size(), 1U);
  EXPECT_EQ(session.state.pins[0].row, 2U);
  EXPECT_EQ(session.state.pins[0].col, 7U);
  session.send(*parse_place(session.state, "column 5"));
  EXPECT_EQ(session.state.marked_token, (TokenHit{Side::Query, 0, 4}));
  session.send(*parse_place(session.state, "layer 2 head 2"));
  EXPECT_EQ(focused_view(session.state).options.at, (HeadAddress{1, 0, 1}));
  session.send(command::GoTo{{}, 10, 0});
  EXPECT_EQ(session.state.pins[0].row, 2U) << "what is not there changes nothing";
}

TEST(Find, KnowsNoCaseAndWalksRoundAndRound) {
  SessionDriver session = with_document(kTen);
  EXPECT_EQ(tokens_with(session.state, "CAT").size(), 2U);
  EXPECT_EQ(tokens_with(session.state, "dog").size(), 0U);
  EXPECT_TRUE(tokens_with(session.state, "").empty());
  const auto marked = [&] { return session.state.marked_token->index; };
  session.send(command::Find{"cat"});
  EXPECT_EQ(marked(), 1U);
  session.send(command::Find{"cat"});
  EXPECT_EQ(marked(), 1U) << "typing on does not walk on";
  session.send(command::Find{"cat", 1});
  EXPECT_EQ(marked(), 7U);
  session.send(command::Find{"cat", 1});
  EXPECT_EQ(marked(), 1U);
  session.send(command::Find{"cat", -1});
  EXPECT_EQ(marked(), 7U);
  session.send(command::Find{"at", 1});
  EXPECT_EQ(marked(), 8U) << "“ate” follows";
  session.send(command::Find{"dog", 1});
  EXPECT_EQ(marked(), 8U) << "nothing found, nothing moves";
}

TEST(Find, LooksThroughBothSidesAndEveryScript) {
  SessionDriver session = with_document(
      R"({"query_tokens": ["Straße", "Ж"], "key_tokens": ["STRASSE", "é", "Ġcat"], "d_model": 2})");
  const auto found = tokens_with(session.state, "strasse");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (TokenHit{Side::Query, 0, 0}));
  EXPECT_EQ(found[1], (TokenHit{Side::Key, 0, 0}));
  EXPECT_EQ(tokens_with(session.state, "ж").size(), 1U);
  EXPECT_EQ(tokens_with(session.state, "e\xCC\x81").size(), 1U) << "put together from two signs";
}

TEST(Walk, ArrowsMoveThePinAndStopAtTheEdges) {
  SessionDriver session = with_document(kTen);
  const MatrixId weights = matrix_in_view(session.state);
  const auto walk = [&](std::int64_t rows, std::int64_t cols, bool second = false) {
    session.send(command::WalkPin{rows, cols, second, weights});
    const CellHit& pin = session.state.pins[second ? session.state.pins.size() - 1 : 0];
    return std::pair(pin.row, pin.col);
  };
  EXPECT_EQ(walk(0, 1), std::pair(std::size_t{0}, std::size_t{0})) << "where walking begins";
  EXPECT_EQ(walk(0, 1), std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_EQ(walk(-1, 0), std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_EQ(walk(0, std::int64_t{1} << 40U), std::pair(std::size_t{0}, std::size_t{9}));
  EXPECT_EQ(walk(1, 0, true), std::pair(std::size_t{1}, std::size_t{9}));
  ASSERT_EQ(session.state.pins.size(), 2U);
  EXPECT_EQ(session.state.pins[0].row, 0U) << "the first stays";
  session.send(command::WalkPin{-1, 0, true, weights});
  EXPECT_EQ(session.state.pins.size(), 1U) << "on the first there is no second";
}

TEST(Walk, APinBringsItsCellIntoView) {
  SessionDriver session = with_document(kTen);
  session.send(command::SetWindow{{0, 0, 4, 4}});
  const MatrixId weights = matrix_in_view(session.state);
  session.send(command::WalkPin{0, 0, false, weights});
  for (int i = 0; i < 4; ++i) session.send(command::WalkPin{0, 1, false, weights});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{0, 2.5, 4, 4}));
}

TEST(Walk, ZoomKeepsThePinInViewAndEndsAtTheWhole) {
  SessionDriver session = with_document(kTen);
  session.send(*parse_place(session.state, "10 10"));
  session.send(command::Zoom{2.0});
  CellWindow window = focused_view(session.state).options.window;
  EXPECT_EQ(window.rows, 5.0);
  EXPECT_GE(9.0 + 1.0, window.row);
  EXPECT_EQ(window.row, 4.75);
  session.send(command::Zoom{1e9});
  window = focused_view(session.state).options.window;
  EXPECT_EQ(window.rows, 2.0) << "the fewest cells";
  session.send(command::Zoom{0.0});
  EXPECT_EQ(focused_view(session.state).options.window, window) << "no factor";
  session.send(command::Zoom{1e-9});
  EXPECT_EQ(focused_view(session.state).options.window, CellWindow{});
}

TEST(Walk, PanMovesThePartInViewOnly) {
  SessionDriver session = with_document(kTen);
  session.send(command::Pan{0.5, 0.5});
  EXPECT_EQ(focused_view(session.state).options.window, CellWindow{});
  session.send(command::SetWindow{{0, 0, 4, 4}});
  session.send(command::Pan{0.5, 0.25});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{2, 1, 4, 4}));
  session.send(command::Pan{9.0, -9.0});
  EXPECT_EQ(focused_view(session.state).options.window, (CellWindow{6, 0, 4, 4}));
}

TEST(History, SeveralStepsAtOnceLeadWhereOneByOneWould) {
  SessionDriver session;
  session.open(two_heads());
  const Document first = session.state.document;
  for (const float value : {1.0F, 2.0F, 3.0F}) {
    session.send(command::SetCell{{"/q", {}}, 0, 0, value + 5.0F});
  }
  const Document last = session.state.document;
  session.send(command::StepEdit{-3});
  EXPECT_EQ(session.state.document, first);
  EXPECT_EQ(session.state.history.future.size(), 3U);
  session.send(command::StepEdit{2});
  EXPECT_EQ(session.state.history.past.size(), 2U);
  session.send(command::StepEdit{99});
  EXPECT_EQ(session.state.document, last);
  session.send(command::StepEdit{-99});
  EXPECT_EQ(session.state.document, first);
}

TEST(Messages, AreKeptWhenTheirNoticesAreGone) {
  SessionDriver session;
  session.open(two_heads());
  const std::size_t before = session.state.messages.size();
  session.send(command::Notify{Notice::Level::Error, "the first", "details"});
  session.send(command::DismissNotice{session.state.notices.back().id});
  session.send(command::Notify{Notice::Level::Info, "again", ""});
  session.send(command::Notify{Notice::Level::Info, "again", ""});
  ASSERT_EQ(session.state.messages.size(), before + 2);
  EXPECT_EQ(session.state.messages[before].text, "the first");
  EXPECT_EQ(session.state.messages[before].details, "details");
  EXPECT_EQ(session.state.messages.back().count, 2U);
  for (int i = 0; i < 300; ++i) {
    session.send(command::Notify{Notice::Level::Info, std::to_string(i), ""});
  }
  EXPECT_EQ(session.state.messages.size(), kMessagesKept);
  EXPECT_EQ(session.state.messages.back().text, "299");
}

}  // namespace
}  // namespace attn
