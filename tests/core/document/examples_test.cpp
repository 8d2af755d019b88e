// The built-in examples against their files and against known numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/embedded_assets.h"
#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "plot/all_plots.h"
#include "support/golden.h"

namespace attn {
namespace {

Document example(const std::string& name) {
  const Result<Reading> report = open_document(std::string(kExamplePrefix) + name);
  if (report) return report->document;
  ADD_FAILURE() << describe(report.error());
  return {};
}

// The computed numbers of an example, by tokens.
class Computed {
 public:
  explicit Computed(Document document) : document_(std::move(document)) {
    const Result<ResultPtr> result = compute(make_problem(document_));
    EXPECT_TRUE(result.ok());
    if (result) result_ = *result;
  }
  const AttentionShape& shape() const { return result_->shape(); }
  const Document& document() const { return document_; }
  float weight(std::size_t q, std::size_t k, std::size_t head = 0, std::size_t sample = 0) const {
    return result_->value(Stage::Weights, {0, sample, head}, q, k);
  }
  float weight(const std::string& query, const std::string& key, std::size_t head = 0) const {
    return weight(index(Side::Query, query), index(Side::Key, key), head);
  }
  std::size_t strongest(std::size_t q, std::size_t head = 0) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < shape().n_k; ++k) {
      if (weight(q, k, head) > weight(q, best, head)) best = k;
    }
    return best;
  }
  std::string strongest(const std::string& query, std::size_t head = 0) const {
    return tokens_of(document_, Side::Key)[strongest(index(Side::Query, query), head)];
  }
  std::size_t index(Side side, const std::string& token) const {
    const std::vector<std::string> tokens = tokens_of(document_, side).texts();
    const auto at = std::find(tokens.begin(), tokens.end(), token);
    EXPECT_NE(at, tokens.end()) << token;
    return static_cast<std::size_t>(at - tokens.begin());
  }

 private:
  Document document_;
  ResultPtr result_;
};

TEST(Examples, AreExactlyTheFilesOfTheFolderInTeachingOrder) {
  std::set<std::string> files;
  for (const EmbeddedAsset& asset : embedded_assets()) {
    if (asset.name.starts_with("examples/") || asset.name.starts_with("lessons/")) {
      files.emplace(asset.name);
    }
  }
  std::set<std::string> listed;
  for (const Example& entry : all_examples()) {
    const bool is_lesson = entry.name.starts_with("lesson-");
    listed.insert((is_lesson ? "lessons/" : "examples/") + std::string(entry.name) + ".attn.json");
  }
  EXPECT_EQ(listed, files);
  ASSERT_EQ(all_examples().size(), 66U);
  EXPECT_EQ(first_example(), "example:i-love-cats");
}

TEST(Examples, OfAGroupStandTogether) {
  std::vector<std::string_view> groups;
  for (const Example& entry : all_examples()) {
    EXPECT_FALSE(entry.group.empty()) << entry.name;
    EXPECT_EQ(entry.group.find('/'), std::string_view::npos) << "it is part of a menu's path";
    if (groups.empty() || groups.back() != entry.group) groups.push_back(entry.group);
  }
  EXPECT_EQ(std::set(groups.begin(), groups.end()).size(), groups.size());
  EXPECT_EQ(groups[0], "Models that read your sentence");
  EXPECT_EQ(groups[1], "Lessons");
}

// True if the words refer the reader to that plot.
bool speaks_of(const std::string& words, const PlotEntry& plot) {
  const bool usual = plot.name == kUsualPlot && words.find("heatmap") != std::string::npos;
  return usual || words.find(std::string(plot.label) + " plot") != std::string::npos;
}

TEST(Examples, OpenThePlotsThatTheirWordsSpeakOf) {
  std::set<std::string_view> spoken_of;
  for (const Example& entry : all_examples()) {
    std::set<std::string> open;
    const Document document = example(std::string(entry.name));
    const Panes panes = document.panes.value_or(Panes{});
    for (const Pane* pane : panes_of(panes.layout)) open.insert(pane->view.plot);
    for (const PlotEntry& plot : all_plots()) {
      const bool speaks = speaks_of(entry.description, plot);
      if (speaks) spoken_of.insert(plot.name);
      const bool shown = open.contains(std::string(plot.name));
      EXPECT_TRUE(!speaks || shown) << entry.name << " does not open " << plot.name;
      const bool usual = plot.name == kUsualPlot;
      EXPECT_TRUE(usual || !shown || speaks) << entry.name << " says nothing of " << plot.name;
    }
  }
  EXPECT_GE(spoken_of.size(), 8U);
}

TEST(Examples, OpenTheStagesThatTheirWordsCompare) {
  const std::pair<std::string, std::set<Stage>> kCompared[] = {
      {"todays-block", {Stage::Hidden, Stage::Gate, Stage::Activated}},
      {"mask-and-bias", {Stage::Weights, Stage::Scores, Stage::Masked}},
      {"temperature-softcap", {Stage::Weights, Stage::Scaled, Stage::Softcapped}},
      {"grouped-query", {Stage::Weights, Stage::Key}},
      {"multi-query", {Stage::Query, Stage::Key}},
      {"rope", {Stage::Scaled}}};
  for (const auto& [name, stages] : kCompared) {
    std::set<Stage> open;
    const Document document = example(name);
    ASSERT_TRUE(document.panes) << name;
    for (const Pane* pane : panes_of(document.panes->layout)) open.insert(pane->view.options.stage);
    EXPECT_EQ(open, stages) << name;
  }
}

