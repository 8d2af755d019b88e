// Documents are written, edited and counted by the lists of tensors.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "document/cost.h"
#include "document/edit.h"
#include "document/json/write.h"
#include "document/problem.h"
#include "documents.h"

namespace attn {
namespace {

using nlohmann::json;
using test::random_document;
using test::read_ok;

void collect_numbers(const json& value, std::vector<float>& numbers) {
  if (value.is_array()) {
    for (const json& item : value) collect_numbers(item, numbers);
  } else if (value.is_number()) {
    numbers.push_back(value.get<float>());
  } else {
    numbers.push_back(std::stof(value.get<std::string>()));  // "nan", "inf"
  }
}

// Expects equal numbers in the same order, whatever the nesting; a NaN equals a NaN.
void expect_numbers(const json& found, const Tensor& tensor, const std::string& what) {
  std::vector<float> numbers;
  collect_numbers(found, numbers);
  ASSERT_EQ(numbers.size(), tensor.size()) << what;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool both_nan = numbers[i] != numbers[i] && tensor[i] != tensor[i];
    EXPECT_TRUE(both_nan || numbers[i] == tensor[i]) << what << " " << i;
  }
}

TEST(TensorList, NamesEveryTensorByItsPlaceInTheWrittenDocument) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Document document = random_document(seed);
    const json written = json::parse(write_document(document));
    for (const TensorInfo& info : tensors_of(document)) {
      const json::json_pointer place(info.path);
      const bool null = written.contains(place) && written[place].is_null();
      EXPECT_EQ(written.contains(place) && !null, info.is_there()) << info.path;
      EXPECT_TRUE(!null || info.path.ends_with("/w_o") || info.path == "/recurrent/w_output")
          << info.path;
      if (!info.is_there()) continue;
      ++found;
      expect_numbers(written[place], *info.tensor, info.path);
    }
  }
  EXPECT_GT(found, 500U);
}

TEST(TensorList, SaysTheShapeOfEveryTensorByItsAxes) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Document document = random_document(seed);
    for (const TensorInfo& info : tensors_of(document)) {
      if (info.is_there()) {
        EXPECT_EQ(info.shape(), info.tensor->shape()) << info.path;
      }
    }
  }
}

TEST(TensorList, NamesEveryTensorOnce) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    std::set<TensorPath> paths;
    for (const TensorInfo& info : tensors_of(random_document(seed))) {
      EXPECT_TRUE(paths.insert(info.path).second) << info.path;
    }
  }
}

TEST(TensorList, LeavesOutAllBlocksButOneWhenAskedForOne) {
  const Document document = read_ok(R"({"tokens": ["a"], "blocks": 3})").document;
  const TensorList all = tensors_of(document);
  const TensorList one = tensors_of(document, 1);
  EXPECT_NE(find_tensor(all, "/blocks/2/projections/w_q"), nullptr);
  EXPECT_EQ(find_tensor(one, "/blocks/2/projections/w_q"), nullptr);
  EXPECT_NE(find_tensor(one, "/blocks/1/projections/w_q"), nullptr);
  EXPECT_NE(find_tensor(one, "/embeddings"), nullptr);
}

TEST(TensorPaths, LeadToTheSameTensorOfAnotherBlock) {
  EXPECT_EQ(block_of_path("/blocks/12/feed_forward/w_1"), 12U);
  EXPECT_EQ(block_of_path("/projections/w_q"), std::nullopt);
  EXPECT_EQ(in_block("/blocks/12/feed_forward/w_1", 3), "/blocks/3/feed_forward/w_1");
  EXPECT_EQ(in_block("/projections/w_q", 3), "/projections/w_q");
}

TEST(Cost, CountsEveryNumberThatIsLearnedOnce) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Document document = random_document(seed);
    std::uint64_t learned = 0;
    for (const TensorInfo& info : tensors_of(document)) {
      const bool entered = info.use == TensorUse::Input || info.use == TensorUse::Map;
      if (!entered) learned += info.tensor->size();
    }
    EXPECT_EQ(cost_of(document).parameters, learned);
  }
}

// The window takes the time from the problem, info takes it from the document: both agree.
TEST(Cost, IsWhatTheWindowExpectsOfEveryScoringFunction) {
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    const std::string text =
        R"({"q": [[1, 2], [3, 4], [5, 6]], "k": [[1, 2], [3, 4]], "v": [[1], [2]],
        "scoring": {"function": ")" +
        std::string(info.name) + R"("}})";
    const Document document = read_ok(text).document;
    EXPECT_EQ(cost_of(document).multiply_adds, computing_multiply_adds(make_problem(document)))
        << info.name;
  }
}

TEST(Cost, HasItsPartsInTheOrderOfComputation) {
  const auto names = [](const char* text) {
    std::vector<std::string> parts;
    for (const PartCost& part : cost_of(read_ok(text).document).parts) parts.push_back(part.name);
    return parts;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(R"(["a"])"), Names{});
  EXPECT_EQ(names(R"({"attention": [[1]]})"), Names{});
  EXPECT_EQ(names(R"({"tokens": ["a"], "blocks": 2, "position": "learned"})"),
            (Names{"attention", "feed-forward", "norms"}));
  EXPECT_EQ(names(R"({"query_tokens": ["a"], "key_tokens": ["b"], "blocks": 2})"),
            (Names{"self-attention", "cross-attention", "feed-forward", "norms"}));
  EXPECT_EQ(names(R"({"query_tokens": ["a"], "key_tokens": ["b"], "recurrent": {"hidden": 2}})"),
            (Names{"encoder", "attention", "decoder"}));
}

}  // namespace
}  // namespace attn
