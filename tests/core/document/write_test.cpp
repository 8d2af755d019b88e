// Documents that are written are read back bit for bit, and are formatted for people.
#include "document/json/write.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/joined.h"
#include "base/json_writer.h"
#include "document/edit.h"
#include "document/json/document_text.h"
#include "document/json/tensors.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "documents.h"
#include "view/fields.h"

namespace attn {
namespace {

using test::random_document;
using test::read_ok;

// Counts the rules that change nothing because the rule that they belong to is missing; reading
// notes each of them, and also a scaling by 1, dropout, and settings of other kinds of model.
std::size_t idle_rules(const Mask& mask, bool has_positions) {
  const bool knows_distances =
      mask.causal || mask.window || mask.alibi || mask.relative || has_positions;
  return (!mask.causal_offset.empty() && !knows_distances ? 1U : 0U) +
         (!mask.prefix.empty() && !mask.causal ? 1U : 0U) +
         (mask.sink_tokens > 0 && !mask.window ? 1U : 0U);
}

// Positions have no effect on the cross-attention of a decoder, whose keys were encoded before.
std::size_t idle_rules(const Document& document) {
  bool positions = document.position.kind != PositionKind::None;
  const Stack* const stack = stack_of(document.model);
  Mask own = attentions_of(document).size() == 1 ? document.mask : document.self_mask;
  for (const TransformerBlock& block : stack == nullptr ? Stack{}.blocks : stack->blocks) {
    if (block.rules.window) own.window = block.rules.window;
    positions = positions || (block.rules.position && is_there(*block.rules.position));
  }
  const bool drops = stack != nullptr && stack->dropout > 0.0F;
  const bool scales_by_nothing = is_turned(document.position) && document.position.factor == 1.0F &&
                                 document.position.scaling != RopeScaling::None;
  const bool keeps_stack = document.kept.stack != Stack{},
             keeps_d_a = document.kept.d_a.has_value();
  const std::size_t others = (drops ? 1U : 0U) + (scales_by_nothing ? 1U : 0U) +
                             (keeps_stack ? 1U : 0U) + (keeps_d_a ? 1U : 0U);
  if (attentions_of(document).size() == 1) return others + idle_rules(own, positions);
  return others + idle_rules(document.mask, false) + idle_rules(own, positions);
}

// Counts the parts that the views name and the document lacks.
std::size_t missing_in_views(const Document& document) {
  std::size_t count = 0;
  for (const Pane* pane :
       document.panes ? panes_of(document.panes->layout) : std::vector<const Pane*>()) {
    count += missing_in_view(document, pane->view.options).size();
  }
  return count;
}

TEST(Write, GivesBackRandomDocumentsOfEveryFormBitForBit) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Document document = random_document(seed);
    ASSERT_TRUE(check(document).ok()) << seed << describe(check(document).error());
    const std::string text = write_document(document);
    const Result<Reading> read = read_document(text, "random");
    ASSERT_TRUE(read.ok()) << seed << "\n" << describe_in_full(read.error()) << text;
    ASSERT_EQ(read->document, document) << seed << "\n" << text;
    ASSERT_EQ(write_document(read->document), text) << seed;
    if (std::holds_alternative<GivenWeights>(document.model)) continue;
    EXPECT_EQ(read->notes.size(), idle_rules(document) + missing_in_views(document))
        << seed << "\n"
        << joined(read->notes, "\n");
  }
}

TEST(Write, GivesBackReferencesToFiles) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Document document = test::with_files(random_document(seed), random);
    KnownArrays known, again;
    const std::string text = write_document(document, nullptr, &known);
    ReadOptions options;
    options.known = &known;
    options.opens_files = false;
    const Result<Reading> read = read_document(text, "random", options);
    ASSERT_TRUE(read.ok()) << seed << "\n" << describe_in_full(read.error()) << text;
    ASSERT_EQ(read->document, document) << seed << "\n" << text;
    ASSERT_EQ(write_document(read->document, nullptr, &again), text) << seed;
  }
}

// Only weights that reading would take for causal are written as not causal.
TEST(Write, SaysThatLowerTriangularWeightsAreNotCausal) {
  const Document causal = read_ok(R"({"attention": [[1, 0], [0.5, 0.5]]})").document;
  EXPECT_NE(write_document(causal).find("\"causal\": true"), std::string::npos);
  const Document shown = with_causal(causal, false);
  const std::string text = write_document(shown);
  EXPECT_NE(text.find("\"causal\": false"), std::string::npos);
  EXPECT_EQ(read_ok(text).document, shown);
  EXPECT_FALSE(read_ok(write_document(causal)).assumed_causal) << "it is said now";
  const Document full = read_ok(R"({"attention": [[0.5, 0.5], [0.5, 0.5]]})").document;
  EXPECT_EQ(write_document(full).find("\"mask\""), std::string::npos);
}

