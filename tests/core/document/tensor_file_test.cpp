// Numbers in files: read where they lie, written as references again, edited into the document.
#include "document/tensors/tensor_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"
#include "tests/core/document/npy_bytes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

using test::float_npy;

class TensorFile : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(folder.file(name)).parent_path());
    ASSERT_TRUE(write_file_atomically(folder.file(name), bytes, Overwrite::Replace));
  }

  // Q, K and V of three tokens with two columns, Q and V in files.
  void write_document_of_files() {
    write("q.npy", float_npy("(3, 2)", {1, 2, 3, 4, 5, 6}));
    write("data/v.npy", test::npy("<f8", "(3, 1)", test::bytes_of<double>({0.5, 0.25, -1})));
    write("cats.attn.json", R"({"tokens": ["a", "b", "c"], "q": {"file": "q.npy"},
      "k": [[1, 0], [0, 1], [1, 1]], "v": {"file": "data/v.npy"}})");
  }

  Document open(const std::string& name) {
    ReadOptions options;
    options.allows_outside = true;
    Result<Reading> report = open_document(folder.file(name), options);
    if (!report) ADD_FAILURE() << describe(report.error());
    return report ? report->document : Document{};
  }

  Error problem(const std::string& text) {
    write("broken.attn.json", text);
    const Result<Reading> report = open_document(folder.file("broken.attn.json"));
    EXPECT_FALSE(report.ok());
    return report ? Error{} : report.error();
  }

  std::string written_to(const Document& document, const std::string& name) {
    return write_document(moved_to(document, folder_of(folder.file(name))));
  }

  test::TemporaryFolder folder;
};

const GivenQkv& qkv(const Document& document) { return std::get<GivenQkv>(document.model); }

TEST_F(TensorFile, StandsWhereverNumbersStand) {
  write_document_of_files();
  const Document document = open("cats.attn.json");
  EXPECT_EQ(qkv(document).q, Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(qkv(document).v, Tensor({3, 1}, {0.5, 0.25, -1}));
  ASSERT_NE(qkv(document).q.origin(), nullptr);
  EXPECT_NE(qkv(document).q.origin()->mapping, nullptr) << "float32 is mapped";
  EXPECT_FALSE(qkv(document).q.origin()->mapping->bytes().empty());
  EXPECT_TRUE(qkv(document).v.origin()->mapping->bytes().empty()) << "float64 is converted";
  EXPECT_EQ(qkv(document).k.origin(), nullptr);

  write("w.npy", float_npy("(2, 2)", {1, 0, 0, 1}));
  write("see.npy", test::npy("|b1", "(3, 3)", std::string("\1\0\0\1\1\0\1\1\1", 9)));
  write("all.json", R"({"embeddings": {"file": "q.npy"}, "heads": 1,
    "projections": {"w_q": {"file": "w.npy"}, "b_q": [1, 2]},
    "mask": {"visible": {"file": "see.npy"}}})");
  const Document embedded = open("all.json");
  EXPECT_EQ(std::get<AttentionLayer>(embedded.model).projections.w_q, Tensor({2, 2}, {1, 0, 0, 1}));
  EXPECT_EQ(embedded.mask.visible, BoolTensor({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}));
  EXPECT_EQ(files_of(embedded),
            (std::vector<std::string>{folder.file("q.npy"), folder.file("w.npy"),
                                      folder.file("see.npy")}));
}

TEST_F(TensorFile, SavingWritesTheReferenceAgainFromWhereverItIsSaved) {
  write_document_of_files();
  const Document document = open("cats.attn.json");
  const std::string here = written_to(document, "other.json");
  EXPECT_NE(here.find("\"q\": {\"file\": \"q.npy\"}"), std::string::npos) << here;
  EXPECT_NE(here.find("\"v\": {\"file\": \"data/v.npy\"}"), std::string::npos) << here;
  const std::string below = written_to(document, "deep/down/cats.json");
  EXPECT_NE(below.find("\"file\": \"../../q.npy\""), std::string::npos) << below;
  EXPECT_NE(below.find("\"file\": \"../../data/v.npy\""), std::string::npos) << below;
  write("deep/down/cats.json", below);
  EXPECT_EQ(open("deep/down/cats.json"), document);
}

TEST_F(TensorFile, AnAbsolutePathStaysAsItIs) {
  write("q.npy", float_npy("(1, 1)", {2}));
  const std::string reference = "{\"file\": \"" + folder.file("q.npy") + "\"}";
  write("a.json", R"({"q": )" + reference + R"(, "k": [[1]], "v": [[1]]})");
  EXPECT_NE(written_to(open("a.json"), "deep/a.json").find(reference), std::string::npos);
}

