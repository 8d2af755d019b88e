// Random files of known meaning: none is read wrongly in silence, and every array is mentioned.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>

#include "base/files.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "support/process.h"
#include "tests/core/document/arrays/random_arrays.h"

namespace attn {
namespace {

using test::RandomFile;

std::uint32_t file_count() {
  const char* const count = std::getenv("ATTNSCOPE_RANDOM_FILES");
  return count == nullptr ? 500 : static_cast<std::uint32_t>(std::atoi(count));
}

class RandomFiles : public testing::Test {
 protected:
  Result<Reading> read(const RandomFile& file, const std::string& words = "") const {
    const std::string path = folder.file("random.npz");
    EXPECT_TRUE(write_file_atomically(path, test::zip_of(file.entries), Overwrite::Replace).ok());
    ReadOptions options;
    options.arrays = words;
    return open_document(path, options);
  }
  test::TemporaryFolder folder;
};

// "layer3 head4 query5 key5", without extents of 1.
std::string axes_of(const ArrayReading& reading) {
  const ArrayLayout& first = reading.layouts.front();
  std::string text;
  for (std::size_t i = 0; i < first.axes.size(); ++i) {
    if (first.shape[i] > 1) text += first.axes[i] + std::to_string(first.shape[i]) + " ";
  }
  return text;
}

// The words of all "--arrays …" that a sentence prints, without quotes.
std::vector<std::string> words_in(const std::string& sentence) {
  static const std::regex kFlag("`--arrays ('([^']*)'|[^` ]*)`");
  std::vector<std::string> words;
  for (std::sregex_iterator at(sentence.begin(), sentence.end(), kFlag), end; at != end; ++at) {
    words.push_back((*at)[2].matched ? (*at)[2].str() : (*at)[1].str());
  }
  return words;
}

// True if the sentence names the array or a pattern of it.
bool is_mentioned(const std::string& name, const std::string& sentence) {
  static const std::regex kName("`([^`]*)`");
  for (std::sregex_iterator at(sentence.begin(), sentence.end(), kName), end; at != end; ++at) {
    if (matches((*at)[1].str(), name)) return true;
  }
  return sentence.find("more name") != sentence.npos;
}

struct Tally {
  int certain = 0, likely = 0, second = 0, later = 0, refused = 0, silent = 0;
  int masks = 0, certain_masks = 0, likely_masks = 0, turned_masks = 0, open_masks = 0;
  int silent_masks = 0;
  std::string faults;
};

void count_axes(const RandomFile& file, const ArrayChoices& choices, Tally& tally) {
  const auto& fitting = choices.fitting;
  const auto right = std::ranges::find_if(
      fitting, [&](const ArrayReading& reading) { return axes_of(reading) == file.axes; });
  const bool is_named = !choices.is_certain();
  if (right == fitting.begin()) {
    ++(is_named ? tally.likely : tally.certain);
  } else if (right != fitting.end() && is_named) {
    ++(right == fitting.begin() + 1 ? tally.second : tally.later);
  } else {
    ++tally.silent;
    tally.faults += file.summary + " is read as " + choices.sentence() + "\n";
  }
}

void count_masks(const RandomFile& file, const ArrayChoices& choices, Tally& tally) {
  for (const MaskReading& mask : choices.masks) {
    const auto known = std::ranges::find(file.masks, mask.name, &test::KnownMask::name);
    if (known == file.masks.end()) {
      if (mask.use == MaskUse::NotUsed) continue;
      ++tally.silent_masks;
      tally.faults += file.summary + ": " + mask.name + " is no mask\n";
      continue;
    }
    ++tally.masks;
    const bool is_right = mask.use == (known->true_hides ? MaskUse::Hides : MaskUse::Attends);
    if (mask.is_open() || mask.use == MaskUse::NotUsed) {
      ++tally.open_masks;
    } else if (mask.is_likely()) {
      ++(is_right ? tally.likely_masks : tally.turned_masks);
    } else if (is_right) {
      ++tally.certain_masks;
    } else {
      ++tally.silent_masks;
      tally.faults += file.summary + ": " + choices.sentence() + "\n";
    }
  }
}

TEST_F(RandomFiles, AreNeverReadWronglyInSilence) {
  Tally tally;
  for (std::uint32_t seed = 0; seed < file_count(); ++seed) {
    const RandomFile file = test::random_file(seed);
    const Result<Reading> reading = read(file);
    if (!reading) {
      ++tally.refused;
      tally.faults += file.summary + " is refused: " + describe(reading.error()) + "\n";
      continue;
    }
    const ArrayChoices& choices = *reading->arrays;
    count_axes(file, choices, tally);
    count_masks(file, choices, tally);
    EXPECT_EQ(choices.fitting.front().layouts.front().names.size(), file.numbers.size())
        << file.summary;
    for (const std::string& name : file.names) {
      EXPECT_TRUE(is_mentioned(name, choices.sentence()))
          << file.summary << " does not mention " << name << ": " << choices.sentence();
    }
  }
  const std::string counts =
      "axes: certain " + std::to_string(tally.certain) + ", likely " +
      std::to_string(tally.likely) + ", second named " + std::to_string(tally.second) +
      ", later counted " + std::to_string(tally.later) + ", refused " +
      std::to_string(tally.refused) + "; masks: " + std::to_string(tally.masks) + ", certain " +
      std::to_string(tally.certain_masks) + ", likely " + std::to_string(tally.likely_masks) +
      ", turned and named " + std::to_string(tally.turned_masks) + ", open " +
      std::to_string(tally.open_masks) + "\n";
  RecordProperty("counts", counts);
  if (std::getenv("ATTNSCOPE_RANDOM_FILES") != nullptr) std::printf("%s", counts.c_str());
  EXPECT_EQ(tally.silent + tally.silent_masks + tally.refused, 0) << tally.faults << counts;
  // Half of the files, and most masks, leave no doubt.
  EXPECT_GT(tally.certain + tally.likely, 3 * (tally.second + tally.later)) << counts;
  EXPECT_GT(tally.certain_masks, tally.masks / 2) << counts;
}

TEST_F(RandomFiles, EveryPrintedWordIsReadBack) {
  std::set<std::string> keys;
  for (std::uint32_t seed = 0; seed < file_count() / 4; ++seed) {
    const RandomFile file = test::random_file(seed);
    const Result<Reading> reading = read(file);
    if (!reading) continue;
    for (const std::string& text : words_in(reading->arrays->sentence())) {
      const Result<Reading> other = read(file, text);
      ASSERT_TRUE(other.ok()) << file.summary << ": " << text << ": " << describe(other.error());
      const ArrayWords words = *parse_array_words(text);
      for (const auto& [key, values] : words) keys.insert(key);
      if (const auto axes = words.find("axes"); axes != words.end()) {
        EXPECT_EQ(other->arrays->fitting.front().layouts.front().axes, axes->second)
            << file.summary;
      }
      for (const auto& [key, use] :
           {std::pair{"mask", MaskUse::Attends}, {"hidden", MaskUse::Hides}}) {
        const auto said = words.find(key);
        if (said == words.end()) continue;
        const auto& masks = other->arrays->masks;
        const auto mask = std::ranges::find(masks, said->second.front(), &MaskReading::name);
        ASSERT_NE(mask, masks.end()) << file.summary;
        EXPECT_EQ(mask->use, use) << file.summary << text;
      }
    }
  }
  EXPECT_TRUE(keys.contains("axes"));
  EXPECT_TRUE(keys.contains("mask") || keys.contains("hidden"));
}

TEST_F(RandomFiles, AreReadAlikeInAnyOrder) {
  for (std::uint32_t seed = 0; seed < file_count() / 4; ++seed) {
    RandomFile file = test::random_file(seed);
    const Result<Reading> one = read(file);
    std::ranges::reverse(file.entries);
    const Result<Reading> other = read(file);
    ASSERT_EQ(one.ok(), other.ok()) << file.summary;
    if (!one) continue;
    EXPECT_EQ(one->document, other->document) << file.summary;
    std::multiset<std::string> texts, others;
    for (const ArrayRecord& record : one->arrays->records) texts.insert(record.array + record.text);
    for (const ArrayRecord& record : other->arrays->records)
      others.insert(record.array + record.text);
    EXPECT_EQ(texts, others) << file.summary;
  }
}

TEST_F(RandomFiles, AMaskAndItsNegationMeanTheOpposite) {
  int turned = 0;
  for (std::uint32_t seed = 0; seed < file_count(); ++seed) {
    const RandomFile file = test::random_file(seed);
    const bool is_plain = file.masks.size() == 1 && file.masks.front().name == "attn_mask";
    if (!is_plain) continue;
    const Result<Reading> one = read(file), other = read(test::with_masks_turned(file));
    if (!one || !other || one->arrays->masks.empty() || one->arrays->masks.front().is_open()) {
      continue;
    }
    ASSERT_FALSE(other->arrays->masks.empty());
    const MaskUse use = one->arrays->masks.front().use, negated = other->arrays->masks.front().use;
    // If the axes were read differently, the weights fit neither meaning.
    if (use == MaskUse::NotUsed) {
      EXPECT_EQ(negated, use) << file.summary;
      continue;
    }
    ++turned;
    EXPECT_NE(use, negated) << file.summary;
    EXPECT_EQ(one->document.mask.visible, other->document.mask.visible) << file.summary;
  }
  EXPECT_GT(turned, 5);
}

}  // namespace
}  // namespace attn
