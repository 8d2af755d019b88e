// Formulas in the text of lessons, concealed numbers, the documents of steps.
#include "lesson/lesson.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "base/special_numbers.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/terms.h"
#include "lesson/concealed.h"
#include "tests/core/document/npy_bytes.h"

namespace attn {
namespace {

// The document at a step of its lesson.
Document document_at(const Document& first, std::size_t step) {
  Document document = first;
  for (std::size_t i = 0; i <= step; ++i) document = with_edit(document, first.lesson[i]).value();
  return document;
}

Result<Document> edited(const Document& document, const std::string& edit) {
  LessonStep step;
  step.edit = edit;
  return with_edit(document, step);
}

const Tensor& queries_of(const Document& document) { return std::get<GivenQkv>(document.model).q; }

constexpr const char* kLesson = R"({"tokens": ["I", "love", "cats"],
  "q": [[1, 0], [0, 2], [1, 1]], "k": [[1, 1], [0, 1], [2, 0]], "v": [[1, 0], [0, 1], [1, 1]],
  "lesson": [
    {"text": "{q[\"I\", 0]}", "pins": "weights[1, 1]"},
    {"text": "{weights[1, 2]:%}", "edit": {"mask": {"causal": true}}, "ask": "weights[\"love\", :]"},
    {"text": "x", "edit": [{"op": "replace", "path": "/q/0/1", "value": 5}]}]})";

struct Computed {
  Document document;
  ResultPtr result;
  FormulaScope scope() const { return {document, result, {}}; }
};

Computed computed(Document document) {
  ResultPtr result = compute(make_problem(document)).value();
  return {std::move(document), std::move(result)};
}

Computed computed(const std::string& json) {
  return computed(read_document(json, "lesson").value().document);
}

class LessonTest : public testing::Test {
 protected:
  std::string text(std::string_view written) {
    errors_.clear();
    return filled_text(written, of_.scope(), &errors_);
  }
  double weight(std::size_t q, std::size_t k) const {
    return static_cast<double>(of_.result->value(Stage::Weights, {}, q, k));
  }

  Computed of_ = computed(kLesson);
  std::vector<Error> errors_;
};

TEST_F(LessonTest, FormulasNestedToAnyDepthAreRefused) {
  for (const char* opening : {"(", "-", "2^", "exp("}) {
    std::string formula = "{";
    for (int i = 0; i < 100'000; ++i) formula += opening;
    text(formula + "1}");
    EXPECT_EQ(errors_.size(), 1U) << opening;
  }
}

TEST_F(LessonTest, AnEditMayNotMultiplyTheDocument) {
  const Result<Document> copied =
      edited(of_.document, R"([{"op": "copy", "from": "/q", "path": "/k"}])");
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().expected, "add, remove, replace, move or test");
}

TEST_F(LessonTest, FormulasReadTheNumbersOfTheDocument) {
  EXPECT_EQ(text("{scores[\"cats\", \"I\"]} = {q[3, 0]}·{k[1, 0]} + {q[3, 1]}·{k[1, 1]}"),
            "2 = 1·1 + 1·1");
  EXPECT_EQ(text("{sum(q[\"cats\", :] * k[\"I\", :])}"), "2");
  EXPECT_EQ(text("{scores[2, :]}"), "2, 2, 0");
  EXPECT_EQ(text("√d_k = {sqrt(d_k):.3}, {{n}} = {n_q}"), "√d_k = 1.414, {n}} = 3");
  EXPECT_EQ(text("{temperature}, {scale:.3}"), "1, 0.707");
  EXPECT_EQ(text("{-2^2 + 3 * (4 − 1) / 2}"), "0.5");
  EXPECT_EQ(text("{max(scores[:, :])} {min(scores[1, :])} {mean(scores[2, :]):.2}"), "2 0 1.33");
  const double share = std::exp(std::sqrt(2.0)) / (2 * std::exp(std::sqrt(2.0)) + 1.0);
  EXPECT_EQ(text("{weights[\"love\", 1]:.1%}"), "44.6\u00A0%");
  EXPECT_NEAR(weight(1, 0), share, 1e-6);
  EXPECT_EQ(text("{argmax(weights[\"I\", :])} {argmin(weights[:, \"cats\"])}"), "cats love");
  EXPECT_TRUE(errors_.empty());
}

