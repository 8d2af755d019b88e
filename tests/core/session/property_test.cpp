// The state stays consistent for any order of commands, and undo restores the first document.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <type_traits>

#include "base/enum_table.h"
#include "base/files.h"
#include "base/random.h"
#include "base/special_numbers.h"
#include "document/problem.h"
#include "lesson/lesson.h"
#include "support/process.h"
#include "tests/core/document/npy_bytes.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

constexpr const char* kPaths[] = {"/q",
                                  "/k",
                                  "/v",
                                  "/embeddings",
                                  "/key_embeddings",
                                  "/projections/w_q",
                                  "/blocks/2/projections/w_o",
                                  "/attention",
                                  "/nothing"};

class CommandMaker {
 public:
  explicit CommandMaker(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.next() % n); }
  bool coin() { return below(2) == 0; }
  template <class Row>
  const Row& any_of(std::span<const Row> rows) {
    return rows[below(rows.size())];
  }
  float number() { return random_.normal() * 3.0F; }
  Side side() { return coin() ? Side::Query : Side::Key; }
  HeadAddress head() { return {below(3), below(3), below(5)}; }
  MatrixRef matrix(const Document& document) {
    const TensorList tensors = editable_tensors(document);
    return {tensors[below(tensors.size())].path, {0, below(2), below(3)}};
  }

  // A random edit of any kind; about one in ten is out of bounds and must be refused.
  Command edit(const Document& document) { return edit(document, command::Edits()); }

  Structure structure(const Document& document) {
    Structure structure = structure_of(document);
    if (coin()) structure.kind = any_of(all_kinds());
    for (const StructureField& field : all_structure_fields()) {
      if (below(4) == 0) field.set(structure, below(5));
    }
    return structure;
  }

  std::vector<std::string> tokens() {
    std::vector<std::string> tokens;
    for (std::size_t i = below(5); i > 0; --i) tokens.push_back("t" + std::to_string(below(5)));
    return tokens;
  }

  Scoring scoring() {
    Scoring scoring;
    scoring.function = any_of(all_scoring_functions()).function;
    scoring.normaliser = any_of(all_normalisers()).normaliser;
    if (coin()) scoring.scale = number();
    if (coin()) scoring.sinks = {number()};
    return scoring;
  }

  Mask mask() {
    Mask mask;
    mask.causal = coin();
    if (coin()) mask.window = Window{below(3), below(3), 1 + below(2)};
    if (coin()) mask.alibi.emplace();
    if (coin()) mask.query_segments = {std::vector<std::int64_t>(below(4), 0)};
    return mask;
  }

  Position position() {
    Position position;
    position.kind = any_of(all_position_kinds()).kind;
    return position;
  }

  RecurrentChoice recurrent() {
    return {any_of(all_cells()).kind, any_of(all_query_states()).asks, coin(), below(4), coin()};
  }

  Command view() {
    switch (below(10)) {
      case 8:
        return command::SetOption{"attention", coin() ? "self" : "cross"};
      case 0:
        return command::SelectStage{static_cast<Stage>(below(kStageCount))};
      case 1:
        return command::SelectHead{head()};
      case 2:
        return command::StepHead{static_cast<int>(below(9)) - 4};
      case 3:
        return command::SetWindow{{number(), number(), number(), number()}};
      case 4:
        return command::Hover{cell()};
      case 5:
        return command::Pin{cell(), coin()};
      case 6:
        return command::SelectMatrix{{kPaths[below(std::size(kPaths))], head()}};
      case 7:
        return command::MoveCursor{below(9), below(9), coin()};
      default:
        return command::SetWindow{};
    }
  }

  Command lesson() {
    switch (below(6)) {
      case 0:
        return command::Guess{std::vector<double>(below(5), 0.1 * static_cast<double>(below(9)))};
      case 1:
        return command::Reveal{};
      case 2:
        return command::RestoreStep{};
      case 3:
        return command::EndLesson{coin()};
      default:
        return command::StepLesson{static_cast<int>(below(6)) - 2};
    }
  }

 private:
  template <class... Kinds>
  Command edit(const Document& document, KindList<Kinds...> /*list*/) {
    using Make = Command (*)(CommandMaker&, const Document&);
    constexpr Make kMakes[] = {[](CommandMaker& maker, const Document& shown) -> Command {
      return maker.made(std::type_identity<Kinds>(), shown);
    }...};
    return kMakes[below(std::size(kMakes))](*this, document);
  }

  // One for each kind of edit.
  template <class Kind>
  using Of = std::type_identity<Kind>;
  command::SetCell made(Of<command::SetCell>, const Document& shown) {
    return {matrix(shown), below(5), below(4), number(), below(3)};
  }
  command::PasteText made(Of<command::PasteText>, const Document& shown) {
    return {matrix(shown), below(3), below(3), "1\t2\n3\t4"};
  }
  command::SetBlock made(Of<command::SetBlock>, const Document& shown) {
    return {matrix(shown), below(3), below(3), 1, 2, {number(), number()}, "fill down"};
  }
  command::FillMatrix made(Of<command::FillMatrix>, const Document& shown) {
    return {matrix(shown), static_cast<Fill>(below(count_of<Fill>()))};
  }
  command::ScaleMatrix made(Of<command::ScaleMatrix>, const Document& shown) {
    return {matrix(shown), number()};
  }
  command::InsertToken made(Of<command::InsertToken>, const Document&) {
    return {side(), below(5), "t" + std::to_string(below(9))};
  }
  command::RenameToken made(Of<command::RenameToken>, const Document&) {
    return {side(), below(2), below(5), "猫"};
  }
  command::SetText made(Of<command::SetText>, const Document&) {
    return {coin() ? "" : "the cat sat", 0};
  }
  command::RenameFeature made(Of<command::RenameFeature>, const Document&) {
    return {any_of(all_feature_axes()).axis, below(5), coin() ? "width" : ""};
  }
  command::DeleteToken made(Of<command::DeleteToken>, const Document&) {
    return {side(), below(5)};
  }
  command::MoveToken made(Of<command::MoveToken>, const Document&) {
    return {side(), below(5), below(5)};
  }
  command::SetTokens made(Of<command::SetTokens>, const Document&) {
    return {side(), tokens(), below(3)};
  }
  command::SetStructure made(Of<command::SetStructure>, const Document& shown) {
    return {structure(shown)};
  }
  // An answer of a job that was cancelled.
  command::StructureMade made(Of<command::StructureMade>, const Document& shown) {
    return {{0, nullptr, 0, 1, structure(shown), nullptr}, usage_error("It is too late")};
  }
  command::SetCausal made(Of<command::SetCausal>, const Document&) { return {coin()}; }
  command::SetCausalOffset made(Of<command::SetCausalOffset>, const Document&) {
    return {static_cast<std::int64_t>(below(5)) - 2, below(3)};
  }
  command::SetGates made(Of<command::SetGates>, const Document& shown) {
    const HeadAddress at =
        head().moved_to(below(shape_of(shown).layers + 1), 0, below(shape_of(shown).heads + 1));
    return {{{at, 0.25F * static_cast<float>(below(9))}}, below(3)};
  }
  command::SetPattern made(Of<command::SetPattern>, const Document&) {
    return {head(), coin() ? std::optional(head()) : std::nullopt, coin()};
  }
  command::SetEdge made(Of<command::SetEdge>, const Document&) {
    constexpr Stage kInputs[] = {Stage::Query, Stage::Key, Stage::Value};
    return {{head(), kInputs[below(3)], head()}, coin()};
  }
  command::SetPadding made(Of<command::SetPadding>, const Document&) {
    return {side(), below(2), below(5), coin()};
  }
  command::PaintCell made(Of<command::PaintCell>, const Document&) {
    return {head(), below(5), below(5), coin(), below(3)};
  }
  command::ClearMask made(Of<command::ClearMask>, const Document&) { return {coin()}; }
  command::SetScoring made(Of<command::SetScoring>, const Document&) { return {scoring()}; }
  command::SetMask made(Of<command::SetMask>, const Document&) { return {mask()}; }
  command::SetPosition made(Of<command::SetPosition>, const Document&) { return {position()}; }
  command::SetModel made(Of<command::SetModel>, const Document&) { return {recurrent()}; }
  command::SetTitle made(Of<command::SetTitle>, const Document&) {
    return {"Title " + std::to_string(below(9))};
  }

  CellHit cell() { return {{static_cast<Stage>(below(kStageCount)), head()}, below(5), below(5)}; }
  Random random_;
};