TEST(Examples, HaveOneOfThousandsOfTokensInAFewBytes) {
  const auto all = all_examples();
  const auto entry = std::ranges::find(all, "long-window", &Example::name);
  ASSERT_NE(entry, all.end());
  EXPECT_LT(entry->json.size(), 1500U);
  const Computed window(example("long-window"));
  EXPECT_EQ(window.shape().n_q, 4096U);
  for (const auto& [key, is_seen] :
       {std::pair{63U, true}, std::pair{64U, false}, std::pair{2488U, false},
        std::pair{2489U, true}, std::pair{3000U, true}, std::pair{3001U, false}}) {
    EXPECT_EQ(window.weight(3000, key) > 0.0F, is_seen) << key;
  }
}

std::ptrdiff_t sentences(const std::string& text) {
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends = text[i] == '.' && (i + 1 == text.size() || text[i + 1] == ' ');
    count += ends ? 1 : 0;
  }
  return count;
}

TEST(Examples, HaveATitleAndTwoSentencesOnWhatToLookAt) {
  for (const Example& entry : all_examples()) {
    EXPECT_FALSE(entry.title.empty()) << entry.name;
    if (entry.name.starts_with("lesson-")) continue;  // its steps say it
    EXPECT_EQ(sentences(entry.description), 2) << entry.name << ": " << entry.description;
  }
}

// Texts that leave numbers to be generated, or use another form, are written out in full.
bool is_in_another_form(const Reading& report) {
  return std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& note) {
    return note.find("generated") != note.npos || note.find("transposed") != note.npos;
  });
}

TEST(Examples, AreLaidOutAsTheProgramWritesThem) {
  for (const Example& entry : all_examples()) {
    const std::string name = std::string(kExamplePrefix) + std::string(entry.name);
    const Reading report = *open_document(name);
    const std::string written = write_document(report.document);
    EXPECT_TRUE(read_document(written, name)->document == report.document) << entry.name;
    if (is_in_another_form(report)) continue;
    const std::string folder = entry.name.starts_with("lesson-") ? "lessons/" : "examples/";
    EXPECT_TRUE(test::matches_asset(written, folder + std::string(entry.name) + ".attn.json"));
  }
}

TEST(Examples, UnknownNamesGetTheNearestKnownOne) {
  const auto refused = open_document("example:i-love-cat");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().hint, "did you mean example:i-love-cats?");
  EXPECT_EQ(refused.error().kind, ErrorKind::BadInput);
}

TEST(Examples, ILoveCatsGivesTheWeightsOfTheBook) {
  const Computed cats(example("i-love-cats"));
  EXPECT_EQ(cats.shape().d_k, 2U);
  EXPECT_NEAR(cats.weight("I", "I"), 0.4555F, 5e-5F);
  EXPECT_NEAR(cats.weight("I", "love"), 0.2246F, 5e-5F);
  EXPECT_NEAR(cats.weight("I", "cats"), 0.3199F, 5e-5F);
  const Computed changed(*with_cell(cats.document(), {"/q", {}}, 0, 0, 3.0F));
  EXPECT_NE(changed.weight("I", "I"), cats.weight("I", "I"));
  EXPECT_EQ(changed.weight("love", "I"), cats.weight("love", "I")) << "other rows stand still";
}

TEST(Examples, TranslationAlignsEachWordWithItsSource) {
  const Computed translation(example("translation-alignment"));
  EXPECT_TRUE(translation.document().cross);
  EXPECT_EQ(translation.weight("I", "我"), 0.92F);
  EXPECT_EQ(translation.weight("love", "PythonAI"), 0.05F);
  EXPECT_EQ(translation.weight("PythonAI", "PythonAI"), 0.94F);
  EXPECT_EQ(translation.weight("PythonAI", "我"), 0.02F);
}

TEST(Examples, RandomBatchHidesItsThirdKeyEverywhere) {
  const Computed batch(example("random-batch"));
  EXPECT_EQ(batch.shape().samples, 2U);
  EXPECT_EQ(batch.shape().heads, 2U);
  EXPECT_EQ(batch.shape().d_k, 4U);
  std::set<float> seen;
  for (std::size_t sample = 0; sample < 2; ++sample) {
    for (std::size_t head = 0; head < 2; ++head) {
      for (std::size_t q = 0; q < 3; ++q) {
        EXPECT_EQ(batch.weight(q, 2, head, sample), 0.0F);
        EXPECT_NEAR(batch.weight(q, 0, head, sample) + batch.weight(q, 1, head, sample), 1.0F,
                    1e-6F);
        seen.insert(batch.weight(q, 0, head, sample));
      }
    }
  }
  EXPECT_EQ(seen.size(), 12U) << "the numbers differ";
}

