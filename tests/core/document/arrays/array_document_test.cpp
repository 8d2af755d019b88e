// Array files as documents, and arrays of such files in documents.
#include <gtest/gtest.h>

#include "base/files.h"
#include "document/json/write.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

using test::bytes_of;
using test::float_npy;
using test::zip_of;

const std::vector<float> kMap{0.75F, 0.25F, 0.5F, 0.5F};

class ArrayDocument : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = folder.file(name);
    EXPECT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace).ok());
    return path;
  }

  Reading opened(const std::string& name, const std::string& bytes) const {
    const Result<Reading> reading = open_document(write(name, bytes));
    if (!reading) ADD_FAILURE() << describe(reading.error());
    return reading ? *reading : Reading{};
  }

  test::TemporaryFolder folder;
};

std::string stacked_archive() {
  return zip_of({{"layers.10.attn.npy", float_npy("(1, 2, 2)", {1, 0, 0, 1})},
                 {"layers.2.attn.npy", float_npy("(1, 2, 2)", kMap)},
                 {"extra.npy", float_npy("(3,)", {1, 2, 3})}});
}

TEST_F(ArrayDocument, LayersAreStackedByTheirNumbers) {
  const Reading reading = opened("run.npz", stacked_archive());
  const auto& given = std::get<GivenWeights>(reading.document.model);
  EXPECT_EQ(given.weights.shape(), (Shape{2, 1, 2, 2}));
  EXPECT_EQ(shape_of(reading.document).layers, 2U);
  EXPECT_EQ(given.weights[0], 0.75F) << "layer 2 comes before layer 10";
  EXPECT_EQ(given.weights[4], 1.0F);
  ASSERT_FALSE(reading.notes.empty());
  EXPECT_EQ(reading.notes.front(),
            "`layers.*.attn` (2 × 1 × 2 × 2): attention, 2 layers (2, 10) of 2 × 2 (an axis of "
            "1 is that of samples) · `extra` (3): not used");
}

using Numbers = std::vector<std::uint64_t>;

TEST_F(ArrayDocument, NumbersOfLayersAreKeptWhereTheySayMoreThanTheirOrder) {
  EXPECT_EQ(opened("run.npz", stacked_archive()).document.layer_numbers, (Numbers{2, 10}));
  const std::string map = float_npy("(1, 2, 2)", kMap);
  const auto numbers = [&](const std::vector<std::string>& names) {
    std::vector<test::ZipEntry> arrays;
    for (const std::string& name : names) arrays.push_back({name + ".npy", map});
    return opened("other.npz", zip_of(arrays)).document.layer_numbers;
  };
  EXPECT_EQ(numbers({"blocks.0.attn", "blocks.1.attn"}), Numbers{}) << "they count the layers";
  EXPECT_EQ(numbers({"blocks.1.attn", "blocks.2.attn"}), (Numbers{1, 2}));
  EXPECT_EQ(numbers({"blocks.7.attn"}), Numbers{}) << "one array need not be a layer";
  EXPECT_EQ(numbers({"layers.3.q", "layers.7.q", "layers.3.k", "layers.7.k"}), (Numbers{3, 7}));
}

TEST_F(ArrayDocument, WhatWasReadIsWrittenAsAReference) {
  Reading reading = opened("run.npz", stacked_archive());
  const std::string text = write_document(reading.document);
  EXPECT_NE(text.find(R"({"file": "run.npz", "array": ["layers.2.attn", "layers.10.attn"]})"),
            std::string::npos)
      << text;
  ReadOptions options;
  options.folder = folder.path();
  const Result<Reading> again = read_document(text, "again", options);
  ASSERT_TRUE(again.ok()) << describe(again.error());
  EXPECT_EQ(again->document, reading.document);
}

TEST_F(ArrayDocument, QueriesKeysAndValuesAreFoundByTheirNames) {
  const Reading reading =
      opened("qkv.npz", zip_of({{"keys.npy", float_npy("(2, 2)", {1, 2, 3, 4})},
                                {"query.npy", float_npy("(2, 2)", {5, 6, 7, 8}), true},
                                {"hook_v.npy", float_npy("(2, 2)", {9, 10, 11, 12})}}));
  const auto& given = std::get<GivenQkv>(reading.document.model);
  EXPECT_EQ(given.q[0], 5.0F);
  EXPECT_EQ(given.k[0], 1.0F);
  EXPECT_EQ(given.v[0], 9.0F);
}

std::string numbered(const std::string& shape, std::size_t count, float first) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i);
  return float_npy(shape, values);
}