TEST_F(LessonTest, AFormulaWithoutValueStaysAsWrittenAndIsNamed) {
  struct Case {
    const char *written, *message, *expected;
  };
  const Case cases[] = {
      {"{weights[\"dogs\", 1]}", "there is no token “dogs”", "1 to 3: I, love, cats"},
      {"{weights[4, 1]}", "there is no token 4", "1 to 3: I, love, cats"},
      {"{q[1, 2]}", "there is no feature 2", "0 to 1"},
      {"{wieghts[1, 1]}", "there is no stage wieghts", "one such as weights"},
      {"{sin(1)}", "there is no function sin", "one such as min"},
      {"{weights[head 2, 1, 1]}", "there is no such head", "1 to 1"},
      {"{1 +}", "the formula cannot be read", "a number or a name"},
      {"{1:abc}", "this number format is not known", "%, .2, .1% and the like"},
      {"{q[1, :] + scores[1, :]}", "different numbers of cells", "equal numbers, or one number"},
      {"{", "the formula cannot be read", "a number or a name"},
      {"{1 / 0}", "the formula has no finite value", "a number"},
      {"{sqrt(-1):.2}", "the formula has no finite value", "a number"},
      {"{ln(q[1, 1])}", "the formula has no finite value", "a number"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(text(one.written), one.written);
    ASSERT_EQ(errors_.size(), 1U) << one.written;
    EXPECT_NE(errors_.front().message.find(one.message), std::string::npos)
        << errors_.front().message;
    EXPECT_TRUE(errors_.front().expected.starts_with(one.expected)) << errors_.front().expected;
  }
  const std::string deep(1000, '(');
  text("{" + deep + "}");
  EXPECT_EQ(errors_.size(), 1U);
}

TEST_F(LessonTest, WhatIsHiddenIsInfiniteAndNoFault) {
  of_ = computed(document_at(of_.document, 1));
  EXPECT_EQ(text("{masked[1, :]} {max(masked[1, :])} {masked[1, 2] + 1}"),
            "0.707, −∞, −∞ 0.707 −∞");
  EXPECT_TRUE(errors_.empty());
  EXPECT_EQ(text("{masked[1, 2] - masked[1, 3]}"), "{masked[1, 2] - masked[1, 3]}");
  EXPECT_EQ(equal_shares(*cells_named("weights[2, :]", of_.scope()), of_.result),
            (std::vector{0.5, 0.5, 0.0}));
}

TEST_F(LessonTest, ConcealedCellsAreToldByNothing) {
  const std::vector<NamedCells> cells = cells_of({"weights[\"love\", :]"}, of_.scope());
  const ResultPtr hidden = concealed(of_.result, cells);
  std::vector<float> all(9);
  hidden->read(Stage::Weights, {}, {0, 0, 3, 3}, all.data());
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(is_concealed(all[i]), i / 3 == 1) << i;
  }
  EXPECT_EQ(hidden->value(Stage::Weights, {}, 2, 1), of_.result->value(Stage::Weights, {}, 2, 1));
  EXPECT_EQ(hidden->value(Stage::Scores, {}, 1, 1), of_.result->value(Stage::Scores, {}, 1, 1));
  const auto range = hidden->range(Stage::Weights, {});
  EXPECT_EQ(range->high, std::max(of_.result->value(Stage::Weights, {}, 0, 2),
                                  of_.result->value(Stage::Weights, {}, 2, 0)));
  const FormulaScope scope{of_.document, hidden, {}};
  EXPECT_EQ(filled_text("{weights[\"love\", 1]:%} {weights[2, :]}", scope), "?\u00A0% ?, ?, ?");
  EXPECT_EQ(filled_text("{sum(weights[2, :])}", scope), "?");
  EXPECT_EQ(filled_text("{weights[\"dog\", 1]:.1%}", scope), "?") << "a document that was changed";
  EXPECT_EQ(revealed(hidden), of_.result);
  EXPECT_EQ(revealed(concealed(hidden, {})), of_.result) << "concealed once only";
}

