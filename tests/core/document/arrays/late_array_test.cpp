// Numbers that are converted when they are read: equal to those converted at once, of files that
// change, and counted as mapped.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/files.h"
#include "base/row_sample.h"
#include "document/cost.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kEnough = 1U << 30U;

class LateArray : public testing::Test {
 protected:
  void SetUp() override {
    if (!floats_on_demand(1, nullptr, 0)) GTEST_SKIP() << "this system does not report first reads";
  }
  std::shared_ptr<const MappedFile> file_of(const std::string& bytes) {
    EXPECT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace));
    return *MappedFile::open(path);
  }
  static std::string random_bytes(std::size_t size) {
    std::mt19937 random(7);
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
  }
  // Writes a sparse file of more than kMostReadInPassing zeros, the last of which is a one.
  void write_large(const std::string& descr, std::size_t bytes, bool fortran_order) {
    std::ofstream(path, std::ios::binary)
        << test::npy(descr, "(4, 1, 2049, 2048)", "", fortran_order);
    const auto begin = fs::file_size(path);
    fs::resize_file(path, begin + 4 * 2049 * 2048 * bytes);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-1, std::ios::end);
    file << '\1';
  }

  // Needs less memory than its floats would.
  Document opened() const {
    ReadOptions options;
    options.memory_limit_bytes = 16U << 20U;
    const Result<Reading> reading = open_document(path, options);
    if (!reading) ADD_FAILURE() << describe(reading.error());
    return reading ? reading->document : Document{};
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("numbers.npy");
};

TEST_F(LateArray, HasTheBitsOfNumbersConvertedAtOnceForEveryType) {
  constexpr std::size_t kCount = 3 * 7 * 32 * 331;
  for (const ElementType& type : all_element_types()) {
    for (const std::size_t shift : {0U, 1U}) {  // floats of shift 0 are used where they lie
      const std::string bytes =
          std::string(shift, 'x') + random_bytes(kCount / type.block * type.bytes);
      const std::shared_ptr<const MappedFile> file = file_of(bytes);
      for (const bool swapped : {false, true}) {
        const StoredArray array{
            "", &type, 0, {3, 7, 32 * 331}, swapped, false, file->bytes().substr(shift)};
        const Tensor at_once = *floats_of(array, nullptr, kEnough);
        const Tensor late = *floats_of(array, file, 0, 0);
        EXPECT_TRUE(is_mapped(late.data()));
        EXPECT_EQ(late.shape(), at_once.shape());
        EXPECT_TRUE(late == at_once) << type.name << shift << swapped;
        EXPECT_TRUE(late.part(1) == at_once.part(1)) << type.name;
      }
    }
  }
}

TEST_F(LateArray, IsReadByManyThreads) {
  constexpr std::size_t kCount = 2'000'000;
  const std::shared_ptr<const MappedFile> file = file_of(random_bytes(kCount * 2));
  const StoredArray array{"", &all_element_types()[3], 0, {kCount}, false, false, file->bytes()};
  ASSERT_EQ(array.type->name, "bfloat16");
  const Tensor at_once = *floats_of(array, nullptr, kEnough), late = *floats_of(array, file, 0, 0);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int pass = 0; pass < 4; ++pass) {
        wrong += late == at_once ? 0 : 1;
        give_back(late.data(), late.size() * sizeof(float));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(LateArray, KeepsItsFile) {
  const std::string bytes = random_bytes(300'000);
  std::shared_ptr<const MappedFile> file = file_of(bytes);
  const StoredArray array{"", &all_element_types()[4], 0, {300'000}, false, false, file->bytes()};
  const Tensor late = *floats_of(array, file, 0, 0);
  file.reset();
  EXPECT_EQ(late[299'999], static_cast<float>(static_cast<signed char>(bytes.back())));
}

TEST_F(LateArray, OpensBeyondTheMemoryLimitAndIsCountedAsMapped) {
  for (const auto& [descr, bytes] : {std::pair("|i1", 1U), std::pair(">i2", 2U)}) {
    write_large(descr, bytes, false);
    const Document document = opened();
    const Tensor& weights = std::get<GivenWeights>(document.model).weights;
    ASSERT_EQ(weights.size(), std::size_t{4} * 2049 * 2048);
    EXPECT_EQ(weights[weights.size() - 1], 1.0F);
    EXPECT_EQ(weights[0], 0.0F);
    EXPECT_EQ(entered_bytes(document), 0U);
    EXPECT_TRUE(check_files(document));
  }
}

TEST_F(LateArray, OfAFileThatShrinksIsZerosThatAreRefused) {
  write_large("|i1", 1, false);
  const Document document = opened();
  const Tensor& weights = std::get<GivenWeights>(document.model).weights;
  ASSERT_EQ(weights.size(), std::size_t{4} * 2049 * 2048);
  fs::resize_file(path, 100'000);
  EXPECT_EQ(weights[weights.size() - 1], 0.0F);
  EXPECT_EQ(weights[weights.size() / 2], 0.0F);
  EXPECT_EQ(check_files(document).error().file, path);
}

TEST_F(LateArray, OtherOrdersOfAxesAreConvertedAtOnceWithinTheLimit) {
  write_large("|i1", 1, true);
  EXPECT_EQ(open_array<float>({path, {}}, "", 1U << 20U).error().kind, ErrorKind::OverMemoryLimit);
  const Tensor tensor = *open_array<float>({path, {}}, "", kEnough);
  EXPECT_EQ(tensor[tensor.size() - 1], 1.0F);
  EXPECT_FALSE(is_mapped(tensor.data()));
}

}  // namespace
}  // namespace attn