TEST_F(ArrayDocument, QueriesKeysAndValuesOfLayersAreStacked) {
  const Reading reading =
      opened("qkv.npz", zip_of({{"layers.1.q.npy", numbered("(2, 3, 2)", 12, 100)},
                                {"layers.0.q.npy", numbered("(2, 3, 2)", 12, 0)},
                                {"layers.0.k.npy", numbered("(1, 3, 2)", 6, 0)},
                                {"layers.1.k.npy", numbered("(1, 3, 2)", 6, 50)},
                                {"layers.0.v.npy", numbered("(1, 3, 1)", 3, 0)},
                                {"layers.1.v.npy", numbered("(1, 3, 1)", 3, 70)}}));
  const AttentionShape shape = shape_of(reading.document);
  EXPECT_EQ(shape.layers, 2U);
  EXPECT_EQ(shape.heads, 2U);
  EXPECT_EQ(shape.kv_heads, 1U);
  const auto& given = std::get<GivenQkv>(reading.document.model);
  EXPECT_EQ(given.q[12], 100.0F);
  EXPECT_EQ(given.v[3], 70.0F);
  ReadOptions options;
  options.folder = folder.path();
  const std::string text = write_document(reading.document);
  EXPECT_NE(text.find(R"({"file": "qkv.npz", "array": ["layers.0.k", "layers.1.k"]})"),
            std::string::npos)
      << text;
  const Result<Reading> again = read_document(text, "again", options);
  ASSERT_TRUE(again.ok()) << describe(again.error());
  EXPECT_EQ(again->document, reading.document);
}

TEST_F(ArrayDocument, HooksRecordTheHeadsBehindTheTokens) {
  const Reading reading =
      opened("hooks.npz", zip_of({{"blocks.0.attn.hook_q.npy", numbered("(1, 3, 2, 1)", 6, 0)},
                                  {"blocks.1.attn.hook_q.npy", numbered("(1, 3, 2, 1)", 6, 10)},
                                  {"blocks.0.attn.hook_k.npy", numbered("(1, 3, 2, 1)", 6, 0)},
                                  {"blocks.1.attn.hook_k.npy", numbered("(1, 3, 2, 1)", 6, 0)}}));
  const AttentionShape shape = shape_of(reading.document);
  EXPECT_EQ(shape.layers, 2U);
  EXPECT_EQ(shape.heads, 2U);
  EXPECT_EQ(shape.n_q, 3U);
  EXPECT_EQ(std::get<GivenQkv>(reading.document.model).q[1], 2.0F) << "token 2 of head 1";
  ASSERT_FALSE(reading.notes.empty());
  EXPECT_EQ(reading.notes.front().find("`blocks.*.attn.hook_q` (2 × 1 × 3 × 2 × 1): queries, 2 "
                                       "layers (0 to 1) of 2 heads of 3 × 3, without values"),
            0U)
      << reading.notes.front();
}

std::string with_note(const std::string& note, const std::string& arrays) {
  std::string escaped;
  for (const char c : note) escaped += c == '"' ? "\\\"" : std::string(1, c);
  return R"({"__metadata__": {"attnscope": ")" + escaped + R"("}, )" + arrays + "}";
}

TEST_F(ArrayDocument, NumbersOfLayersInTheNoteAreKeptIfTheyFit) {
  const auto numbers = [&](const std::string& layers) {
    const std::string header = with_note(
        R"({"layers": )" + layers + "}",
        R"("attention": {"dtype": "F32", "shape": [2, 1, 1, 1], "data_offsets": [0, 8]})");
    return opened("noted.safetensors", test::safetensors(header, bytes_of<float>({1, 1})))
        .document.layer_numbers;
  };
  EXPECT_EQ(numbers("[3, 11]"), (Numbers{3, 11}));
  EXPECT_EQ(numbers("[11, 3]"), (Numbers{11, 3})) << "in their order";
  EXPECT_EQ(numbers("[1, 0]"), (Numbers{1, 0}));
  EXPECT_EQ(numbers("[3]"), Numbers{3}) << "of one layer of two heads";
  for (const char* other : {"[0, 1]", "[3, 3]", "[-1, 2]", "[0.5, 2]", "7", "[]", "{}"}) {
    EXPECT_EQ(numbers(other), Numbers{}) << other;
  }
}