TEST(Examples, ItMeansTheAnimal) {
  const Computed animal(example("the-animal-was-tired"));
  EXPECT_EQ(animal.strongest("it"), "animal");
  EXPECT_GT(animal.weight("it", "animal"), 0.5F);
  EXPECT_TRUE(std::holds_alternative<AttentionLayer>(animal.document().model));
  const std::size_t row = animal.index(Side::Query, "animal");
  const Computed lifeless(*with_cell(animal.document(), {"/embeddings", {}}, row, 1, 0.0F));
  EXPECT_EQ(lifeless.weight("it", "street"), lifeless.weight("it", "animal"));
}

TEST(Examples, FourHeadsHaveFourHabits) {
  const Computed heads(example("four-heads"));
  ASSERT_EQ(heads.shape().heads, 4U);
  const std::size_t n = heads.shape().n_q;
  for (std::size_t q = 0; q < n; ++q) {
    float neighbours = 0.0F;
    if (q > 0) neighbours += heads.weight(q, q - 1, 0);
    if (q + 1 < n) neighbours += heads.weight(q, q + 1, 0);
    EXPECT_GT(neighbours, 0.95F) << "head 0, query " << q;
    const std::size_t far = heads.strongest(q, 3);
    EXPECT_GE(std::max(q, far) - std::min(q, far), 5U) << "head 3, query " << q;
  }
  EXPECT_EQ(heads.strongest("sat", 1), "cat");
  EXPECT_EQ(heads.strongest("was", 1), "it");
  EXPECT_EQ(heads.strongest("it", 2), "cat");
  EXPECT_GT(heads.weight("it", "cat", 2), 0.5F);
  EXPECT_NEAR(heads.weight("on", "mat", 1), 0.1F, 1e-6F) << "nothing to ask, so even";
}

TEST(Examples, TheDecoderNeverLooksAhead) {
  const Computed decoder(example("causal-decoder"));
  EXPECT_EQ(decoder.weight(0, 0), 1.0F);
  const Computed open(with_causal(decoder.document(), false));
  for (std::size_t head = 0; head < decoder.shape().heads; ++head) {
    for (std::size_t q = 0; q < decoder.shape().n_q; ++q) {
      for (std::size_t k = 0; k < decoder.shape().n_k; ++k) {
        EXPECT_EQ(decoder.weight(q, k, head) == 0.0F, k > q);
        EXPECT_GT(open.weight(q, k, head), 0.0F);
      }
    }
  }
}

TEST(Examples, NobodyAttendsToPadding) {
  const Computed batch(example("padding-batch"));
  ASSERT_EQ(batch.shape().samples, 3U);
  std::size_t before = 0;
  for (std::size_t sample = 0; sample < 3; ++sample) {
    const std::vector<std::string> tokens = tokens_of(batch.document(), Side::Key, sample).texts();
    const auto real = tokens.size() - static_cast<std::size_t>(std::count(
                                          tokens.begin(), tokens.end(), std::string(kPadToken)));
    EXPECT_GT(real, before) << "the sentence grows";
    before = real;
    for (std::size_t q = 0; q < tokens.size(); ++q) {
      for (std::size_t k = 0; k < tokens.size(); ++k) {
        const bool hidden = tokens[q] == kPadToken || tokens[k] == kPadToken;
        if (hidden) {
          EXPECT_EQ(batch.weight(q, k, 0, sample), 0.0F) << sample << q << k;
        }
      }
    }
  }
}

TEST(Examples, FrenchAdjectivesCrossTheirNouns) {
  const Computed cross(example("cross-attention-fr-en"));
  EXPECT_EQ(cross.shape().n_q, 12U);
  EXPECT_EQ(cross.shape().n_k, 12U);
  const std::pair<const char*, const char*> pairs[] = {
      {"The", "Le"},  {"black", "noir"}, {"cat", "chat"},     {"sleeps", "dort"},
      {"on", "sur"},  {"the", "la"},     {"red", "rouge"},    {"chair", "chaise"},
      {"in", "dans"}, {"a", "une"},      {"large", "grande"}, {"house", "maison"}};
  for (const auto& [english, french] : pairs) {
    EXPECT_EQ(cross.strongest(english), french);
    EXPECT_GT(cross.weight(english, french), 0.5F) << english;
  }
}

TEST(Examples, TransformerBlocksShowEveryValueOnTheWay) {
  const Document document = example("transformer-blocks");
  const Result<ResultPtr> result = compute(make_problem(document));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)->shape().layers, 2U);
  for (std::size_t q = 0; q < 6; ++q) {
    for (std::size_t c = 0; c < 8; ++c) {
      EXPECT_EQ((*result)->value(Stage::BlockInput, {1, 0, 0}, q, c),
                (*result)->value(Stage::BlockOutput, {0, 0, 0}, q, c));
    }
  }
  EXPECT_TRUE((*result)->has(Stage::AttentionNorm));
  EXPECT_TRUE((*result)->has(Stage::FinalNorm));
}

}  // namespace
}  // namespace attn