TEST_F(LessonTest, StepsChangeTheDocumentInOrder) {
  EXPECT_EQ(document_at(of_.document, 0), of_.document);
  const Document masked = document_at(of_.document, 1), last = document_at(of_.document, 2);
  EXPECT_TRUE(masked.mask.causal);
  EXPECT_TRUE(last.mask.causal) << "edits add up";
  EXPECT_EQ(last.lesson, of_.document.lesson);
  EXPECT_EQ(computed(last).result->value(Stage::Query, {}, 0, 1), 5.0F);
  const Result<Document> refused = edited(of_.document, R"({"q": [[1, 2]]})");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message, "");
  const Result<Document> nowhere =
      edited(of_.document, R"([{"op": "replace", "path": "/q/7/0", "value": 1}])");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message, "the edit does not fit the document");
}

TEST_F(LessonTest, FaultsNameTheStep) {
  EXPECT_TRUE(lesson_faults(of_.document).empty());
  Document wrong = of_.document;
  wrong.lesson[0].pins = {"weights[9, 1]", "weights[1, 1]", "weights[2, 1]"};
  wrong.lesson[1].edit = R"({"masc": {}})";
  wrong.lesson[2].text = "{nothing}";
  wrong.lesson[2].input = "/q/0/9";
  wrong.lesson[2].ask = {"weights[1, \"x\"]"};
  LessonStep& last = wrong.lesson.emplace_back();
  last.text = "{1/0}";
  last.ask = {"weights[:, :]"};
  std::get<Pane>(last.panes.emplace().layout).view.plot = "heatmop";
  wrong.lesson.emplace_back();
  const std::vector<Error> faults = lesson_faults(wrong);
  const std::pair<const char*, const char*> expected[] = {
      {"/lesson/0/pins", "there is no token 9"},
      {"/lesson/0/pins", "these are more cells than can be pinned"},
      {"/lesson/1/edit/masc", "masc"},
      {"/lesson/2/text", "{nothing}: there is no stage nothing"},
      {"/lesson/2/input", "there is no such number to change"},
      {"/lesson/2/ask", "there is no token “x”"},
      {"/lesson/3/text", "{1/0}: the formula has no finite value"},
      {"/lesson/3/view", "perhaps for \"heatmap\""},
      {"/lesson/3/ask", "these cells cannot be guessed"},
      {"/lesson/4/text", "the step has no text"}};
  ASSERT_EQ(faults.size(), std::size(expected));
  for (std::size_t i = 0; i < faults.size(); ++i) {
    EXPECT_EQ(faults[i].pointer, expected[i].first);
    EXPECT_NE(describe(faults[i]).find(expected[i].second), std::string::npos)
        << describe(faults[i]);
  }
}

// A document, its steps, and the fault of the last step: its pointer and message.
struct MissingCase {
  std::string document, steps, pointer, message;
};

