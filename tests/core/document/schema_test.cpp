// The JSON Schema against the reader, in both directions.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "attention/stage.h"
#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "documents.h"
#include "schema_validator.h"
#include "support/shared_data.h"
#include "view/fields.h"

namespace attn {
namespace {

using Json = nlohmann::json;
using test::between;
using test::random_document;
using test::schema_errors;

const Json& schema() {
  static const Json parsed = Json::parse(document_schema());
  return parsed;
}

bool schema_accepts(const std::string& text) {
  return schema_errors(schema(), Json::parse(text)).empty();
}

bool reader_accepts(const std::string& text) { return read_document(text, "text").ok(); }

TEST(Schema, UsesOnlyKeywordsThatTheTestUnderstands) {
  EXPECT_EQ(test::unknown_keywords(schema()), std::vector<std::string>{});
  EXPECT_EQ(test::unknown_keywords({{"items", {{"minLength", 1}}}}),
            std::vector<std::string>{"minLength"});
}

TEST(Schema, DescribesEveryKeyForPeopleInAnEditor) {
  const Json& properties = schema()["definitions"]["document"]["properties"];
  for (const auto& [key, property] : properties.items()) {
    EXPECT_TRUE(property.contains("description")) << key;
    const Json parts = property.value("properties", Json::object());
    for (const auto& [inner, part] : parts.items()) {
      EXPECT_TRUE(part.contains("description")) << key << "/" << inner;
    }
  }
}

TEST(Schema, NamesTheStagesThatThereAre) {
  Json names = Json::array();
  for (const StageInfo& info : all_stages()) names.push_back(info.name);
  const Json& view = schema()["definitions"]["view"]["properties"];
  EXPECT_EQ(view["stage"]["enum"], names);
}

TEST(Schema, SaysOfEveryScoringFunctionAndNormaliserWhatItIs) {
  const Json& scoring = schema()["definitions"]["document"]["properties"]["scoring"]["properties"];
  const auto says = [&](const char* key, std::string_view name) {
    const std::string words = scoring[key]["description"];
    return words.find(name) != std::string::npos;
  };
  for (const auto& info : all_scoring_functions()) EXPECT_TRUE(says("function", info.name));
  for (const auto& info : all_normalisers()) EXPECT_TRUE(says("normaliser", info.name));
}

TEST(Schema, HasEveryOptionOfPlotsInTheView) {
  const Json& view = schema()["definitions"]["view"]["properties"];
  EXPECT_EQ(view.size(), plot_option_fields().size() + 1);  // and the plot
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    ASSERT_TRUE(view.contains(field.name)) << field.name;
    const Json& property = view[std::string(field.name)];
    if (field.kind == FieldKind::Choice && !field.grows) {
      EXPECT_EQ(property["enum"], Json(field.choices)) << field.name;
    }
    if (property.contains("maximum")) {
      EXPECT_EQ(property["maximum"], field.maximum) << field.name;
      EXPECT_EQ(property["minimum"], field.minimum) << field.name;
    }
  }
}

TEST(Schema, AcceptsTheExamplesAndWhatTheProgramWrites) {
  for (const Example& example : all_examples()) {
    EXPECT_EQ(schema_errors(schema(), Json::parse(example.json)), std::vector<std::string>{})
        << example.name;
  }
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const std::string text = write_document(random_document(seed));
    EXPECT_EQ(schema_errors(schema(), Json::parse(text)), std::vector<std::string>{}) << text;
  }
}

// Makes sure that no tensor of any kind of model is missing from the schema, or described as
// anything else.
TEST(Schema, AndReaderRefuseWhatIsNoNumbersWhereverATensorStands) {
  std::size_t tried = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Document document = random_document(seed);
    const Json written = Json::parse(write_document(document));
    for (const TensorInfo& info : tensors_of(document)) {
      if (!info.is_there()) continue;
      Json changed = written;
      changed[Json::json_pointer(info.path)] = "numbers";
      EXPECT_FALSE(schema_errors(schema(), changed).empty()) << info.path;
      EXPECT_FALSE(reader_accepts(changed.dump())) << info.path;
      ++tried;
    }
  }
  EXPECT_GT(tried, 150U);
}