TEST_F(ArrayDocument, TheNoteNamesTheAxesOfQueriesAndKeys) {
  const std::string arrays =
      R"("q": {"dtype": "F32", "shape": [2, 3, 2, 1], "data_offsets": [0, 48]}, )"
      R"("k": {"dtype": "F32", "shape": [2, 3, 1, 1], "data_offsets": [48, 72]})";
  const std::string numbers =
      bytes_of<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) + bytes_of<float>({1, 2, 3, 4, 5, 6});
  const Reading reading =
      opened("run.safetensors",
             test::safetensors(with_note(R"({"title": "", "layers": [4, 8], "axes": {)"
                                         R"("q": ["layers", "queries", "heads", "features"], )"
                                         R"("k": ["layers", "keys", "heads", "features"]}})",
                                         arrays),
                               numbers));
  const AttentionShape shape = shape_of(reading.document);
  EXPECT_EQ(shape.layers, 2U);
  EXPECT_EQ(shape.layer_numbers, (Numbers{4, 8}));
  EXPECT_EQ(shape.heads, 2U);
  EXPECT_EQ(shape.kv_heads, 1U);
  EXPECT_EQ(shape.n_k, 3U);
  EXPECT_EQ(reading.document.title, "");
  EXPECT_NE(write_document(reading.document).find(R"("title": "")"), std::string::npos);
  const Result<Reading> other = open_document(write(
      "other.safetensors",
      test::safetensors(with_note(R"({"axes": {"q": ["layers", "queries", "heads", "features"], )"
                                  R"("k": ["layers", "heads", "keys", "features"]}})",
                                  arrays),
                        numbers)));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "the heads of q are not a multiple of those of k");
}

TEST_F(ArrayDocument, TheNoteHasAMaskAsDocumentsDo) {
  const auto read = [&](const std::string& mask) {
    return open_document(
        write("run.safetensors",
              test::safetensors(
                  with_note(R"({"mask": )" + mask + "}",
                            R"("w": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]})"),
                  bytes_of<float>({1}))));
  };
  EXPECT_EQ(read(R"({"sink_tokens": 1, "window": [2, 0]})")->document.mask.window->left, 2U);
  for (const char* mask : {R"({"windw": 3})", R"({"bias": {"file": "/etc/passwd"}})"}) {
    const Result<Reading> wrong = read(mask);
    ASSERT_FALSE(wrong) << mask;
    EXPECT_NE(wrong.error().file.find("run.safetensors"), std::string::npos);
  }
}

TEST_F(ArrayDocument, MasksAreTakenWhereTheyFit) {
  const test::ZipEntry q{"q.npy", numbered("(2, 2)", 4, 0)}, k{"k.npy", numbered("(2, 2)", 4, 0)};
  const test::ZipEntry mask{"mask.npy", test::npy("|b1", "(2, 2)", std::string("\1\0\1\1", 4))};
  const Mask taken =
      opened("a.npz", zip_of({q, k, mask, {"bias.npy", float_npy("(1, 1, 2, 2)", kMap)}}))
          .document.mask;
  EXPECT_EQ(taken.visible[1], 0);
  EXPECT_EQ(taken.bias[0], 0.75F);
  const Reading other = opened("b.npz", zip_of({q,
                                                k,
                                                mask,
                                                {"bias.npy", numbered("(3, 3)", 9, 0)},
                                                {"extra.npy", numbered("(3,)", 3, 0)}}));
  EXPECT_FALSE(other.document.mask.visible.empty());
  EXPECT_TRUE(other.document.mask.bias.empty());
  ASSERT_FALSE(other.notes.empty());
  EXPECT_NE(other.notes.front().find("`bias` (3 × 3): not used: does not fit 2 queries and 2 keys"),
            std::string::npos)
      << other.notes.front();
  const Reading floats = opened("c.npz", zip_of({q, k, {"mask.npy", float_npy("(2, 2)", kMap)}}));
  EXPECT_TRUE(floats.document.mask.visible.empty());
  EXPECT_NE(floats.notes.front().find("`mask` (2 × 2): not used: 0.25 to 0.75 is neither"),
            std::string::npos)
      << floats.notes.front();
}

TEST_F(ArrayDocument, ALoneArrayMayBeQueriesAndKeys) {
  ReadOptions options;
  options.arrays = "q=attention k=attention";
  const Result<Reading> reading = open_document(
      write("one.npz", zip_of({{"attention.npy", float_npy("(2, 2)", kMap)}})), options);
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(std::get<GivenQkv>(reading->document.model).k[1], 0.25F);
}

