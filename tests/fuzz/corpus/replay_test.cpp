// Replays the stored inputs of every fuzz target.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/paths.h"
#include "support/shared_data.h"
#include "tests/fuzz/fuzz.h"

namespace attn::fuzz {
namespace {

struct Input {
  std::string name, bytes;
};

// The files of a tar archive (POSIX ustar): a block of 512 bytes with name and size, then the file,
// filled up to whole blocks. Two empty blocks end it.
std::vector<Input> inputs_of(const Target& target) {
  constexpr std::size_t kBlock = 512, kSizeAt = 124;
  const std::string path = test::source_folder() + "/tests/fuzz/corpus/";
  const std::string archive = test::read_text(path + std::string(target.name) + ".tar");
  std::vector<Input> inputs;
  for (std::size_t at = 0; at + kBlock < archive.size() && archive[at] != '\0';) {
    const std::size_t size = std::stoul(archive.substr(at + kSizeAt, 11), nullptr, 8);
    inputs.push_back({archive.c_str() + at, archive.substr(at + kBlock, size)});
    at += kBlock + (size + kBlock - 1) / kBlock * kBlock;
  }
  return inputs;
}

std::string broken_promise(const Target& target, std::string_view bytes) {
  try {
    target.run(bytes);
  } catch (const BrokenPromise& broken) {
    return broken.what();
  }
  return "";
}

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, KeepsWhatIsPromised) {
  const std::vector<Input> inputs = inputs_of(GetParam());
  EXPECT_GT(inputs.size(), 180U);
  for (const Input& input : inputs) {
    EXPECT_EQ(broken_promise(GetParam(), input.bytes), "") << input.name;
  }
}

INSTANTIATE_TEST_SUITE_P(, FuzzCorpus, testing::ValuesIn(all_targets()),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(FuzzCorpora, AreSmall) {
  std::size_t bytes = 0, files = 0;
  for (const Target& target : all_targets()) {
    for (const Input& input : inputs_of(target)) {
      bytes += input.bytes.size();
      ++files;
    }
  }
  EXPECT_GE(files, 3600U);
  EXPECT_LT(bytes, 2'000'000U);
}

}  // namespace
}  // namespace attn::fuzz