TEST(Schema, AcceptsRealData) {
  const auto file = test::shared_file("data/stories260k_layer1.attn.json");
  ATTNSCOPE_SKIP_WITHOUT(file);
  EXPECT_TRUE(schema_accepts(test::read_text(*file)));
}

TEST(Schema, AndReaderAcceptTheSameDocuments) {
  for (const char* text :
       {R"(["a"])", R"([["a"], ["b", "c"]])", R"({"tokens": ["a"], "attnscope": 1})",
        R"({"attention": [0.5, 0.5]})", R"({"query_tokens": ["a"], "key_tokens": ["b", "c"]})",
        R"({"tokens": 3})", R"({"query_tokens": 2, "key_tokens": {"count": 3.0}})",
        R"([["a"], {"count": 3, "names": {"0": "b", "2": ""}}])",
        R"({"q": [["nan", 1]], "k": [[1, 2]], "v": [["-inf"]]})",
        R"({"axes": ["sample", "token", "feature"], "q": [[[1]]], "k": [[[1]]], "v": [[[1]]]})",
        R"({"axes": ["key", "query"], "attention": [[1]]})",
        R"({"embeddings": [[1, 2]], "projections": {"w_o": null, "b_q": null}})",
        R"({"embeddings": [[1]], "value_embeddings": [[1, 2]]})",
        R"({"tokens": ["a"], "query_embeddings": [[1]], "key_embeddings": [[1]]})",
        R"({"tokens": ["a"], "heads": 2.0, "d_model": 4, "seed": 0})",
        R"({"tokens": ["a"], "mask": {"causal": true, "causal_offset": -2, "key_padding": [1],
               "query_padding": [[true]], "visible": [true], "bias": [[0.5]]}})",
        R"({"tokens": ["a"], "scoring": {"function": "scaled_dot", "scale": -1, "softcap": 2},
               "position": "none", "view": {"stage": "scores", "head": 0, "values": false}})",
        R"({"query_tokens": ["a"], "key_tokens": ["b", "c"], "d_model": 4,
               "blocks": [{"cross_projections": {"b_o": [1, 2, 3, 4]}, "cross_norm": {}}],
               "self_mask": {"causal": true}, "view": {"attention": "self"}})"}) {
    EXPECT_TRUE(reader_accepts(text)) << text;
    EXPECT_TRUE(schema_accepts(text)) << text;
  }
}