TEST(Write, GivesBackWhatWasGenerated) {
  for (const char* form : {R"(["a", "b"])", R"({"tokens": [["a", "b"], ["c"]]})",
                           R"({"query_tokens": ["a"], "key_tokens": [["x", "y"], ["z"]]})"}) {
    const Document document = read_ok(form).document;
    EXPECT_EQ(read_ok(write_document(document)).document, document) << form;
  }
}

TEST(Write, GivesBackLayoutsWhateverTheirShares) {
  for (const char* layout :
       {R"({"split": "right", "parts": [{"share": 0.1}, {"share": 0.7}, {"share": 0.1}]})",
        R"({"split": "down", "parts": [{"share": 0.3}, {"share": 0.6}, {}]})",
        R"({"split": "down", "parts": [{"share": 1e-45}, {"share": 1}]})",
        R"({"parts": [{}, {"focused": true}, {}]})"}) {
    const std::string text = R"({"tokens": ["a"], "layout": )" + std::string(layout) + "}";
    const Document document = read_ok(text).document;
    EXPECT_NE(pane_of(document.panes->layout, document.panes->focus), nullptr) << layout;
    EXPECT_GE(panes_of(document.panes->layout).size(), 2U) << layout;
    const std::string written = write_document(document);
    EXPECT_EQ(read_ok(written).document, document) << layout;
    EXPECT_EQ(written.find("\"share\": 1,"), std::string::npos) << "all of it goes without saying";
  }
}

TEST(Write, IndentsRowsOfHeadsDeeperThanTheHeads) {
  const std::string text = write_document(
      read_ok(R"({"q": [[[1], [2]], [[3], [4]]], "k": [[[1], [2]]], "v": [[[1], [2]]]})").document);
  EXPECT_NE(text.find("  \"q\": [\n    [\n      [1],\n      [2]\n    ],\n    [\n      [3],"),
            std::string::npos)
      << text;
}

TEST(Write, LaysOutOneMatrixRowPerLine) {
  const std::string text =
      write_document(read_ok(R"({"tokens": ["a", "b"], "q": [[1, -0.0], [0.1, "nan"]],
      "k": [[1, 2], [3, 4]], "v": [[1], [2]]})")
                         .document);
  EXPECT_EQ(text, R"({
  "$schema": "attnscope.schema.json",
  "attnscope": 1,
  "tokens": ["a", "b"],
  "q": [
    [1, -0],
    [0.1, "nan"]
  ],
  "k": [
    [1, 2],
    [3, 4]
  ],
  "v": [
    [1],
    [2]
  ],
  "seed": 1
}
)");
}

TEST(Write, GivesTokensToOtherObjects) {
  for (const char* text :
       {R"({"tokens": ["a", "b"]})", R"({"query_tokens": 2, "key_tokens": ["x"]})"}) {
    std::string out;
    ObjectWriter object(out, 0);
    write_tokens(object, read_ok(text).document);
    object.end();
    EXPECT_EQ(nlohmann::json::parse(out), nlohmann::json::parse(text));
  }
}

// Members that describe the text or have no effect in it are kept as its author wrote them.
TEST(Write, KeepsWhatHasNoEffect) {
  constexpr const char* kTokens = R"({"tokens": ["a", "b"], )";
  for (const char* member : {R"("$schema": "../mine.schema.json")", R"("description": "")",
                             R"("title": "")", R"("source": "")", R"("dropout": 0.25)",
                             R"("norms": {"order": "pre", "kind": "rms", "eps": 1e-06})"}) {
    const Document document = read_ok(std::string(kTokens) + member + "}").document;
    const auto written = nlohmann::json::parse(write_document(document));
    const auto given = nlohmann::json::parse(std::string("{") + member + "}");
    for (const auto& [key, value] : given.items()) {
      ASSERT_TRUE(written.contains(key)) << key;
      EXPECT_EQ(written[key], value);
    }
    EXPECT_EQ(read_ok(write_document(document)).document, document) << member;
  }
}

TEST(Write, KeepsSettingsWithoutAUseInsideRules) {
  for (const char* rule :
       {R"({"scoring": {"function": "dot", "d_a": 5}})", R"({"scoring": {"d_a": 5}})",
        R"({"position": {"kind": "none", "base": 500, "rotary_dim": 2}})",
        R"({"position": {"kind": "rope", "factor": 4}})",
        R"({"position": {"kind": "learned", "layout": "halves", "factor": 2}})",
        R"({"mask": {"causal": false, "prefix": 1, "sink_tokens": 2, "causal_offset": 3}})"}) {
    const auto given = nlohmann::json::parse(rule);
    auto text = given;
    text["tokens"] = {"a", "b"};
    const Document document = read_ok(text.dump()).document;
    const auto written = nlohmann::json::parse(write_document(document));
    const std::string key = given.begin().key();
    ASSERT_TRUE(written.contains(key)) << rule;
    for (const auto& [name, value] : given.begin()->items()) {
      EXPECT_EQ(written[key].value(name, nlohmann::json()), value) << rule;
    }
    EXPECT_EQ(read_ok(write_document(document)).document, document) << rule;
  }
}

