// Arrays too large to be read whole: their sample, the notes on them, and the memory they take.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <set>

#include "base/row_sample.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "export/provenance.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

constexpr std::size_t kHeads = 20, kTokens = 1024, kRows = kHeads * kTokens;
constexpr std::size_t kBytes = kRows * kTokens * sizeof(float);

TEST(RowSample, TakesRowsOfAllPartsAndAllPlaces) {
  const std::vector<float> none(1);
  const Tensor big({kHeads, kTokens, kTokens}, none.data(), nullptr);
  const RowSample sample = sample_of_rows(big);
  EXPECT_FALSE(sample.is_all());
  EXPECT_LE(sample.count * kTokens * 16, kMostReadInPassing);
  std::set<std::size_t> heads, eighths;
  for (std::size_t i = 0; i < sample.count; ++i) {
    if (i > 0) {
      EXPECT_LT(sample.row(i - 1), sample.row(i));
    }
    EXPECT_LT(sample.row(i), kRows);
    heads.insert(sample.row(i) / kTokens);
    eighths.insert(sample.row(i) % kTokens / 128);
  }
  EXPECT_EQ(heads.size(), kHeads);
  EXPECT_EQ(eighths.size(), 8U);
  EXPECT_TRUE(sample_of_rows(big, true).is_all());
  EXPECT_TRUE(sample_of_rows(Tensor({2, 2}, std::vector<float>(4))).is_all());
}

// Each query attends to itself and to the first key.
class BigArray : public testing::Test {
 protected:
  BigArray() {
    std::string header = R"({"attn":{"dtype":"F32","shape":[20,1024,1024],"data_offsets":[0,)" +
                         std::to_string(kBytes) + "]}}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    begin_ = 8 + header.size();
    std::ofstream out(path_, std::ios::binary);
    out << test::safetensors(header, "");
    out.close();
    EXPECT_EQ(::truncate(path_.c_str(), static_cast<off_t>(begin_ + kBytes)), 0);
    std::fstream file = opened_file();
    for (std::size_t row = 0; row < kRows; ++row) {
      put(file, row, 0, 0.5F);
      put(file, row, row % kTokens, row % kTokens == 0 ? 1.0F : 0.5F);
    }
  }

  std::fstream opened_file() const {
    return std::fstream(path_, std::ios::binary | std::ios::in | std::ios::out);
  }
  void put(std::fstream& file, std::size_t row, std::size_t key, float weight) const {
    file.seekp(static_cast<std::streamoff>(begin_ + (row * kTokens + key) * sizeof(float)));
    file.write(reinterpret_cast<const char*>(&weight), sizeof(weight));
  }
  // A row that no sample has.
  static std::size_t unseen_row(const Tensor& weights) {
    const RowSample sample = sample_of_rows(weights);
    return sample.row(sample.count / 2) + 1;
  }
  Document document() const {
    ReadOptions options;
    options.memory_limit_bytes = kBytes / 8;
    const Result<Reading> reading = open_document(path_, options);
    if (!reading) ADD_FAILURE() << describe(reading.error());
    return reading ? reading->document : Document{};
  }
  static std::string notes_of(const AttentionResult& result) {
    std::string all;
    for (const ResultNote& note : result.notes()) all += note.text + "\n";
    return all;
  }
  // Bytes of the file that this process has in its memory.
  std::size_t resident() const {
    std::ifstream maps("/proc/self/smaps");
    std::size_t kib = 0;
    bool is_ours = false;
    for (std::string line; std::getline(maps, line);) {
      if (line.find(path_) != line.npos) is_ours = true;
      if (!is_ours || !line.starts_with("Rss:")) continue;
      kib += std::stoul(line.substr(4));
      is_ours = false;
    }
    return kib * 1024;
  }

  test::TemporaryFolder folder_;
  std::string path_ = folder_.file("big.safetensors");
  std::size_t begin_ = 0;
};