TEST(Schema, AndReaderRefuseTheSameDocuments) {
  for (const char* text : {"[]",
                           "[1]",
                           R"([["a"], "b"])",
                           "{}",
                           "null",
                           "3",
                           R"({"tokens": []})",
                           R"({"tokens": [1]})",
                           R"({"tokens": 0})",
                           R"({"tokens": -1})",
                           R"({"tokens": 1.5})",
                           R"({"tokens": "3"})",
                           R"({"tokens": [["a"], 3]})",
                           R"({"tokens": {}})",
                           R"({"tokens": {"count": 0}})",
                           R"({"tokens": {"names": {}}})",
                           R"({"tokens": {"count": 2, "name": {}}})",
                           R"({"tokens": {"count": 2, "names": ["a"]}})",
                           R"({"tokens": {"count": 2, "names": {"0": 1}}})",
                           R"({"count": 2})",
                           R"({"tokenz": ["a"]})",
                           R"({"query_tokens": ["a"]})",
                           R"({"tokens": ["a"], "attnscope": 2})",
                           R"({"tokens": ["a"], "query_tokens": ["a"]})",
                           R"({"q": [[1]], "v": [[1]]})",
                           R"({"q": [1], "k": [[1]], "v": [[1]]})",
                           R"({"q": [["1"]], "k": [[1]], "v": [[1]]})",
                           R"({"q": [[]], "k": [[1]], "v": [[1]]})",
                           R"({"q": [[[[[[1]]]]]], "k": [[1]], "v": [[1]]})",
                           R"({"q": [[true]], "k": [[1]], "v": [[1]]})",
                           R"({"q": [[1e99]], "k": [[1]], "v": [[1]]})",
                           R"({"q": [[1, null]], "k": [[1, 1]], "v": [[1]]})",
                           R"({"q": [[1]], "k": [[1]], "v": [[1]], "attention": [[1]]})",
                           R"({"q": [[1]], "k": [[1]], "v": [[1]], "embeddings": [[1]]})",
                           R"({"q": [[1]], "k": [[1]], "v": [[1]], "projections": {}})",
                           R"({"q": [[1]], "k": [[1]], "v": [[1]], "d_model": 1})",
                           R"({"attention": [[1]], "embeddings": [[1]]})",
                           R"({"attention": 1})",
                           R"({"attention": [[[[[[1]]]]]]})",
                           R"({"tokens": ["a"], "axes": ["query", "key"]})",
                           R"({"attention": [[1]], "axes": ["token", "feature"]})",
                           R"({"attention": [[1]], "axes": ["query", "query"]})",
                           R"({"embeddings": [1]})",
                           R"({"embeddings": [[1]], "key_embeddings": [[1]]})",
                           R"({"query_embeddings": [[1]]})",
                           R"({"key_embeddings": [[1]]})",
                           R"({"tokens": ["a"], "value_embeddings": [[1]]})",
                           R"({"query_tokens": ["a"], "key_tokens": ["b"], "embeddings": [[1]]})",
                           R"({"tokens": ["a"], "heads": 0})",
                           R"({"tokens": ["a"], "heads": 1.5})",
                           R"({"tokens": ["a"], "seed": -1})",
                           R"({"tokens": ["a"], "seed": "1"})",
                           R"({"tokens": ["a"], "title": 1})",
                           R"({"tokens": ["a"], "position": "rotary"})",
                           R"({"tokens": ["a"], "position": {"base": 0}})",
                           R"({"tokens": ["a"], "position": {"layout": "half"}})",
                           R"({"tokens": ["a"], "position": {"rotary_dim": 1}})",
                           R"({"tokens": ["a"], "kv_heads": 0})",
                           R"({"tokens": ["a"], "blocks": 0})",
                           R"({"tokens": ["a"], "blocks": []})",
                           R"({"tokens": ["a"], "blocks": 1, "dropout": 1})",
                           R"({"tokens": ["a"], "blocks": 1, "dropout": -0.1})",
                           R"({"tokens": ["a"], "blocks": 1, "norms": {"eps": 0}})",
                           R"({"tokens": ["a"], "blocks": [{"norm": {}}]})",
                           R"({"tokens": ["a"], "norms": {"order": "before"}})",
                           R"({"tokens": ["a"], "blocks": 1, "self_mask": {}})",
                           R"({"query_tokens": ["a"], "key_tokens": ["b"], "self_mask": {}})",
                           R"({"query_embeddings": [[1]], "key_embeddings": [[1]],
                               "value_embeddings": [[1]], "blocks": 1})",
                           R"({"tokens": ["a"], "view": {"attention": "both"}})",
                           R"({"tokens": ["a"], "norms": {"eps": 0}})",
                           R"({"tokens": ["a"], "dropout": 1})",
                           R"({"tokens": ["a"], "projections": {"order": "out"}})",
                           R"({"tokens": ["a"], "projections": {"w_q": [1]}})",
                           R"({"tokens": ["a"], "projections": {"w_q": null}})",
                           R"({"tokens": ["a"], "projections": {"w_x": [[1]]}})",
                           R"({"tokens": ["a"], "scoring": {"function": "cosine"}})",
                           R"({"tokens": ["a"], "scoring": {"temperature": 0}})",
                           R"({"tokens": ["a"], "scoring": {"normaliser": "max"}})",
                           R"({"tokens": ["a"], "scoring": {"sinks": []}})",
                           R"({"tokens": ["a"], "scoring": {"sinks": "inf"}})",
                           R"({"tokens": ["a"], "scoring": {"w": [1]}})",
                           R"({"tokens": ["a"], "scoring": {"d_a": 0}})",
                           R"({"tokens": ["a"], "scoring": {"softcap": 0}})",
                           R"({"tokens": ["a"], "scoring": {"scale": "nan"}})",
                           R"({"tokens": ["a"], "mask": {"causal": 1}})",
                           R"({"tokens": ["a"], "mask": {"causal_offset": 0.5}})",
                           R"({"tokens": ["a"], "mask": {"key_padding": [2]}})",
                           R"({"tokens": ["a"], "mask": {"visible": [["yes"]]}})",
                           R"({"tokens": ["a"], "mask": {"bias": 1}})",
                           R"({"tokens": ["a"], "mask": {"window": [1]}})",
                           R"({"tokens": ["a"], "mask": {"window": [-1, 1]}})",
                           R"({"tokens": ["a"], "mask": {"window": 1}})",
                           R"({"tokens": ["a"], "mask": {"dilation": 0}})",
                           R"({"tokens": ["a"], "mask": {"prefix": [-1]}})",
                           R"({"tokens": ["a"], "mask": {"segments": [0.5]}})",
                           R"({"tokens": ["a"], "mask": {"alibi": ["a"]}})",
                           R"({"tokens": ["a"], "mask": {"key_lengths": [-1]}})",
                           R"({"tokens": ["a"], "mask": {"relative_buckets": {}}})",
                           R"({"tokens": ["a"], "mask": {"relative_buckets": [1]}})",
                           R"({"tokens": ["a"], "mask": []})",
                           R"({"tokens": ["a"], "view": {"stage": "none"}})",
                           R"({"tokens": ["a"], "view": {"minus_stage": "text"}})",
                           R"({"tokens": ["a"], "view": {"head": -1}})"}) {
    EXPECT_FALSE(reader_accepts(text)) << text;
    EXPECT_FALSE(schema_accepts(text)) << text;
  }
}

