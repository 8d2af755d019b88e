// Matrices turned round and cut out of files: the numbers are those of the array, the reference
// stays.
#include "document/tensors/matrix_parts.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/mapped_file.h"
#include "base/random.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"
#include "engine/kernels/block_rows.h"
#include "support/process.h"
#include "tests/core/document/npy_bytes.h"

namespace attn {
namespace {

std::vector<float> random_numbers(std::size_t count) {
  Random random(7);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = random.normal();
  return numbers;
}

// A matrix of 300 × 240 numbers, as a file has it and in memory.
class MatrixParts : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 300, kCols = 240;

  MatrixParts() {
    EXPECT_TRUE(write_file_atomically(folder_.file("w.npy"),
                                      test::float_npy("(300, 240)", numbers_), Overwrite::Replace)
                    .ok());
  }
  Result<Tensor> opened(TensorReference reference) const {
    reference.file = "w.npy";
    return open_array<float>(reference, folder_.path(), std::uint64_t{1} << 30U);
  }
  Result<Reading> document(const std::string& text) const {
    const std::string path = folder_.file("a.attn.json");
    EXPECT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
    return open_document(path);
  }
  float at(std::size_t row, std::size_t col) const { return numbers_[row * kCols + col]; }

  std::vector<float> numbers_ = random_numbers(kRows * kCols);
  test::TemporaryFolder folder_;
};

TEST_F(MatrixParts, HaveTheNumbersOfTheArray) {
  const Result<Tensor> round = opened({.turned = true});
  ASSERT_TRUE(round.ok()) << describe(round.error());
  ASSERT_EQ(round->shape(), (Shape{kCols, kRows}));
  const Result<Tensor> part = opened({.part = {10, 60, 80}});
  ASSERT_TRUE(part.ok()) << describe(part.error());
  ASSERT_EQ(part->shape(), (Shape{kRows, 180}));
  const Result<Tensor> both = opened({.turned = true, .part = {100, 150}});
  ASSERT_TRUE(both.ok()) << describe(both.error());
  ASSERT_EQ(both->shape(), (Shape{kCols, 150}));
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t col = 0; col < kCols; ++col) {
      ASSERT_EQ((*round)[col * kRows + row], at(row, col));
      if (row >= 100 && row < 250) ASSERT_EQ((*both)[col * 150 + row - 100], at(row, col));
    }
    for (std::size_t i = 0; i < 180; ++i) {
      ASSERT_EQ((*part)[row * 180 + i], at(row, 10 + i / 60 * 80 + i % 60));
    }
  }
}

TEST_F(MatrixParts, ArePackedFromTheFileWithTheSameBits) {
  const Tensor x({5, kCols}, random_numbers(5 * kCols));
  for (const TensorReference& reference :
       {TensorReference{.turned = true}, {.turned = true, .part = {64, 128}}}) {
    const Tensor w = *opened(reference);
    const Tensor copy(w.shape(), {w.values().begin(), w.values().end()});
    EXPECT_EQ(w.source().data != nullptr, is_mapped(w.data()));
    std::vector<float> mapped(5 * w.extent(1)), copied(mapped.size());
    for (const auto& [matrix, out] : {std::pair(&w, &mapped), std::pair(&copy, &copied)}) {
      RowMap(*matrix, {}, Sums::Float)(matrix_at(x, 0), {out->data(), 5, w.extent(1), w.extent(1)});
    }
    EXPECT_EQ(mapped, copied);
  }
}

TEST_F(MatrixParts, AreWrittenAsReferencesAndReadAgain) {
  const Result<Reading> reading = document(R"({"tokens": ["a", "b"], "d_model": 240, "heads": 2,
      "projections": {"order": "out_in", "w_qkv": {"file": "w.npy"}, "w_o": null}})");
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  const std::string written = write_document(reading->document);
  const std::string reference =
      R"({"file": "w.npy", "turned": true, "part": {"first": 100, "count": 100}})";
  EXPECT_NE(written.find(reference), written.npos) << written;
  EXPECT_LT(written.size(), 10'000U);
  const Result<Reading> again = document(written);
  ASSERT_TRUE(again.ok()) << describe(again.error());
  EXPECT_EQ(again->document, reading->document);
}

TEST_F(MatrixParts, ThatDoNotExistAreRefused) {
  for (const TensorPart& part : {TensorPart{240, 1}, {0, 241}, {200, 41}, {0, 60, 30}}) {
    const Result<Tensor> tensor = opened({.part = part});
    ASSERT_FALSE(tensor.ok());
    EXPECT_EQ(tensor.error().message, "the array has no such part");
  }
}

}  // namespace
}  // namespace attn