TEST(LessonFaults, NameWhatViewsDoNotHave) {
  const std::string layer = R"("tokens": 2, "heads": 2)", blocks = R"("tokens": 3, "blocks": 2)",
                    batch = R"("tokens": [["a", "b"], ["c", "d"]])",
                    decoder = R"("query_tokens": 2, "key_tokens": 3, "blocks": 2)",
                    weights = R"("attention": [[[1, 0], [0, 1]]])",
                    qkv = R"("tokens": 2, "q": [[1], [0]], "k": [[1], [1]], "v": [[1], [2]])",
                    recurrent = R"("query_tokens": 2, "key_tokens": 2, "recurrent": {})";
  const std::string formula = R"({"text": "{weights[1, 1]} {sum(weights[:, :])}", )";
  const MissingCase cases[] = {
      {layer, formula + R"("view": {"head": 99}})", "/view/head",
       "there is no head 100; the document has 2"},
      {layer, formula + R"("view": {"layer": 5}})", "/view/layer",
       "there is no layer 6; the document has 1"},
      {batch, formula + R"("view": {"sample": 7}})", "/view/sample",
       "there is no sample 8; the document has 2"},
      {decoder, formula + R"("view": {"attention": "self", "layer": 2}})", "/view/layer",
       "there is no layer 3; the document has 2"},
      {weights, formula + R"("view": {"head": 1}})", "/view/head",
       "there is no head 2; the document has 1"},
      {weights, formula + R"("view": {"stage": "scores"}})", "/view/stage",
       "there is no stage scores"},
      {qkv, R"({"text": "x", "pins": ["weights[1, 1]"], "view": {"head": 1}})", "/view/head",
       "there is no head 2; the document has 1"},
      {recurrent, R"({"text": "x", "ask": "weights[1, :]", "view": {"layer": 3}})", "/view/layer",
       "there is no layer 4; the document has 1"},
      {layer, formula + R"("view": {"plot": "difference", "minus_head": 2}})", "/view/minus_head",
       "there is no head 3; the document has 2"},
      {layer, formula + R"("view": {"plot": "links", "token": "key 9"}})", "/view/token",
       "there is no token 10; the document has 2"},
      {layer, formula + R"("view": {"plot": "links", "heads": "0,4"}})", "/view/heads",
       "there is no head 5; the document has 2"},
      {layer,
       formula + R"("layout": {"split": "down", "parts": [{"view": {}}, {"view": {"head": 3}}]}})",
       "/layout", "there is no head 4; the document has 2"},
      {layer,
       R"({"text": "x", "view": {"head": 1}}, )" + formula + R"("edit": {"heads": 1}}, )" +
           R"({"text": "y"})",
       "/edit", "there is no head 2; the document has 1"},
      {layer,
       R"({"text": "x", "view": {"head": 1}}, )" + formula +
           R"("edit": {"projections": null, "blocks": 1,
       "heads": 1}})",
       "/edit", "there is no head 2; the document has 1"},
      {blocks, R"({"text": "x", "view": {"layer": 1}}, )" + formula + R"("edit": {"blocks": 1}})",
       "/edit", "there is no layer 2; the document has 1"}};
  for (const auto& [document, steps, pointer, message] : cases) {
    const std::string text = "{" + document + R"(, "lesson": [)" + steps + "]}";
    Document read = read_document(text, "f.json").value().document;
    const std::vector<Error> faults = lesson_faults(read);
    ASSERT_EQ(faults.size(), 1U) << text << (faults.empty() ? "" : describe(faults.back()));
    EXPECT_TRUE(faults[0].pointer.ends_with(pointer)) << faults[0].pointer << "\n" << text;
    EXPECT_EQ(faults[0].message, message) << text;
    EXPECT_EQ(faults[0].kind, ErrorKind::BadInput);
  }
}

TEST(LessonFaults, HaveTheLinesOfTheFile) {
  ReadOptions options;
  options.lesson_faults = lesson_faults;
  const std::string text = R"({"tokens": ["I", "love"], "q": [[1], [0]], "k": [[1], [1]],
    "lesson": [
      {"text": "a"},
      {"text": ["b",
                "{c}"],
       "edit": {"mask": {"causal": true},
                "q": [[1], [2, 3]]}}]})";
  const std::vector<Error> faults = read_document(text, "f.json", options)->lesson_faults;
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].pointer, "/lesson/1/edit/q/1");
  EXPECT_EQ(faults[0].line, 7U);
  EXPECT_EQ(faults[1].line, 4U);
  EXPECT_EQ(faults[1].file, "f.json");
  EXPECT_FALSE(read_document(R"({"tokens": ["I"], "lesson": []})", "f.json"));
}