TEST_F(ArrayDocument, WordsThatCannotBeFollowedAreRefused) {
  const std::string path = write("plain.npz", zip_of({{"attention.npy", float_npy("(2, 2)", kMap)},
                                                      {"f.npy", float_npy("(2, 2)", kMap)}}));
  for (const char* words : {"heads=0", "heads=-1", "heads=99999999999999999999", "mask=f",
                            "attention=attention,attention"}) {
    ReadOptions options;
    options.arrays = words;
    const Result<Reading> reading = open_document(path, options);
    ASSERT_FALSE(reading.ok()) << words;
    EXPECT_FALSE(reading.error().found.empty()) << words;
    EXPECT_FALSE(reading.error().expected.empty()) << words;
  }
}

TEST_F(ArrayDocument, OddArraysAreNamedBesideThoseThatAreRead) {
  const test::ZipEntry odd{"meta.npy", test::npy("|O", "()", std::string(8, '\1'))};
  const test::ZipEntry empty{"none.npy", float_npy("(0, 4)", {})};
  const Reading reading =
      opened("mixed.npz", zip_of({{"attention.npy", float_npy("(2, 2)", kMap)}, odd, empty}));
  ASSERT_FALSE(reading.notes.empty());
  const std::string& note = reading.notes.front();
  EXPECT_NE(note.find("`meta`: not read: the elements are objects of Python, which are never "),
            std::string::npos)
      << note;
  EXPECT_NE(note.find("`none`: not read: the array is empty, (0, 4)"), std::string::npos) << note;
  const Result<Reading> wanted = open_document(
      write("wanted.npz", zip_of({{"attention.npy", test::npy("<c8", "(1,)", std::string(8, '\0'))},
                                  {"other.npy", float_npy("(2, 2)", kMap)}})));
  ASSERT_FALSE(wanted.ok());
  EXPECT_NE(wanted.error().message.find("`attention` is not read"), std::string::npos)
      << describe(wanted.error());
}

TEST_F(ArrayDocument, AnEmptyArrayIsSaidToBeEmpty) {
  const std::string header =
      R"({"attention": {"dtype": "F32", "shape": [2, 0], "data_offsets": [0, 0]}})";
  for (const auto& path : {write("a.safetensors", test::safetensors(header, "")),
                           write("a.gguf", test::gguf({{"attention", {0, 2}, 0, ""}}))}) {
    const Result<Reading> reading = open_document(path);
    ASSERT_FALSE(reading.ok()) << path;
    EXPECT_EQ(reading.error().found, "empty, (2, 0)") << path;
  }
}

TEST_F(ArrayDocument, AnArrayOfAnyDepthIsRefusedOrRead) {
  for (const char* shape : {"(2,)", "(1, 1, 1, 1, 1, 1, 2)"}) {
    const Result<Reading> reading = open_document(write(
        "deep.npz",
        zip_of({{"attention.npy", numbered(shape, 2, 0)}, {"extra.npy", numbered("(3,)", 3, 0)}})));
    ASSERT_FALSE(reading) << shape;
    EXPECT_NE(reading.error().message.find("number of axes"), std::string::npos);
  }
}

TEST_F(ArrayDocument, TheNoteOfAFileNamesTokensTitleAndMask) {
  const std::string header =
      R"({"__metadata__": {"attnscope": "{\"tokens\": [\"I\", \"see\"], \"title\": \"Two\", )"
      R"(\"causal\": true, \"axes\": {\"attention\": [\"layers\", \"queries\", \"keys\"]}}"}, )"
      R"("attention": {"dtype": "F32", "shape": [1, 2, 2], "data_offsets": [0, 16]}})";
  const Reading reading =
      opened("run.safetensors", test::safetensors(header, bytes_of<float>({1, 0, 0.5F, 0.5F})));
  EXPECT_EQ(reading.document.title, "Two");
  EXPECT_EQ(reading.document.query_tokens.front().texts(), (std::vector<std::string>{"I", "see"}));
  EXPECT_TRUE(reading.document.mask.causal);
  EXPECT_EQ(shape_of(reading.document).layers, 1U);
  EXPECT_EQ(std::get<GivenWeights>(reading.document.model).axes.front(), Extent::Layers);
}