void expect_window_inside(const AppState& state) {
  const CellWindow& window = focused_view(state).options.window;
  if (window == CellWindow{} || !state.result) return;
  const StageShape extent =
      state.result->stage_shape(focused_view(state).options.stage, focused_view(state).options.at);
  EXPECT_GE(window.row, 0.0);
  EXPECT_GE(window.col, 0.0);
  EXPECT_LE(window.row + window.rows, static_cast<double>(extent.rows) + 1e-9);
  EXPECT_LE(window.col + window.cols, static_cast<double>(extent.cols) + 1e-9);
}

void expect_consistent(const AppState& state) {
  ASSERT_TRUE(check(state.document).ok()) << describe(check(state.document).error());
  const AttentionShape shape = shape_of(state.document);
  EXPECT_LT(focused_view(state).options.at.layer, shape.layers);
  EXPECT_LT(focused_view(state).options.at.sample, shape.samples);
  EXPECT_LT(focused_view(state).options.at.head, shape.heads);
  const MatrixView matrix = matrix_of(state.document, state.grid.matrix);
  EXPECT_LT(std::max(state.grid.row, state.grid.anchor_row), matrix.rows);
  EXPECT_LT(std::max(state.grid.col, state.grid.anchor_col), matrix.cols);
  EXPECT_LE(state.pins.size(), 2U);
  for (const Notice& notice : state.notices) {  // three in one place
    EXPECT_LE(std::ranges::count_if(state.notices,
                                    [&](const Notice& other) {
                                      return is_of_a_document(other) == is_of_a_document(notice) &&
                                             (!is_of_a_document(notice) ||
                                              other.document == notice.document);
                                    }),
              3);
  }
  if (!state.result) return;
  EXPECT_EQ(state.result->shape(), shape);
  std::vector<CellHit> cells = state.pins;
  if (state.hover) cells.push_back(*state.hover);
  for (const CellHit& cell : cells) {
    ASSERT_TRUE(state.result->has(cell.matrix.stage, cell.matrix.head));
    const StageShape extent = state.result->stage_shape(cell.matrix.stage, cell.matrix.head);
    EXPECT_LT(cell.row, extent.rows);
    EXPECT_LT(cell.col, extent.cols);
  }
  expect_window_inside(state);
}

