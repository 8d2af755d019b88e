// Replays the stored inputs of every fuzz target.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "support/paths.h"
#include "support/shared_data.h"
#include "tests/fuzz/fuzz.h"

namespace attn::fuzz {
namespace {

namespace fs = std::filesystem;

fs::path corpus_folder() { return fs::path(test::source_folder()) / "tests/fuzz/corpus"; }

std::vector<fs::path> inputs_of(const Target& target) {
  const fs::directory_iterator files(corpus_folder() / target.name);
  std::vector<fs::path> inputs(fs::begin(files), fs::end(files));
  std::ranges::sort(inputs);
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
  const std::vector<fs::path> inputs = inputs_of(GetParam());
  EXPECT_GT(inputs.size(), 20U);
  for (const fs::path& input : inputs) {
    EXPECT_EQ(broken_promise(GetParam(), test::read_text(input.string())), "") << input;
  }
}

INSTANTIATE_TEST_SUITE_P(, FuzzCorpus, testing::ValuesIn(all_targets()),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(FuzzCorpora, AreSmallAndOfATarget) {
  std::uintmax_t bytes = 0;
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(corpus_folder())) {
    if (!entry.is_regular_file()) continue;
    bytes += entry.file_size();
    ++files;
    const std::string folder = entry.path().parent_path().filename().string();
    const bool is_of_a_target =
        std::ranges::any_of(all_targets(), [&](const Target& t) { return t.name == folder; });
    EXPECT_TRUE(is_of_a_target || entry.path().filename() == "replay_test.cpp") << entry.path();
  }
  EXPECT_GE(files, 500U);
  EXPECT_LT(bytes, 2'000'000U);
}

}  // namespace
}  // namespace attn::fuzz