TEST_F(ArrayDocument, TokensOfTextAndOfNumbersNameRowsAndColumns) {
  const std::u32string letters = U"ab";
  const std::string text(reinterpret_cast<const char*>(letters.data()), 8);
  EXPECT_EQ(opened("a.npz", zip_of({{"attention.npy", float_npy("(2, 2)", kMap)},
                                    {"tokens.npy", test::npy("<U1", "(2,)", text)}}))
                .document.query_tokens.front()
                .texts(),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(opened("b.npz", zip_of({{"attention.npy", float_npy("(2, 2)", kMap)},
                                    {"input_ids.npy",
                                     test::npy("<i8", "(2,)", bytes_of<std::int64_t>({101, 7}))}}))
                .document.query_tokens.front()
                .texts(),
            (std::vector<std::string>{"101", "7"}));
}

TEST_F(ArrayDocument, WithoutAMeaningNamesWhatIsThere) {
  const Result<Reading> reading = open_document(
      write("w.npz",
            zip_of({{"wte.npy", numbered("(2, 2)", 4, 2)}, {"wpe.npy", float_npy("(4,)", kMap)}})));
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().found, "wte (2, 2), wpe (4)");
  EXPECT_NE(reading.error().hint.find("\"array\""), std::string::npos);
}

TEST_F(ArrayDocument, AReferenceChoosesAnArrayByItsName) {
  write("w.npz",
        zip_of({{"a.npy", float_npy("(2, 2)", kMap)}, {"b.npy", float_npy("(4,)", kMap)}}));
  const auto read = [&](const std::string& reference) {
    ReadOptions options;
    options.folder = folder.path();
    return read_document(R"({"attention": {"file": "w.npz")" + reference + "}}", "d", options);
  };
  EXPECT_TRUE(read(R"(, "array": "a")").ok());
  const Result<Reading> none = read("");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().expected.find("\"array\" with one of their names: a, b"),
            std::string::npos)
      << describe(none.error());
  const Result<Reading> unknown = read(R"(, "array": "aa")");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("no array of this name"), std::string::npos);
}

ArrayMeanings named(const std::vector<std::string>& names) {
  std::vector<ArrayFacts> arrays;
  for (const std::string& name : names) arrays.push_back({name, "float32", {2, 2}});
  return meanings_of(choices_of(arrays));
}

TEST(ArrayNames, OfLibrariesAreKnown) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(named({"blocks.1.attn.hook_pattern", "blocks.0.attn.hook_pattern"}).attention,
            (Names{"blocks.0.attn.hook_pattern", "blocks.1.attn.hook_pattern"}));
  EXPECT_EQ(named({"blocks.0.attn.hook_q", "blocks.0.attn.hook_rot_q"}).q,
            Names{"blocks.0.attn.hook_rot_q"});
  EXPECT_EQ(named({"model.layers.3.self_attn.q", "model.layers.3.self_attn.q_proj.weight"}).q,
            Names{"model.layers.3.self_attn.q"});
  EXPECT_EQ(named({"attentions"}).attention, Names{"attentions"});
  EXPECT_EQ(named({"sparse_metadata", "other_metadata"}).attention, Names{});
}

class SaidArrays : public ArrayDocument {
 protected:
  Result<Reading> read(const std::string& path, const std::string& words) const {
    ReadOptions options;
    options.arrays = words;
    return open_document(path, options);
  }
};

TEST_F(SaidArrays, AreReadAsTheWordsSay) {
  const std::string path = write("cube.npz", zip_of({{"w.npy", numbered("(2, 2, 2)", 8, 0)},
                                                     {"x.npy", numbered("(3, 2)", 6, 0)},
                                                     {"y.npy", numbered("(3, 2)", 6, 10)}}));
  const Result<Reading> cube = read(path, "attention=w axes=query,head,key");
  ASSERT_TRUE(cube) << describe(cube.error());
  const auto& weights = std::get<GivenWeights>(cube->document.model).weights;
  EXPECT_EQ(weights.values()[2], 4.0F) << "query 1 of head 0";
  EXPECT_NE(cube->reading.find("axes query, head, key"), std::string::npos) << cube->reading;
  const Result<Reading> rows = read(path, "q=w k=w v=w axes=token,head,feature");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_NE(rows->reading.find("axes token, head, feature"), std::string::npos) << rows->reading;
  const Result<Reading> flat = read(path, "q=x k=y heads=2");
  ASSERT_TRUE(flat) << describe(flat.error());
  EXPECT_EQ(shape_of(flat->document).heads, 2U);
  EXPECT_EQ(std::get<GivenQkv>(flat->document.model).k[1], 12.0F) << "token 1 of head 0";
  const Result<Reading> wrong = read(path, "attention=q");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "the file has no array of this name");
}