// Undoes all edits, and makes all of them again.
void expect_undone_and_redone(SessionDriver& session, const Document& original) {
  const AppState& state = session.state;
  while (!state.history.future.empty()) session.send(command::StepEdit{1});
  const Document last = state.document;
  const std::uint64_t last_revision = state.revision;
  while (!state.history.past.empty()) {
    session.send(command::StepEdit{-1});
    expect_consistent(state);
  }
  EXPECT_EQ(state.document, original);
  EXPECT_TRUE(!state.document.lesson.empty() || !has_unsaved_changes(state));
  while (!state.history.future.empty()) session.send(command::StepEdit{1});
  EXPECT_EQ(state.document, last);
  EXPECT_EQ(state.revision, last_revision);
}

class RandomSession : public testing::TestWithParam<const char*> {};

TEST_P(RandomSession, StaysConsistentAndUndoesToTheLastBit) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SessionDriver session;
    session.open(read_document(GetParam(), "test").value().document);
    const Document original = session.state.document;
    CommandMaker make(seed);
    for (int i = 0; i < 80; ++i) {
      session.send(make.below(10) < 6 ? make.edit(session.state.document) : make.view());
      if (make.coin()) session.settle();
      expect_consistent(session.state);
      if (HasFatalFailure()) return;
      if (make.below(12) == 0) session.send(command::StepEdit{-1});
      if (make.below(12) == 0) session.send(command::StepEdit{1});
    }
    expect_undone_and_redone(session, original);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