TEST(Write, KeepsTheHiddenUnitsOfGivenWeights) {
  for (const char* function : {"additive", "dot"}) {
    const Reading reading = read_ok(R"({"attention": [[1]], "scoring": {"function": ")" +
                                    std::string(function) + R"(", "d_a": 5}})");
    EXPECT_EQ(reading.notes.size(), 1U) << function;
    const auto written = nlohmann::json::parse(write_document(reading.document));
    EXPECT_EQ(written["scoring"].value("d_a", 0), 5) << function;
  }
}

TEST(Write, KeepsTheDropoutOfARecurrentDocument) {
  const Document document =
      read_ok(R"({"tokens": ["a", "b"], "recurrent": {"hidden": 2}, "dropout": 0.5})").document;
  EXPECT_EQ(nlohmann::json::parse(write_document(document)).value("dropout", 0.0), 0.5);
}

TEST(Write, IsJsonToOtherReadersToo) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto parsed = nlohmann::json::parse(write_document(random_document(seed)));
    EXPECT_EQ(parsed["attnscope"], 1);
  }
}

// --- random documents have every key, so that none is left out of these tests

// Keys that are read but not written: other keys hold their contents in full.
const std::set<std::string> kReadAlone = {
    "kv_heads",
    "d_model",
    "projections/w_qkv",
    "projections/b_qkv",
    "recurrent/hidden",
    "recurrent/d_out",
    "recurrent/bidirectional",
    "recurrent/order",
    "mask/key_lengths",
    "mask/query_lengths",
    "feed_forward/order",
    "feed_forward/d_ff",
};

class Keys {
 public:
  Keys() {
    list("", kDocumentObject);
    list("tokens", kCountedObject);
    list("file", kReferenceObject);
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      if (!field.alias) options_.insert(std::string(field.name));
    }
  }

  // Crosses out the keys that a written document has.
  void see(const std::string& text) { see(nlohmann::json::parse(text), kDocumentObject); }

  // Returns the keys that were never seen, with the key of their object.
  std::set<std::string> never() const {
    std::set<std::string> names = options_;
    for (const auto& [row, name] : names_) names.insert(name);
    return names;
  }

 private:
  void list(std::string_view key, const Object& object) {
    for (const Row& row : object.rows) {
      const std::string place = key.empty() ? "" : std::string(key) + "/";
      const bool is_new = names_.try_emplace(&row, place + std::string(row.key)).second;
      if (is_new && row.form.object != nullptr) list(row.key, *row.form.object);
    }
  }

  // Objects that may stand where lists usually do have no form of their own.
  static const Object& object_in(const Row& row, const nlohmann::json& member) {
    if (row.form.object != nullptr) return *row.form.object;
    if (member.contains("file")) return kReferenceObject;
    return kCountedObject;
  }

  void see(const nlohmann::json& value, const Object& object) {
    for (const nlohmann::json& item : value.is_array() ? value : nlohmann::json::array())
      see(item, object);
    if (!value.is_object()) return;
    for (const auto& [key, member] : value.items()) {
      const Row* const row = row_of(object, key);
      if (row == nullptr) continue;
      names_.erase(row);
      see(member, key == "parts" ? object : object_in(*row, member));
      if (key != "view") continue;
      for (const auto& [option, setting] : member.items()) options_.erase(option);
    }
  }

  std::map<const Row*, std::string> names_;
  std::set<std::string> options_;
};

// Keys of models in folders and of matrices in files, which folder_test and matrix_parts_test
// write.
const std::set<std::string> kOfFolders = {
    "model",        "model/folder", "model/ids",     "text",        "edits",
    "edits/tensor", "edits/cells",  "edits/numbers", "file/turned", "file/part",
    "part/first",   "part/count",   "part/every"};

TEST(RandomDocuments, HaveEveryKeyThatIsWritten) {
  Keys keys;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    KnownArrays known;
    const Document document = test::random_document(seed);
    keys.see(write_document(document));
    keys.see(write_document(test::with_files(document, random), nullptr, &known));
  }
  std::set<std::string> others = kReadAlone;
  others.insert(kOfFolders.begin(), kOfFolders.end());
  EXPECT_EQ(keys.never(), others);
}

}  // namespace
}  // namespace attn