TEST_F(TensorFile, OutsideOfTheFolderIsReadWhereThatIsAllowed) {
  write("secret.npy", float_npy("(1, 1)", {2}));
  const std::vector<std::pair<std::string, bool>> files = {{"../secret.npy", true},
                                                           {folder.file("secret.npy"), true},
                                                           {"own/../../secret.npy", true},
                                                           {"../none.npy", true},
                                                           {"q.npy", false},
                                                           {"own/../q.npy", false},
                                                           {folder.file("deep/q.npy"), false}};
  write("deep/q.npy", float_npy("(1, 1)", {3}));
  for (const auto& [file, outside] : files) {
    write("deep/a.json", R"({"q": {"file": ")" + file + R"("}, "k": [[1]], "v": [[1]]})");
    const Result<Reading> report = open_document(folder.file("deep/a.json"));
    ASSERT_EQ(report.ok(), !outside) << file;
    if (!outside) continue;
    EXPECT_EQ(report.error().kind, ErrorKind::Usage);
    EXPECT_NE(report.error().message.find("outside"), std::string::npos) << "whether it exists";
    EXPECT_EQ(report.error().pointer, "/q");
    ReadOptions options;
    options.allows_outside = true;
    EXPECT_EQ(open_document(folder.file("deep/a.json"), options).ok(), file != "../none.npy");
  }
}

TEST_F(TensorFile, WhatWasEditedIsWrittenAsNumbers) {
  write_document_of_files();
  const Document document = open("cats.attn.json");
  const Document edited = with_cell(document, {"/q", {}}, 0, 1, 9.0F).value();
  const std::string text = written_to(edited, "cats.attn.json");
  EXPECT_EQ(text.find("q.npy"), std::string::npos);
  EXPECT_NE(text.find("[1, 9]"), std::string::npos) << text;
  EXPECT_NE(text.find("data/v.npy"), std::string::npos) << "the others stay references";
  EXPECT_EQ(open("cats.attn.json"), document) << "and the file keeps its numbers";
}

TEST_F(TensorFile, ErrorsStandAtTheReferenceAndNameTheFile) {
  const std::string rest = R"(, "k": [[1]], "v": [[1]]})";
  const Error missing = problem("{\"q\":\n  {\"file\": \"none.npy\"}" + rest);
  EXPECT_EQ(missing.message, "none.npy: the file does not exist");
  EXPECT_EQ(missing.file, folder.file("broken.attn.json"));
  EXPECT_EQ(missing.pointer, "/q");
  EXPECT_EQ(missing.line, 2U);
  EXPECT_EQ(missing.column, 3U);

  write("q.npy", float_npy("(2,)", {1, 2}));
  const Error flat = problem("{\"q\": {\"file\": \"q.npy\"}" + rest);
  EXPECT_EQ(flat.message, "q.npy: the array has the wrong number of axes");
  EXPECT_EQ(flat.found, "(2)");
  EXPECT_EQ(flat.expected, "2 to 5 axes");

  EXPECT_EQ(problem("{\"q\": {\"fil\": \"q.npy\"}" + rest).hint, "did you mean \"file\"?");
  EXPECT_EQ(problem("{\"q\": {}" + rest).message, "the reference names no file");
  EXPECT_EQ(problem("{\"q\": {\"file\": 3}" + rest).pointer, "/q/file");
  write("text.npy", "hello");
  EXPECT_EQ(problem("{\"q\": {\"file\": \"text.npy\"}" + rest).message,
            "text.npy: this is not a NumPy file");
}

TEST_F(TensorFile, IsNoneOfTheFormatThatItsEndingSays) {
  for (const std::string bytes : {"\xFE\x01 nonsense", ""}) {
    for (const auto& [name, what] : {std::pair<std::string, std::string>{"x.NPZ", ".npz archive"},
                                     {"x.safetensors", ".safetensors file"},
                                     {"x.gguf", ".gguf file"}}) {
      write(name, bytes);
      const Result<Reading> report = open_document(folder.file(name));
      ASSERT_FALSE(report);
      EXPECT_EQ(report.error().message, "this is no " + what);
      EXPECT_NE(report.error().found, "");
      EXPECT_EQ(problem(R"({"attention": {"file": ")" + name + "\"}}").message,
                name + ": this is no " + what);
    }
  }
}