// One of each kind: tokens only, Q K V with grouped heads, projections with samples and padding,
// cross-attention, given weights of several layers, recurrent models, a decoder.
constexpr const char* kDocuments[] = {
    R"(["I", "love", "cats"])",
    R"({"tokens": ["a", "b", "c"], "k": [[[1, 0], [0, 1], [1, 1]]], "v": [[[1], [2], [3]]],
        "q": [[[1, 0], [0, 1], [1, 1]], [[2, 0], [0, 2], [2, 2]]], "mask": {"causal": true}})",
    R"({"tokens": [["a", "b", "c"], ["d", "e", "f"]], "heads": 2,
        "embeddings": [[[1, 0], [0, 1], [1, 1]], [[0, 2], [2, 0], [1, 2]]],
        "mask": {"key_padding": [[true, true, false], [true, true, true]]}})",
    R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b", "c"], "q": [[1, 0], [0, 1]],
        "k": [[1, 0], [0, 1], [0.5, 0.5]], "v": [[1], [2], [3]],
        "mask": {"visible": [[true, false, true], [true, true, true]]}})",
    R"({"tokens": ["a", "b"], "attention": [[[[1, 0], [0.5, 0.5]], [[1, 0], [0.25, 0.75]]],
                                            [[[1, 0], [0, 1]], [[0.5, 0.5], [0.1, 0.9]]]]})",
    R"({"query_tokens": [["x", "y"], ["z"]], "key_tokens": [["a"], ["b", "c", "d"]],
        "recurrent": {"hidden": 2, "bidirectional": true}})",
    R"({"query_tokens": [["x", "y"], ["z"]], "key_tokens": [["a"], ["b", "c", "d"]], "d_model": 4,
        "blocks": 2, "self_mask": {"causal": true}})",
    R"({"tokens": ["a", "b", "c"], "recurrent": {"cell": "lstm", "asks": "current", "hidden": 3},
        "scoring": {"function": "location"}})"};

INSTANTIATE_TEST_SUITE_P(EveryForm, RandomSession, testing::ValuesIn(kDocuments));

// Steps whose views, pins, questions and edits fit some documents and not others, with numbers of
// files.
constexpr const char* kSteps = R"(, "lesson": [
    {"text": "{weights[1, 1]}", "view": {"head": 3, "layer": 2, "sample": 1}, "pins": "weights[1, 2]"},
    {"text": "a", "edit": {"mask": {"causal": true}}, "ask": "weights[2, :]"},
    {"text": "b", "edit": {"q": {"file": "q.npy"}}, "ask": "q[1, 0]", "view": {"plot": "flow"}},
    {"text": "c", "edit": {"projections": null, "blocks": 1, "heads": 1}, "ask": "weights[2, 2]"},
    {"text": "d", "edit": [{"op": "replace", "path": "/q/0/1", "value": 2}], "input": "/q/0/1",
     "layout": {"split": "down", "parts": [{"view": {"head": 1}}, {"view": {"plot": "links"}}]}},
    {"text": "e", "edit": {"k": {"file": "none.npy"}}, "view": {"attention": "self"}},
    {"text": "f", "edit": {"scoring": {"temperature": 2}}, "ask": ["weights[1, :]", "output[1, 0]"]},
    {"text": "g", "edit": {"v": {"file": "v.npy"}}, "pins": ["q[2, 1]", "weights[2, 1]"]}]})";