// Writes the document, and reads it again.
std::string written_and_read(const Result<Reading>& reading, const std::string& folder) {
  if (!reading) return describe(reading.error());
  const std::string text = write_document(reading->document);
  ReadOptions options;
  options.folder = folder;
  const Result<Reading> again = read_document(text, "again", options);
  if (!again) return describe(again.error()) + text;
  EXPECT_EQ(again->document, reading->document) << text;
  EXPECT_EQ(write_document(again->document), text);
  return text;
}

TEST_F(SaidArrays, RearrangedAreWrittenAsReferencesWithTheirAxes) {
  const std::string path =
      write("run.npz", zip_of({{"layers.0.q.npy", numbered("(3, 4)", 12, 0.1F)},
                               {"layers.1.q.npy", numbered("(3, 4)", 12, 20.3F), true},
                               {"k.npy", numbered("(3, 1, 2, 2)", 12, 40)},
                               {"flat.npy", numbered("(3, 2)", 6, 60)},
                               {"one.npy", numbered("(3, 4)", 12, 70)},
                               {"w.npy", numbered("(2, 3, 3)", 18, 90)}}));
  const auto expect_said = [&](const std::string& words, const std::vector<std::string>& said) {
    const std::string text = written_and_read(read(path, words), folder.path());
    for (const std::string& part : said) EXPECT_NE(text.find(part), text.npos) << part << text;
  };
  expect_said("attention=w axes=head,key,query",
              {R"({"file": "run.npz", "array": "w", "axes": ["head", "key", "query"]})",
               R"("axes": ["head", "query", "key"])"});
  expect_said("attention=w axes=head,query,key", {R"({"file": "run.npz", "array": "w"})"});
  expect_said("q=one k=flat v=flat heads=2",
              {R"("array": "one", "axes": ["token", "head", "feature"], "heads": 2})",
               R"("array": "flat", "axes": ["token", "head", "feature"], "heads": 1})"});
  expect_said("q=layers.*.q k=layers.*.q axes=layer,token,head,feature heads=2",
              {R"("k": {"file": "run.npz", "array": ["layers.0.q", "layers.1.q"], "axes": )"
               R"(["layer", "token", "head", "feature"], "heads": 2})"});
  expect_said("q=k k=k axes=layer,token,head,feature k.axes=layer,head,token,feature",
              {R"("array": "k", "axes": ["layer", "token", "head", "feature"]})",
               R"("k": {"file": "run.npz", "array": "k"})"});
}

TEST_F(SaidArrays, AloneAreWrittenSoToo) {
  const std::string path = write(
      "cube.npy",
      test::npy("<f8", "(2, 2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})));
  EXPECT_NE(written_and_read(read(path, "axes=query,head,key"), folder.path())
                .find(R"({"file": "cube.npy", "axes": ["query", "head", "key"]})"),
            std::string::npos);
}

TEST_F(SaidArrays, OtherReadingsAreNotedWithTheirWords) {
  const std::string path = write("cube.npy", numbered("(2, 2, 2)", 8, 0));
  const Result<Reading> cube = read(path, "");
  ASSERT_TRUE(cube);
  EXPECT_EQ(
      cube->notes[0],
      "the array (2 × 2 × 2): attention, 2 heads of 2 × 2, shown as it is, although row (0, 1) "
      "sums to 5; as well 2 samples: `--arrays 'axes=sample,query,key'`, 2 layers: `--arrays "
      "'axes=layer,query,key'`, 2 heads of 2 × 2 in another order: `--arrays "
      "'axes=query,head,key'`");
  EXPECT_EQ(read(path, "axes=query,head,key")->notes[0].find("as well"), std::string::npos);
}

TEST_F(SaidArrays, NeedAFileOfArrays) {
  const Result<Reading> reading = read("example:i-love-cats", "axes=query,key");
  ASSERT_FALSE(reading);
  EXPECT_NE(reading.error().message.find("--arrays is for files of arrays"), std::string::npos);
}

TEST_F(ArrayDocument, ALoneMatrixOfAnyMeaningIsAMatrix) {
  const Reading scores = opened("s.npz", zip_of({{"q.npy", numbered("(2, 3)", 6, -3)}}));
  EXPECT_EQ(std::get<GivenWeights>(scores.document.model).weights[0], -3.0F);
  const Reading named = opened("t.npz", zip_of({{"nonsense.npy", numbered("(2, 2)", 4, 0)},
                                                {"input_ids.npy", numbered("(2,)", 2, 5)}}));
  EXPECT_EQ(named.document.query_tokens.front().texts(), (std::vector<std::string>{"5", "6"}));
}

}  // namespace
}  // namespace attn