TEST_F(TensorFile, AxesOfAReferenceMustBeThoseOfItsArray) {
  write("a.npy", float_npy("(2, 2, 3)", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  const auto refused = [&](const std::string& more) {
    return problem(R"({"attention": {"file": "a.npy", )" + more + "}}");
  };
  for (const char* axes : {R"(["query", "key"])", R"(["query", "key", "key"])",
                           R"(["query", "key", "rows"])", R"(["a", "query", "head", "key"])"}) {
    const Error error = refused("\"axes\": " + std::string(axes));
    EXPECT_EQ(error.message, "a.npy: these are no axes of the array") << axes;
    EXPECT_EQ(error.pointer, "/attention");
    EXPECT_NE(error.found.find("(2, 2, 3)"), std::string::npos) << error.found;
  }
  EXPECT_EQ(refused(R"("heads": 2)").message,
            "a.npy: the last axis cannot be cut into heads of equal width");
  EXPECT_EQ(refused(R"("heads": 0)").pointer, "/attention/heads");
}

// Axes that the document names for all of its arrays become those of each reference.
TEST_F(TensorFile, ThatIsRearrangedStaysAReference) {
  write("q.npy", float_npy("(3, 2, 1)", {1, 2, 3, 4, 5, 6}));
  write("a.json", R"({"axes": ["token", "head", "feature"], "q": {"file": "q.npy"},
                      "k": {"file": "q.npy"}, "v": [[[1], [0]], [[1], [0]], [[0], [1]]]})");
  const Document document = open("a.json");
  EXPECT_EQ(qkv(document).q, Tensor({2, 3, 1}, {1, 3, 5, 2, 4, 6}));
  const std::string text = written_to(document, "deep/b.json");
  EXPECT_NE(text.find(R"({"file": "../q.npy", "axes": ["token", "head", "feature"]})"),
            std::string::npos)
      << text;
  write("deep/b.json", text);
  EXPECT_EQ(open("deep/b.json"), document);
  EXPECT_TRUE(check_files(document));
  test::write_in_place(folder.file("q.npy"), float_npy("(3, 2, 1)", {6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(check_files(document).error().file, folder.file("q.npy"));
  const Result<Document> again = read_files_again(document, 1U << 20U);
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(qkv(*again).q, Tensor({2, 3, 1}, {6, 4, 2, 5, 3, 1}));
}

TEST_F(TensorFile, IsRearrangedWithinTheMemoryThatIsAllowed) {
  write("a.npy", float_npy("(64, 64)", std::vector<float>(64 * 64, 1.0F)));
  write("a.json", R"({"attention": {"file": "a.npy", "axes": ["key", "query"]}})");
  ReadOptions options;
  options.memory_limit_bytes = 16000;
  const Result<Reading> refused = open_document(folder.file("a.json"), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::OverMemoryLimit) << describe(refused.error());
}

TEST_F(TensorFile, ConvertedNumbersCountAgainstTheMemoryThatIsAllowed) {
  write("q.npy", test::npy("<f8", "(64, 64)", std::string(64 * 64 * 8, '\0')));
  write("a.json", R"({"attention": {"file": "q.npy"}})");
  ReadOptions options;
  options.memory_limit_bytes = 16'000;
  const Result<Reading> refused = open_document(folder.file("a.json"), options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(refused.error().found, "16 KiB");
}

TEST_F(TensorFile, AFileCutShortMeanwhileIsSaidAndCrashesNothing) {
  write("q.npy", float_npy("(64, 64)", std::vector<float>(64 * 64, 1.0F)));
  write("a.json", R"({"attention": {"file": "q.npy"}})");
  const Document document = open("a.json");
  EXPECT_TRUE(check_files(document).ok());
  fs::resize_file(folder.file("q.npy"), 200);
  const Status cut = check_files(document);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().file, folder.file("q.npy"));
  EXPECT_EQ(std::get<GivenWeights>(document.model).weights[4095], 0.0F);
}

TEST_F(TensorFile, AFileWrittenMeanwhileIsSaid) {
  const std::string before = float_npy("(2, 2)", {1, 0, 0, 1}), file = folder.file("q.npy");
  write("q.npy", before);
  write("a.json", R"({"attention": {"file": "q.npy"}})");
  Document document = open("a.json");
  test::write_in_place(file, float_npy("(2, 2)", {0, 1, 1, 0}));
  EXPECT_EQ(check_files(document).error().file, file);
  test::write_in_place(file, before);
  EXPECT_FALSE(check_files(document)) << "what was read meanwhile may be of the other bytes";
  document = open("a.json");
  EXPECT_TRUE(check_files(document));
  write("q.npy", before);  // as another file
  EXPECT_FALSE(check_files(document));
  document = open("a.json");
  fs::remove(file);
  EXPECT_TRUE(check_files(document)) << "its numbers are still there";
}

TEST_F(TensorFile, ThatIsConvertedIsLookedAtToo) {
  write_document_of_files();
  const Document document = open("cats.attn.json");
  ASSERT_TRUE(check_files(document));
  test::write_in_place(folder.file("data/v.npy"), test::npy("<f8", "(3, 1)", std::string(24, 0)));
  EXPECT_EQ(check_files(document).error().file, folder.file("data/v.npy"));
}

TEST_F(TensorFile, BytesThatWereMissingOnceAreNeverTakenForThoseOfTheFile) {
  const std::string bytes = float_npy("(64, 64)", std::vector<float>(64 * 64, 1.0F));
  write("q.npy", bytes);
  write("a.json", R"({"attention": {"file": "q.npy"}})");
  const Document document = open("a.json");
  const auto time = fs::last_write_time(folder.file("q.npy"));
  const unsigned before = missing_file_parts();
  fs::resize_file(folder.file("q.npy"), 200);
  EXPECT_EQ(std::get<GivenWeights>(document.model).weights[4095], 0.0F);
  EXPECT_GT(missing_file_parts(), before);
  std::ofstream(folder.file("q.npy"), std::ios::binary) << bytes;
  fs::last_write_time(folder.file("q.npy"), time);
  EXPECT_FALSE(check_files(document));
}

TEST_F(TensorFile, NumbersAreReadAgainWithoutTheEditsOfOthers) {
  write_document_of_files();
  Document document = open("cats.attn.json");
  auto& model = std::get<GivenQkv>(document.model);
  model.k = model.k.with(0, 9.0F);
  test::write_in_place(folder.file("q.npy"), float_npy("(3, 2)", {6, 5, 4, 3, 2, 1}));
  const Result<Document> again = read_files_again(document, 1U << 20U);
  ASSERT_TRUE(again);
  EXPECT_EQ(qkv(*again).q[0], 6.0F);
  EXPECT_EQ(qkv(*again).k[0], 9.0F);
  EXPECT_TRUE(qkv(*again).v.shares_with(qkv(document).v));
  EXPECT_TRUE(check_files(*again));
  EXPECT_NE(written_to(*again, "c.json").find(R"("q": {"file": "q.npy"})"), std::string::npos);
  test::write_in_place(folder.file("q.npy"), float_npy("(2, 2)", {6, 5, 4, 3}));
  const Result<Document> other = read_files_again(*again, 1U << 20U);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().found, "(2, 2)");
}

TEST_F(TensorFile, ManyReferencesToOneFileShareIt) {
  write("q.npy", float_npy("(3, 2)", {1, 2, 3, 4, 5, 6}));
  std::vector<Tensor> tensors;
  for (int i = 0; i < 3000; ++i) {
    const Result<Tensor> tensor = open_array<float>({"q.npy", {}}, folder.path(), 1000);
    ASSERT_TRUE(tensor) << i << ": " << describe(tensor.error());
    tensors.push_back(*tensor);
  }
  EXPECT_TRUE(tensors.front().shares_with(tensors.back()));
}

TEST_F(TensorFile, AnotherDocumentIsNamedFromWhereTheDocumentIsSaved) {
  write("deep/a.json", R"({"tokens": ["a"], "reference": "../b.json"})");
  const Document document = open("deep/a.json");
  EXPECT_EQ(document.reference, folder.file("b.json"));
  EXPECT_NE(written_to(document, "c.json").find("\"reference\": \"b.json\""), std::string::npos);
  write("e.json", R"({"tokens": ["a"], "reference": "example:four-heads"})");
  EXPECT_EQ(open("e.json").reference, "example:four-heads");
  EXPECT_NE(written_to(open("e.json"), "deep/e.json").find("\"example:four-heads\""),
            std::string::npos);
}

TEST_F(TensorFile, AnArrayAloneIsFinishedAttention) {
  write("cats.npy", float_npy("(2, 2, 3)", {1, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0.25, 0.5, 0.25}));
  const Result<Reading> report = open_document(folder.file("cats.npy"));
  ASSERT_TRUE(report.ok()) << describe(report.error());
  const Document& document = report->document;
  EXPECT_EQ(document.title, "cats");
  EXPECT_EQ(document.source, "cats.npy");
  EXPECT_TRUE(document.cross);
  EXPECT_EQ(shape_of(document).samples, 2U) << "another column is 0 in each";
  EXPECT_EQ(std::get<GivenWeights>(document.model).weights.size(), 12U);
  EXPECT_FALSE(report->is_saved_back);
  EXPECT_FALSE(report->version);
  EXPECT_EQ(
      report->notes.front(),
      "the array (2 × 2 × 3): attention, 2 samples of 2 × 3, finished: every row sums to 1; as "
      "well 2 heads: `--arrays 'axes=head,query,key'`");
  const std::string text = written_to(document, "cats.attn.json");
  EXPECT_NE(text.find("\"attention\": {\"file\": \"cats.npy\"}"), std::string::npos) << text;
}

TEST_F(TensorFile, OtherNumbersAloneAreShownAsTheyAreWhichIsSaid) {
  write("x.npy", float_npy("(2, 2)", {0.5, 0.5, 3, 4}));
  const Reading report = open_document(folder.file("x.npy")).value();
  EXPECT_EQ(
      report.notes.front().find("the array (2 × 2): attention, a map of 2 × 2, shown as it is, "
                                "although row 1 sums to 7; as well 2 heads of 1 × 2: "
                                "`--arrays 'axes=head,key'`, 2 samples of 1 × 2: "),
      0U)
      << report.notes.front();
  write("line.npy", float_npy("(4,)", {1, 2, 3, 4}));
  const Error line = open_document(folder.file("line.npy")).error();
  EXPECT_EQ(line.found, "(4)");
  EXPECT_NE(line.hint.find("reshape(1, -1)"), std::string::npos);
  EXPECT_EQ(line.file, folder.file("line.npy"));
}

TEST(Loaders, KnowTheirFilesByContentAndThenByName) {
  EXPECT_EQ(loader_for(" \n{\"tokens\"", "x.npy").name, "json");
  EXPECT_EQ(loader_for("\x93NUMPY\1", "x.json").name, "arrays");
  EXPECT_EQ(loader_for("\x93NUM", "x.NPY").name, "arrays");
  EXPECT_EQ(loader_for("", "x").name, "text");
  EXPECT_EQ(loader_for("", "x.json").name, "json");
  EXPECT_EQ(loader_for("[[\"a\"]]", "x.csv").name, "json");
  EXPECT_EQ(loader_for("[{\"count\": 2}]", "x").name, "json");
  EXPECT_EQ(loader_for("[[[0.5, 0.5]]]", "x").name, "json");
  EXPECT_EQ(loader_for("[[0.5 0.5]\n [1. 0.]]", "x.json").name, "text");
  EXPECT_EQ(loader_for("[0.5, 0.5]", "x.json").name, "text");
  for (const Loader& loader : all_loaders()) {
    EXPECT_FALSE(loader.label.empty());
    for (const std::string_view ending : loader.endings) {
      EXPECT_TRUE(has_ending(loader, "a" + std::string(ending))) << ending;
    }
  }
}

TEST_F(TensorFile, AListOfOneNameIsStackedLikeAnyList) {
  write("a.npz", test::zip_of({{"m.npy", float_npy("(3, 2)", {1, 2, 3, 4, 5, 6})},
                               {"n.npy", float_npy("(3, 2)", {6, 5, 4, 3, 2, 1})}}));
  const auto shape_of = [&](const std::string& reference) {
    write("one.json", "{\"q\": " + reference + ", \"k\": " + reference + "}");
    const Document document = open("one.json");
    const std::string written = written_to(document, "again.json");
    write("again.json", written);
    EXPECT_EQ(qkv(open("again.json")).q.shape(), qkv(document).q.shape()) << written;
    return qkv(document).q.shape();
  };
  const Shape one = shape_of(R"({"file": "a.npz", "array": "m"})");
  EXPECT_EQ(shape_of(R"({"file": "a.npz", "array": ["m"], "axes": ["head", "token", "feature"]})"),
            (Shape{1, 3, 2}));
  EXPECT_EQ(
      shape_of(R"({"file": "a.npz", "array": ["m"], "axes": ["sample", "token", "feature"]})"),
      (Shape{1, 3, 2}));
  EXPECT_EQ(
      shape_of(R"({"file": "a.npz", "array": ["m", "n"], "axes": ["head", "token", "feature"]})"),
      (Shape{2, 3, 2}));
  EXPECT_NE(one, (Shape{2, 3, 2}));
}

}  // namespace
}  // namespace attn