TEST(Schema, AndReaderTakeTheLeastOfEveryCount) {
  for (const char* text :
       {R"({"tokens": 1, "d_model": 1, "heads": 1, "kv_heads": 1, "seed": 0})",
        R"({"tokens": 1, "blocks": 1, "dropout": 0})",
        R"({"tokens": 1, "blocks": [{"feed_forward": {"d_ff": 1}}]})",
        R"({"query_tokens": 1, "key_tokens": 1, "recurrent": {"hidden": 1, "d_out": 1}})",
        R"({"tokens": 1, "d_model": 2, "heads": 1, "position": {"kind": "rope", "rotary_dim": 2}})",
        R"({"tokens": 1, "scoring": {"function": "additive", "d_a": 1}})",
        R"({"tokens": 1, "mask": {"window": [0, 0], "dilation": 1, "sink_tokens": 0}})",
        R"({"tokens": 1, "mask": {"causal": true, "prefix": 0, "key_lengths": 0}})",
        R"({"tokens": 1, "view": {"sample": 0, "layer": 0, "head": 0}})"}) {
    EXPECT_TRUE(reader_accepts(text)) << text;
    EXPECT_TRUE(schema_accepts(text)) << text;
  }
}

// Replaces, removes or adds one value somewhere in `node`.
void disturb(Json& node, Random& random) {
  static const Json strange[] = {nullptr,
                                 true,
                                 0,
                                 -1,
                                 1.5,
                                 "text",
                                 "nan",
                                 Json::array(),
                                 Json::object(),
                                 Json::array({1}),
                                 Json::array({"a"})};
  Json* at = &node;
  while ((at->is_object() || at->is_array()) && !at->empty() && random.next() % 4 != 0) {
    auto child = at->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(between(random, 0, at->size() - 1)));
    at = &*child;
  }
  const Json& value = strange[random.next() % std::size(strange)];
  if (at->is_object() && !at->empty() && random.next() % 2 == 0) {
    at->erase(at->begin());
  } else if (at->is_array() && random.next() % 2 == 0) {
    at->push_back(value);
  } else {
    *at = value;
  }
}

TEST(Schema, AcceptsWhateverTheReaderAccepts) {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    Json document = Json::parse(write_document(random_document(seed % 97)));
    for (std::size_t i = between(random, 1, 2); i > 0; --i) disturb(document, random);
    const std::string text = document.dump();
    if (!reader_accepts(text)) continue;
    ++accepted;
    ASSERT_EQ(schema_errors(schema(), document), std::vector<std::string>{}) << text;
  }
  EXPECT_GT(accepted, 50U) << "the disturbances must leave something to compare";
}

}  // namespace
}  // namespace attn