TEST_F(LessonTest, FormulasOfOneTextReadSomeThousandNumbers) {
  const auto times = [](std::size_t count, const std::string& part) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += part;
    return all;
  };
  text(times(1820, "{sum(weights[:, :])}"));  // 9 numbers each
  EXPECT_TRUE(errors_.empty());
  text(times(3000, "{sum(weights[:, :])}"));
  ASSERT_EQ(errors_.size(), kMostErrors);
  EXPECT_NE(describe(errors_[0]).find("reads too many numbers, expected at most 16,384"),
            std::string::npos)
      << describe(errors_[0]);
  text("{" + times(3000, "weights[:, :]^") + "1}");
  EXPECT_EQ(errors_.size(), 1U);
  Document asks = of_.document;
  asks.lesson = {of_.document.lesson[0]};
  asks.lesson[0].ask.assign(200'000, "weights[1, 1]");
  const std::vector<Error> faults = lesson_faults(asks);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].message, "these are too many cells");
  text("{weights[\"" + std::string(5'000'000, 'y') + "\", 1]}");
  EXPECT_LT(describe(errors_.at(0)).size(), 1000U);
  const std::string filled = text(times(400, "{q[:, :] * 10^300:.9}"));
  ASSERT_FALSE(errors_.empty());
  EXPECT_LT(filled.size(), 300'000U);
  EXPECT_NE(errors_[0].message.find("longer than"), std::string::npos) << errors_[0].message;
}

TEST(LessonFaults, LimitStepsMemoryAndTime) {
  std::string steps = R"({"text": "x"})";
  for (int i = 0; i < 1000; ++i) steps += R"(, {"text": "x"})";
  const auto many = read_document(R"({"tokens": 2, "lesson": [)" + steps + "]}", "f.json");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().pointer, "/lesson/1000");
  const std::pair<const char*, ErrorKind> limited[] = {
      {R"({"tokens": 3, "lesson": [{"text": "x",
           "edit": {"embeddings": null, "projections": null, "d_model": 2500}}]})",
       ErrorKind::OverMemoryLimit},
      {R"({"tokens": 3, "lesson": [{"text": "x",
           "edit": {"tokens": null, "query_tokens": 4000, "key_tokens": 4000, "embeddings": null,
                    "projections": null, "d_model": 4000}}]})",
       ErrorKind::OverMemoryLimit},
      {R"({"tokens": 3, "lesson": [{"text": "x",
           "edit": {"embeddings": null, "projections": null, "blocks": 9999, "d_model": 64}}]})",
       ErrorKind::OverMemoryLimit},
      {R"({"tokens": 3, "lesson": [{"text": "x"}, {"text": "x",
           "edit": {"tokens": 60000, "embeddings": null}}, {"text": "x"}]})",
       ErrorKind::BadInput}};
  for (const auto& [text, kind] : limited) {
    Document document = read_document(text, "f.json").value().document;
    const std::vector<Error> faults = lesson_faults(document);
    ASSERT_EQ(faults.size(), 1U) << text;
    EXPECT_EQ(faults[0].kind, kind) << describe(faults[0]);
  }
}

TEST_F(LessonTest, LargeArraysAreSharedAndReplacedAsAWhole) {
  const Document large =
      read_document(R"({"tokens": 300, "d_model": 300})", "f.json").value().document;
  const Document titled = edited(large, R"({"title": "z"})").value();
  EXPECT_EQ(titled.title, "z");
  EXPECT_TRUE(embeddings_of(titled.model)->query.shares_with(embeddings_of(large.model)->query));
  EXPECT_EQ(edited(large, R"({"seed": 1})").value(), large);
  const Result<Document> cell =
      edited(large, R"([{"op": "replace", "path": "/embeddings/0/0", "value": 1}])");
  ASSERT_FALSE(cell);
  EXPECT_NE(cell.error().expected.find("the whole of a large array"), std::string::npos);
  EXPECT_TRUE(edited(large, R"({"embeddings": null, "seed": 7})"));
}

// A lesson with numbers of files; the working folder has others of the same names.
class LessonFilesTest : public testing::Test {
 protected:
  LessonFilesTest() : before_(std::filesystem::current_path()) {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_ + "/..");
    put("q.npy", 5.0F);
    put("r.npy", 7.0F);
    put("lesson/q.npy", 1.0F);
    put("lesson/r.npy", 2.0F);
    options_.folder = folder_;
    options_.lesson_faults = lesson_faults;
  }
  ~LessonFilesTest() override { std::filesystem::current_path(before_); }

  static void put(const std::string& path, float number) {
    const std::string bytes = test::float_npy("(2, 2)", {number, 0.0F, 0.0F, number});
    ASSERT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace).ok());
  }
  Reading read(const std::string& edits) const {
    const std::string text = R"({"tokens": ["a", "b"], "q": {"file": "q.npy"},
      "k": [[1, 0], [0, 1]], "v": [[1, 0], [0, 1]], "lesson": [{"text": "{q[2, 1]}"}, )" +
                             edits + "]}";
    return read_document(text, "l.json", options_).value();
  }

  std::string folder_ = testing::TempDir() + "lesson_files/lesson";
  std::filesystem::path before_;
  ReadOptions options_;
};