constexpr const char* kOfFiles =
    R"({"tokens": ["a", "b"], "q": {"file": "k.npy"}, "k": {"file": "k.npy"}, "v": [[1], [2]]})";

// Files of a document's folder, of which there are others in the working folder, of numbers that
// nothing else has.
class RandomLesson : public testing::TestWithParam<const char*> {
 protected:
  static constexpr float kOther = 12345.0F;

  RandomLesson() {
    for (const char* name : {"q.npy", "k.npy", "v.npy"}) write(own_.file(name), 1);
    std::filesystem::current_path(working_.path());
    for (const char* name : {"q.npy", "k.npy", "v.npy", "none.npy"}) write(name, kOther);
  }
  ~RandomLesson() override { std::filesystem::current_path(before_); }

  static void write(const std::string& path, float first) {
    const std::string numbers = test::float_npy("(2, 2)", {first, 2, 3, 4});
    EXPECT_TRUE(write_file_atomically(path, numbers, Overwrite::Replace).ok());
  }

  // The document with the steps, whose files have other numbers afterwards.
  Document read_lesson(std::string text) {
    if (text.starts_with('[')) text = R"({"tokens": )" + text + "}";
    text.erase(text.rfind('}'));
    ReadOptions options;
    options.folder = own_.path();
    options.lesson_faults = lesson_faults;
    const Document document = read_document(text + kSteps, "test", options).value().document;
    for (const char* name : {"q.npy", "k.npy", "v.npy", "none.npy"}) write(own_.file(name), kOther);
    return document;
  }

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
  test::TemporaryFolder own_, working_;
};

bool has_number(const Document& document, float number) {
  const TensorList tensors = tensors_of(document);
  return std::ranges::any_of(tensors, [&](const TensorInfo& info) {
    return std::ranges::count(info.tensor->values(), number) > 0;
  });
}

// The steps so far have documents and answers, and no text shows a number that is to be guessed.
void expect_consistent_lesson(const AppState& state) {
  const LessonState& lesson = state.lesson;
  ASSERT_LT(lesson.step, state.document.lesson.size());
  ASSERT_EQ(lesson.entered.size(), lesson.step + 1);
  ASSERT_EQ(lesson.written.size(), lesson.step + 1);
  ASSERT_EQ(lesson.answers.size(), state.document.lesson.size());
  if (!is_in_lesson(state) || !state.result) return;
  EXPECT_TRUE(lesson.concealed.empty() || !shown_answer(state).revealed);
  for (const NamedCells& cells : lesson.concealed) {
    for (const double number : numbers_in(*state.result, cells)) {
      EXPECT_TRUE(is_concealed(static_cast<float>(number)));
    }
  }
}

TEST_P(RandomLesson, StaysConsistentAndUndoesToTheLastBitWithoutReadingFiles) {
  const Document document = read_lesson(GetParam());
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SessionDriver session;
    session.open(document);
    const AppState& state = session.state;
    const Document original = state.document;
    CommandMaker make(seed);
    for (int i = 0; i < 60; ++i) {
      const std::size_t kind = make.below(6);
      session.send(kind == 0   ? make.edit(state.document)
                   : kind == 1 ? make.view()
                   : kind == 2 ? Command(command::StepEdit{make.coin() ? 1 : -1})
                               : make.lesson());
      if (make.coin()) session.settle();
      expect_consistent(state);
      expect_consistent_lesson(state);
      EXPECT_FALSE(has_number(state.document, kOther)) << "a file was read";
      if (HasFailure()) FAIL() << "seed " << seed;
    }
    expect_undone_and_redone(session, original);
    session.send(command::EndLesson{false});
    session.send(command::RestoreStep{});
    EXPECT_EQ(state.document, state.lesson.written.back());
    EXPECT_FALSE(differs_from_lesson(state));
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryForm, RandomLesson, testing::ValuesIn(kDocuments));
INSTANTIATE_TEST_SUITE_P(OfFiles, RandomLesson, testing::Values(kOfFiles));

}  // namespace
}  // namespace attn