TEST_F(BigArray, SaysWhatWasLookedAt) {
  const Result<Reading> reading = open_document(path_);
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  ASSERT_GE(reading->notes.size(), 2U);
  EXPECT_EQ(
      reading->notes[0],
      "`attn` (20 × 1,024 × 1,024): attention, 20 heads of 1,024 × 1,024, finished: every row "
      "sums to 1; as well 20 samples: `--arrays 'axes=sample,query,key'`, 20 layers: `--arrays "
      "'axes=layer,query,key'`");
  EXPECT_EQ(reading->notes[1],
            "the weights above the diagonal are all 0 in the 1,024 rows sampled of 20,480: read "
            "as causal; \"mask\": {\"causal\": false} says otherwise");
}

TEST_F(BigArray, TakesLittleMemoryHoweverMuchIsRead) {
  const Document read = document();
  EXPECT_LT(resident(), kBytes / 4);
  const Result<ResultPtr> result = compute(make_problem(read), {.memory_limit_bytes = kBytes / 8});
  ASSERT_TRUE(result.ok()) << describe(result.error());
  EXPECT_LT(resident(), kBytes / 4);
  double sum = 0.0;
  std::size_t most = 0;
  for (std::size_t head = 0; head < kHeads; ++head) {
    for_each_weight_row(**result, {0, 0, head}, {0, 0, kTokens, kTokens}, nullptr,
                        [&](const WeightRow& row) { sum += sum_of(row.weights); });
    EXPECT_EQ((*result)->range(Stage::Weights, {0, 0, head})->high, 1.0F);
    most = std::max(most, resident());
  }
  EXPECT_EQ(sum, static_cast<double>(kRows));
  EXPECT_LT(most, kBytes / 4) << "every number was read";
}

TEST_F(BigArray, AllRowsAreLookedAtWhenAsked) {
  const Document read = document();
  const std::size_t row = unseen_row(std::get<GivenWeights>(read.model).weights);
  std::fstream file = opened_file();
  put(file, row, kTokens - 1, 0.5F);
  put(file, row + 1, 0, std::numeric_limits<float>::quiet_NaN());
  file.close();
  const AttentionProblem problem = make_problem(document());
  ASSERT_TRUE(problem.mask.causal);
  const std::string some = notes_of(**compute(problem));
  EXPECT_EQ(some.find("hides"), std::string::npos) << some;
  EXPECT_NE(some.find("those of the 1,024 rows sampled of 20,480"), std::string::npos) << some;
  const std::string all = notes_of(**compute(problem, {.all_rows = true}));
  const std::string place = "head " + std::to_string(row / kTokens + 1) + ", query ";
  EXPECT_NE(all.find("1 row of 20,480 weighs keys that the causal mask hides (first: " + place),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("1 row of 20,480 has cells that are NaN or ±Inf (first: " + place),
            std::string::npos)
      << all;
  EXPECT_EQ(all.find("sampled"), std::string::npos) << all;
}

TEST_F(BigArray, WeightsAboveTheDiagonalInSampledRowsAreNotCausal) {
  const RowSample sample = sample_of_rows(std::get<GivenWeights>(document().model).weights);
  std::size_t at = 0;
  while (sample.row(at) % kTokens == kTokens - 1) ++at;
  std::fstream file = opened_file();
  put(file, sample.row(at), kTokens - 1, 0.5F);
  file.close();
  EXPECT_FALSE(document().mask.causal);
}

TEST_F(BigArray, IsHashedInParts) {
  const std::string hash = *hash_of(document());
  EXPECT_TRUE(hash.ends_with(kInParts)) << hash;
  EXPECT_EQ(*hash_of(document()), hash);
  std::fstream file = opened_file();
  put(file, kRows - 1, kTokens - 1, 0.25F);  // in the last block
  file.close();
  EXPECT_NE(*hash_of(document()), hash);
  EXPECT_LT(resident(), kBytes / 4);
}

TEST(DocumentText, LargerThanTheLimitIsRefusedBeforeItIsRead) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("long.json");
  std::ofstream(path) << R"({"tokens": ["a"]})" << std::string(4096, ' ');
  ReadOptions options;
  options.memory_limit_bytes = 1024;
  const Result<Reading> reading = open_document(path, options);
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_NE(describe(reading.error()).find("larger than the limit"), std::string::npos);
}

}  // namespace
}  // namespace attn