TEST_F(LessonFilesTest, HaveThoseOfTheirFolder) {
  const Reading reading = read(R"({"text": "x", "edit": {"mask": {"causal": true}}},
      {"text": "x", "edit": {"q": {"file": "r.npy"}}},
      {"text": "x", "edit": [{"op": "add", "path": "/title", "value": "t"}]})");
  EXPECT_TRUE(reading.lesson_faults.empty());
  const Document& first = reading.document;
  std::filesystem::remove_all(folder_);  // steps open nothing any more
  const Document masked = document_at(first, 1), other = document_at(first, 3);
  EXPECT_TRUE(masked.mask.causal);
  EXPECT_TRUE(queries_of(masked).shares_with(queries_of(first)));
  ASSERT_NE(queries_of(masked).origin(), nullptr);
  EXPECT_EQ(queries_of(masked)[0], 1.0F) << "not 5, which lies in the working folder";
  EXPECT_EQ(queries_of(other)[0], 2.0F);
  EXPECT_EQ(other.title, "t");
  const Result<Document> unread = edited(first, R"({"k": {"file": "r.npy"}})");
  ASSERT_FALSE(unread);
  EXPECT_NE(unread.error().message.find("was not read"), std::string::npos);
}

TEST_F(LessonFilesTest, AreRefusedOutsideOfItAndWhereThereAreNone) {
  for (const char* const file : {"../q.npy", "/etc/passwd", "none.npy", "q.npy/"}) {
    const Reading reading =
        read(R"({"text": "x", "edit": {"k": {"file": ")" + std::string(file) + R"("}}})");
    ASSERT_EQ(reading.lesson_faults.size(), 1U) << file;
    const Error& fault = reading.lesson_faults[0];
    EXPECT_EQ(fault.pointer, "/lesson/1/edit/k") << file;
    EXPECT_EQ(fault.kind, ErrorKind::BadInput) << file;
    EXPECT_NE(fault.message.find(file), std::string::npos) << fault.message;
  }
}

TEST(Divergence, IsThatOfKullbackAndLeibler) {
  EXPECT_EQ(divergence({0.5, 0.5}, {0.5, 0.5}), 0.0);
  EXPECT_NEAR(divergence({0.75, 0.25}, {0.5, 0.5}), 0.75 * std::log(1.5) + 0.25 * std::log(0.5),
              1e-12);
  EXPECT_TRUE(std::isinf(divergence({1.0, 0.0}, {0.0, 1.0})));
  EXPECT_EQ(divergence({1.0, 0.0}, {1.0, 0.0}), 0.0) << "0 · ln 0 is 0";
}

// Outputs and values together would reveal the weights.
TEST(ConcealedNumbers, AreNotToldByWhatTheyMake) {
  for (const char* const text :
       {R"({"tokens": 3, "heads": 2})", R"({"tokens": 3, "heads": 2, "blocks": 2})",
        R"({"query_tokens": 3, "key_tokens": 2, "recurrent": {}})"}) {
    Computed of = computed(std::string(text));
    const ResultPtr whole = of.result;
    of.result = concealed(whole, cells_of({"weights[2, :]"}, of.scope()));
    for (const Stage stage : whole->stages()) {
      const bool makes = stage >= Stage::Weights && stage <= Stage::BlockOutput;
      if (!makes && stage != Stage::DecoderOutput) continue;
      EXPECT_TRUE(is_concealed(of.result->value(stage, {}, 1, 0))) << stage_info(stage).name;
      EXPECT_EQ(of.result->value(stage, {}, 0, 0), whole->value(stage, {}, 0, 0));
    }
    EXPECT_EQ(of.result->value(Stage::Scores, {}, 1, 0), whole->value(Stage::Scores, {}, 1, 0));
  }
}

// A logit is one step away from a score, and each weight of its row one from the logits.
TEST(ConcealedNumbers, OfScoresAndOfKeysAreNotToldByLaterStages) {
  const auto is_told = [](const Computed& of, Stage stage, std::size_t row, std::size_t col,
                          const HeadAddress& at = {}) {
    return !is_concealed(of.result->value(stage, at, row, col));
  };
  Computed score = computed(std::string(R"({"tokens": 3, "heads": 2, "blocks": 2})"));
  ASSERT_FALSE(score_terms(*score.result, {}, 1, 0).empty());
  score.result = concealed(score.result, cells_of({"scores[2, 1]"}, score.scope()));
  EXPECT_TRUE(score_terms(*score.result, {}, 1, 0).empty()) << "they would give it away";
  for (const Stage stage : {Stage::Scores, Stage::Scaled, Stage::Masked}) {
    EXPECT_FALSE(is_told(score, stage, 1, 0)) << stage_info(stage).name;
    EXPECT_TRUE(is_told(score, stage, 1, 1)) << stage_info(stage).name;
  }
  EXPECT_FALSE(is_told(score, Stage::Weights, 1, 2)) << "its row sums to 1";
  EXPECT_TRUE(is_told(score, Stage::Weights, 0, 2));
  EXPECT_FALSE(is_told(score, Stage::Output, 1, 0));
  EXPECT_TRUE(is_told(score, Stage::Key, 1, 0)) << "a question is answered from what comes before";
  EXPECT_FALSE(is_told(score, Stage::BlockInput, 1, 0, {1, 0, 0})) << "the output of the block";
  EXPECT_TRUE(is_told(score, Stage::Output, 1, 0, {0, 0, 1})) << "another head";
  Computed key = computed(std::string(R"({"tokens": 3, "heads": 2})"));
  key.result = concealed(key.result, cells_of({"k[2, 1]"}, key.scope()));
  EXPECT_FALSE(is_told(key, Stage::Scores, 0, 2));
  EXPECT_TRUE(is_told(key, Stage::Query, 1, 0));
  EXPECT_TRUE(is_told(key, Stage::Value, 1, 0));
  Computed value = computed(std::string(R"({"tokens": 3, "heads": 2})"));
  value.result = concealed(value.result, cells_of({"v[2, 1]"}, value.scope()));
  EXPECT_TRUE(is_told(value, Stage::Weights, 1, 1));
  EXPECT_FALSE(is_told(value, Stage::Output, 0, 0));
}

// A decoder's block attends to its own rows first, then to the keys.
TEST(ConcealedNumbers, OfADecoderAreNotToldByLaterAttentions) {
  const auto with = [](const HeadAddress& at) {
    Computed of = computed(std::string(R"({"query_tokens": 3, "key_tokens": 2, "blocks": 2})"));
    of.result = concealed(of.result, {{Stage::Weights, at, {1, 0, 1, 2}}});
    return of;
  };
  const auto is_hidden = [](const Computed& of, Stage stage, const HeadAddress& at) {
    return is_concealed(of.result->value(stage, at, 1, 0));
  };
  const HeadAddress self{.attention = kSelfAttention}, cross{};
  const Computed first = with(self), last = with(cross);
  EXPECT_TRUE(is_hidden(first, Stage::Weights, cross));
  EXPECT_TRUE(is_hidden(first, Stage::BlockOutput, cross));
  EXPECT_FALSE(is_hidden(last, Stage::Weights, self)) << "it comes before";
  EXPECT_TRUE(is_hidden(last, Stage::BlockOutput, cross));
  EXPECT_TRUE(is_hidden(last, Stage::Weights, self.moved_to(1, 0, 0)));
}

TEST(ConcealedNumbers, HaveNoLargestPlace) {
  Computed of = computed(kLesson);
  of.result = concealed(of.result, cells_of({"weights[\"I\", :]"}, of.scope()));
  EXPECT_EQ(filled_text("{argmax(weights[1, :])} {max(weights[1, :])}", of.scope()), "? ?");
}

}  // namespace
}  // namespace attn
