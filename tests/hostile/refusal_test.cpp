// Every refusal names the file, the place, what was found and what was expected.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "document/load/open.h"
#include "document/load/read.h"

namespace attn {
namespace {

// "@" in `text` marks the place that the error must name; it is taken out before reading.
struct Refusal {
  const char* name;
  std::string text;
  const char* pointer;
  const char* found;
  const char* expected;  // part of it
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

std::string qkv(const std::string& q, const std::string& rest = "") {
  return "{\"k\": [[1, 2], [3, 4]], \"v\": [[1], [2]],\n\"q\": " + q + rest + "}";
}

std::string qkv_and(const std::string& rest) { return qkv("[[1, 2], [3, 4]]", ",\n" + rest); }

std::string tokens_and(const std::string& rest) { return "{\"tokens\": [\"a\"],\n " + rest + "}"; }

std::vector<Refusal> number_refusals() {
  return {
      {"RaggedRows", qkv("[[1, 2], @[3]]"), "/q/1", "1 number", "2, as in those before"},
      {"RaggedDepth", qkv("[[1, 2], @3]"), "/q/1", "the number 3", "a list of"},
      {"RaggedDepthBelow", qkv("[[1, @[2]], [3, 4]]"), "/q/0/1", "a list", "a number"},
      {"TooShallow", qkv("[@1, 2]"), "/q/0", "the number 1 at depth 1", "depth 2 to 5"},
      {"TooDeep", qkv("[[[[[@[1]]]]]]"), "/q/0/0/0/0/0", "depth 6 or more", "depth 2 to 5"},
      {"DepthsDiffer", "{\"k\": @[[1]], \"v\": [[1]], \"q\": [[[1]]]}", "/k", "depth 2",
       "depth 3, as q has"},
      {"Softcap", tokens_and("\"scoring\": {\"softcap\": @-2.5}"), "/scoring/softcap",
       "the number -2.5", "above 0"},
      {"SeedTooLarge", tokens_and("\"seed\": @18446744073709551616"), "/seed",
       "18446744073709551616", "0 to 18446744073709551615"},
      {"EmptyRow", qkv("[@[], []]"), "/q/0", "no values", "at least one number"},
      {"Text", qkv("[[1, 2], [3, @\"4\"]]"), "/q/1/1", "the text \"4\"", "a number"},
      {"Flag", qkv("[[1, @true], [3, 4]]"), "/q/0/1", "true", "a number"},
      {"Null", qkv("[[1, @null], [3, 4]]"), "/q/0/1", "null", "a number"},
      {"BareNaN", qkv("[[1, @NaN], [3, 4]]"), "/q/0/1", "NaN", "a number"},
      {"BareNan", qkv("[[1, @nan], [3, 4]]"), "/q/0/1", "nan", "a number"},
      {"BareInfinity", qkv("[[1, 2], [@-Infinity, 4]]"), "/q/1/0", "-Infinity", "a number"},
      {"Overflow", qkv("[[1, @1e99], [3, 4]]"), "/q/0/1", "1e99", "3.4028235e38"},
      {"LeadingZero", qkv("[[1, @012], [3, 4]]"), "/q/0/1", "012", "a number such as"},
      {"NoDigits", qkv("[[1, @-], [3, 4]]"), "/q/0/1", "-", "a number such as"},
      {"CommaInNumber", qkv("[[1,5, 2], @[3, 4]]"), "/q/1", "2 numbers", "3, as in"},
      {"LongText", qkv("[[1, @\"" + std::string(5000, 'x') + "\"]]"), "/q/0/1",
       "the text \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\"", "a number"},
  };
}

std::vector<Refusal> shape_refusals() {
  return {
      {"TokensDoNotFit", qkv_and("\"tokens\": @[\"a\", \"b\", \"c\"]"), "/tokens", "3 tokens",
       "2, one for each position"},
      {"KeyWidth", "{\"k\": @[[1, 2]], \"v\": [[1]], \"q\": [[1, 2, 3]]}", "/k", "2 columns",
       "3, as q has"},
      {"ValueRows", "{\"k\": [[1, 2]], \"v\": @[[1], [2]], \"q\": [[1, 2]]}", "/v", "2 rows",
       "1, as k has"},
      {"MissingKeys", "{\"q\": @[[1]], \"v\": [[1]]}", "/q", "q and v without k",
       "q, k and v, or q and k"},
      {"KeyValueHeads",
       "{\"q\": [[[1]], [[1]], [[1]]],\n \"k\": @[[[1]], [[1]]], \"v\": [[[1]], [[1]]]}", "/k",
       "2 heads", "a divisor of 3 query heads"},
      {"Heads", tokens_and("\"d_model\": 10, \"heads\": @4"), "/heads", "4 heads",
       "a divisor of the 10 columns"},
      {"HeadsOfMatrix",
       "{\"embeddings\": [[1]], \"projections\": {\"w_q\": [[1, 2, 3]]}, \"heads\": @2}", "/heads",
       "2 heads", "a divisor of the 3 columns of w_q"},
      {"PartsOfQuery",
       "{\"embeddings\": [[1]], \"projections\": {\"w_q\": @[[[1]], [[2]]]}, \"heads\": 3}",
       "/projections/w_q", "2 parts, as w_q (2, 1, 1)", "3"},
      {"PartsOfOutput",
       "{\"embeddings\": [[1]], \"heads\": 2, \"projections\": {\"w_q\": [[1, 2]], \"w_k\": [[1, "
       "2]], \"w_v\": [[1, 2]], \"w_o\": @[[[1], [1]]]}}",
       "/projections/w_o", "1 part, as w_o (1, 2, 1)", "2"},
      {"PartsOfBias",
       "{\"embeddings\": [[1]], \"heads\": 2, \"projections\": {\"w_q\": [[1, 2]], \"w_k\": [[1, "
       "2]], \"b_q\": @[[1, 2]]}}",
       "/projections/b_q", "1 part, as b_q (1, 2)", "2"},
      {"WidthOfKeyHead",
       "{\"embeddings\": [[1]], \"heads\": 4, \"projections\": {\"w_q\": [[1, 2, 3, 4, 5, 6, 7, "
       "8]], \"w_k\": @[[[1, 2, 3, 4]]]}}",
       "/projections/w_k", "4 columns", "2 for each of 1 key-value head"},
      {"KeyValueHeadsOfTokens", tokens_and("\"heads\": 4, \"kv_heads\": @3"), "/kv_heads",
       "3 key-value heads", "a divisor of 4 query heads"},
      {"HeadsOfQkv", qkv_and("\"heads\": @3"), "/heads", "3", "1, as the lists are nested"},
      {"ProjectionRows", "{\"embeddings\": [[1, 2]],\n\"projections\": {\"w_q\": @[[1]]}}",
       "/projections/w_q", "1 row", "2, the columns of embeddings"},
      {"BiasWidth", "{\"embeddings\": [[1]], \"projections\": {\"w_q\": [[1]], \"b_q\": @[1, 2]}}",
       "/projections/b_q", "2 numbers", "1, as w_q has"},
      {"MaskShape", qkv_and("\"mask\": {\"visible\": @[[true, true, true]]}"), "/mask/visible",
       "(1, 3)", "(1, 1, 2, 2)"},
      {"PaddingLength", qkv_and("\"mask\": {\"key_padding\": @[true]}"), "/mask/key_padding",
       "1 flag", "2, one for each token"},
      {"Axis", "{\"attention\": [[1]], \"axes\": [\"query\", @\"kez\"]}", "/axes/1", "\"kez\"",
       "layer, sample, head, query, key"},
      {"AxesCount", "{\"attention\": [[1]], \"axes\": @[\"head\", \"query\", \"key\"]}", "/axes",
       "3 names", "2, the depth"},
      {"SamplesOfTokens", "{\"attention\": [[[1]]], \"tokens\": @[[\"a\"], [\"b\"]]}", "/tokens",
       "2 lists", "1"},
      {"ModelWidth", "{\"embeddings\": [[1]], \"d_model\": @2}", "/d_model", "2", "1, the columns"},
  };
}

std::vector<Refusal> key_refusals() {
  return {
      {"Conflict", qkv_and("\"attention\": @[[1]]"), "/attention", "q and attention",
       "one of them"},
      {"UnknownKey", qkv_and("@\"maks\": {}"), "/maks", "\"maks\"", "\"mask\""},
      {"UnknownKeyInside", tokens_and("\"mask\": {@\"casual\": true}"), "/mask/casual",
       "\"casual\"", "\"causal\""},
      {"DuplicateKey", "{\"tokens\": [\"a\"],\n@\"tokens\": [\"b\"]}", "/tokens", "\"tokens\"",
       "every key once"},
      {"DuplicateKeyInside", tokens_and("\"mask\": {\"causal\": true, @\"causal\": false}"),
       "/mask/causal", "\"causal\"", "every key once"},
      {"NothingInside", "@{}", "", "no input", "tokens, q k v"},
      {"NoTokensCounted", "{\"tokens\": @0}", "/tokens", "0", "a whole number from 1 on"},
      {"FewerThanNoTokens", "{\"tokens\": @-3}", "/tokens", "-3", "a whole number from 1 on"},
      {"HalfAToken", "{\"key_tokens\": @2.5, \"query_tokens\": 2}", "/key_tokens", "2.5",
       "a whole number from 1 on"},
      {"MoreTokensThanCounts", "{\"tokens\": @1e30}", "/tokens", "1e30",
       "1 to 18446744073709551615"},
      {"CountAsText", "{\"tokens\": @\"131072\"}", "/tokens", "the text \"131072\"",
       "a list of texts, or how many tokens there are as a number"},
      {"NeitherListedNorCounted", "{\"tokens\": @true}", "/tokens", "true", "as a number"},
      {"NumbersOfAVocabulary", "{\"tokens\": [@101, 2023]}", "/tokens/0", "the number 101",
       "a text"},
      {"CountOfASample", "{\"tokens\": [[\"a\"], @3]}", "/tokens/1", "the number 3", "a list"},
      {"NamesAlone", "{\"tokens\": @{\"names\": {\"0\": \"a\"}}}", "/tokens", "no count",
       "\"count\": a whole number"},
      {"CountMisspelt", "{\"tokens\": {\"count\": 1, @\"name\": {}}}", "/tokens/name", "\"name\"",
       "\"names\""},
      {"NameOfNoToken", "{\"tokens\": {\"count\": 2, \"names\": {@\"cat\": \"a\"}}}",
       "/tokens/names/cat", "\"cat\"", "a whole number such as"},
      {"NameWithZeros", "{\"tokens\": {\"count\": 2, \"names\": {@\"01\": \"a\"}}}",
       "/tokens/names/01", "\"01\"", "a whole number such as"},
      {"NameBeyondTheLast", "{\"key_tokens\": @{\"names\": {\"2\": \"a\"}, \"count\": 2}}",
       "/key_tokens", "a name of token 2", "tokens 0 to 1"},
      {"NameNoText", "{\"tokens\": {\"count\": 2, \"names\": {\"1\": @1}}}", "/tokens/names/1",
       "the number 1", "a text"},
      {"CountThatDoesNotFit", qkv_and("\"tokens\": @131072"), "/tokens", "131,072 tokens",
       "2, one for each position"},
      {"NoTokens", "{\"tokens\": @[]}", "/tokens", "no tokens", "at least one token"},
      {"TokenIsNumber", "[\"a\", @1]", "/1", "the number 1", "a text"},
      {"Version", tokens_and("\"attnscope\": @2"), "/attnscope", "2", "1"},
  };
}

std::string scoring(const std::string& members) {
  return qkv_and("\"scoring\": {" + members + "}");
}

std::vector<Refusal> scoring_refusals() {
  return {
      {"HiddenUnits", scoring("\"function\": \"concat\", \"v\": [1, 2], \"d_a\": @3"),
       "/scoring/d_a", "3", "2"},
      {"Function", scoring("\"function\": @\"aditive\""), "/scoring/function", "\"aditive\"",
       "scaled_dot, dot, general"},
      {"Temperature", scoring("\"temperature\": @0"), "/scoring/temperature", "the number 0",
       "above 0"},
      {"MatrixOfAnother", scoring("\"function\": \"dot\", \"w\": @[[1, 2], [3, 4]]"), "/scoring/w",
       "dot and w", "one of them"},
      {"GeneralShape", scoring("\"function\": \"general\", \"w\": @[[1, 2]]"), "/scoring/w",
       "(1, 2)", "(2, 2), or (1, 2, 2) with one per head"},
      {"ConcatShape", scoring("\"function\": \"concat\", \"w\": @[[1, 2]], \"v\": [1]"),
       "/scoring/w", "(1, 2)", "(1, 4)"},
      {"LocationRows", scoring("\"function\": \"location\", \"w\": @[[1, 2]]"), "/scoring/w",
       "(1, 2)", "(2, 2) or more rows"},
      {"SinkOfSigmoid", scoring("\"normaliser\": \"sigmoid\", \"sinks\": @1"), "/scoring/sinks",
       "sinks and sigmoid", "one of them"},
      {"SinkCount", scoring("\"sinks\": @[1, 2]"), "/scoring/sinks", "2 sinks", "1"},
      {"NearestKey", scoring("@\"temprature\": 1"), "/scoring/temprature", "\"temprature\"",
       "\"temperature\""},
  };
}

std::string mask(const std::string& members) { return qkv_and("\"mask\": {" + members + "}"); }

std::vector<Refusal> mask_refusals() {
  return {
      {"WindowNegative", mask("\"window\": [@-1, 2]"), "/mask/window/0", "-1",
       "a whole number from 0 on"},
      {"WindowSides", mask("\"window\": @[1]"), "/mask/window", "1 item", "[left, right]"},
      {"Dilation", mask("\"dilation\": @0"), "/mask/dilation", "0", "a whole number from 1 on"},
      {"Slopes", mask("\"alibi\": @[0.5, 0.25]"), "/mask/alibi", "2 slopes", "1"},
      {"Segments", mask("\"segments\": @[0, 1, 2]"), "/mask/segments", "3 segments",
       "2, one for each token"},
      {"SegmentsTwice", mask("\"query_segments\": [0, 1], \"segments\": @[0, 1]"), "/mask/segments",
       "segments and query_segments", "segments for both sides"},
      {"KeySegmentsAlone", mask("\"key_segments\": @[0, 1]"), "/mask/key_segments",
       "no query_segments", "query_segments and key_segments"},
      {"LengthsAndPadding", mask("\"key_padding\": [true, true], \"key_lengths\": @[1]"),
       "/mask/key_lengths", "key_padding and key_lengths", "one of them"},
      {"Length", mask("\"key_lengths\": @[3]"), "/mask/key_lengths", "3", "at most 2 tokens"},
      {"Buckets", mask("\"relative_buckets\": {\"table\": @[1, 2, 3]}"),
       "/mask/relative_buckets/table", "3 rows", "an even number from 4 on"},
      {"BucketColumns",
       mask("\"relative_buckets\": {\"table\": @[[1, 2], [3, 4], [5, 6], [7, 8]]}"),
       "/mask/relative_buckets/table", "2 columns", "1"},
      {"MaxDistance", mask("\"relative_buckets\": {\"table\": [1, 2, 3, 4], \"max_distance\": @1}"),
       "/mask/relative_buckets/max_distance", "1", "more than 1"},
  };
}

std::vector<Refusal> position_refusals() {
  return {
      {"Encoding", tokens_and("\"position\": @\"rotary\""), "/position", "\"rotary\"",
       "none, sinusoidal, learned, rope"},
      {"AddedWithoutEmbeddings", qkv_and("\"position\": @\"sinusoidal\""), "/position",
       "sinusoidal and no embeddings", "embeddings, or none or rope"},
      {"OddColumns", "{\"q\": [[1]], \"k\": [[1]], \"v\": [[1]],\n\"position\": @\"rope\"}",
       "/position", "d_k 1", "an even number of columns"},
      {"RotaryDim", qkv_and("\"position\": {\"kind\": \"rope\", \"rotary_dim\": @4}"),
       "/position/rotary_dim", "4", "an even number up to 2"},
      {"TableRows",
       "{\"embeddings\": [[1], [2]],\n\"position\": {\"kind\": \"learned\", \"table\": @[[1]]}}",
       "/position/table", "1 row", "at least 2"},
      {"TableColumns",
       "{\"embeddings\": [[1]],\n\"position\": {\"kind\": \"learned\", \"table\": @[[1, 2]]}}",
       "/position/table", "2 columns", "1, as the embeddings have"},
      {"TableOfRope", qkv_and("\"position\": {\"kind\": \"rope\", \"table\": @[[1]]}"),
       "/position/table", "rope and a table", "one of them"},
      {"RopeOfWeights", "{\"attention\": [[1]],\n\"position\": @\"rope\"}", "/position",
       "rope and attention", "none"},
      {"PackedColumns", "{\"embeddings\": [[1]], \"projections\": {\"w_qkv\": @[[1, 2, 3, 4]]}}",
       "/projections/w_qkv", "4 columns", "a multiple of 3"},
      {"PackedTwice",
       "{\"embeddings\": [[1]], \"projections\": {\"w_q\": [[1]], \"w_qkv\": @[[1, 2, 3]]}}",
       "/projections/w_qkv", "w_qkv and w_q, w_k or w_v", "one of them"},
      {"KvHeads", qkv_and("\"kv_heads\": @2"), "/kv_heads", "2", "1, as k and v have"},
  };
}

std::string blocks(const std::string& rest) {
  return "{\"embeddings\": [[1, 2]], \"heads\": 1,\n" + rest + "}";
}

std::vector<Refusal> block_refusals() {
  return {
      {"BlocksAndProjections", blocks("\"projections\": {}, \"blocks\": @1"), "/blocks",
       "projections and blocks", "one of them"},
      {"NoBlocks", blocks("\"blocks\": @[]"), "/blocks", "no blocks", "at least one block"},
      {"CrossInOneSequence", blocks("\"blocks\": [{\"cross_projections\": @{}}]"),
       "/blocks/0/cross_projections", "cross_projections and one sequence", "key_tokens"},
      {"SelfMaskOfOneSequence", blocks("\"blocks\": 1, \"self_mask\": @{}"), "/self_mask",
       "self_mask and one attention", "mask; or blocks with query_tokens and key_tokens"},
      {"CrossWidth",
       "{\"query_embeddings\": [[1, 2]], \"key_embeddings\": [[1, 2, 3]], \"heads\": 1,\n"
       "\"blocks\": [{\"cross_projections\": {\"w_k\": @[[1, 2], [3, 4]]}}]}",
       "/blocks/0/cross_projections/w_k", "2 rows", "3, the columns of key_embeddings"},
      {"BlockWidth", blocks("\"blocks\": [{\"projections\": {\"w_o\": @[[1], [2]]}}]"),
       "/blocks/0/projections/w_o", "1 column", "2, as the embeddings have"},
      {"BlockProjection", blocks("\"blocks\": [{\"projections\": {\"w_q\": @[[1, 2, 3]]}}]"),
       "/blocks/0/projections/w_q", "1 row", "2, the columns of embeddings"},
      {"NormWidth", blocks("\"blocks\": [{\"attention_norm\": {\"weight\": @[1]}}]"),
       "/blocks/0/attention_norm/weight", "1 number", "2, as the width of the model has"},
      {"NetworkShape",
       blocks("\"blocks\": [{\"feed_forward\": {\"w_1\": [[1], [2]], \"w_2\": "
              "@[[1, 2], [3, 4]]}}]"),
       "/blocks/0/feed_forward/w_2", "(2, 2)", "(1, 2)"},
      {"NetworkWidth",
       blocks("\"blocks\": [{\"feed_forward\": {\"w_1\": [[1], [2]], \"d_ff\": @3}}]"),
       "/blocks/0/feed_forward/d_ff", "3", "1"},
      {"PartsInABlock",
       blocks("\"blocks\": [{}, {\"projections\": {\"w_q\": @[[[1], [1]], [[1], [1]]]}}]"),
       "/blocks/1/projections/w_q", "2 parts, as w_q (2, 2, 1)", "1"},
      {"WidthOfKeyHeadInABlock",
       blocks(
           "\"blocks\": [{\"projections\": {\"w_q\": [[1], [1]], \"w_k\": @[[[1, 2], [1, 2]]]}}]"),
       "/blocks/0/projections/w_k", "2 columns", "1 for each of 1 key-value head"},
      {"FarPositionsOfADecoder",
       "{\"query_tokens\": [\"a\"], \"key_tokens\": [\"b\"], \"blocks\": 1, \"position\": "
       "\"learned\", "
       "\"self_mask\": {\"causal_offset\": @1000000}}",
       "/self_mask/causal_offset", "1000000", "at most 100000"},
      {"EarlyPositionsOfADecoder",
       "{\"query_tokens\": [\"a\"], \"key_tokens\": [\"b\"], \"blocks\": 1, \"position\": "
       "\"learned\", "
       "\"self_mask\": {\"causal_offset\": @-1}}",
       "/self_mask/causal_offset", "-1", "an offset from 0 on"},
      {"GateOfRelu", blocks("\"blocks\": [{\"feed_forward\": {\"w_gate\": @[[1], [2]]}}]"),
       "/blocks/0/feed_forward/w_gate", "relu and a gate", "one of them"},
      {"Activations", blocks("\"blocks\": [{}, {\"feed_forward\": {\"activation\": @\"gelu\"}}]"),
       "/blocks/1/feed_forward/activation", "gelu", "relu"},
      {"Eps", blocks("\"blocks\": 1, \"norms\": {\"eps\": @0}"), "/norms/eps", "the number 0",
       "above 0"},
      {"Dropout", blocks("\"blocks\": 1, \"dropout\": @1"), "/dropout", "the number 1", "below 1"},
  };
}

std::vector<Refusal> text_refusals() {
  return {
      {"PythonTrue", tokens_and("\"mask\": {\"causal\": @True}"), "/mask/causal", "True",
       "true in small letters"},
      {"InvalidUtf8", "{\"tokens\": [\"a\",\n\"@\xff\"]}", "/tokens/1", "the byte 255", "UTF-8"},
      {"Surrogate", "[\"@\\ud800\"]", "/0", "\\ud800", "both halves"},
      {"Escape", "[\"\\@q\"]", "/0", "q", "one of"},
      {"ControlCharacter", "[\"a@\nb\"]", "/0", "\"↵\"", "an escape"},
      {"TrailingComma", "[\"a\",@]", "/0", "\"]\"", "another value"},
      {"NoColon", "{\"tokens\" @[\"a\"]}", "", "\"[\"", "\":\" after the key \"tokens\""},
      {"NoQuotes", "{@tokens: [\"a\"]}", "", "tokens", "a key in quotation marks"},
      {"Comment", "@// hello\n[\"a\"]", "", "\"/\"", "a value"},
      {"SingleQuotes", "[@'a']", "/0", "\"'\"", "quotation marks"},
      {"TwoDocuments", "[\"a\"] @[\"b\"]", "", "\"[\"", "the end of the text"},
      {"Truncated", "{\"tokens\": [\"a\", \"b@", "/tokens/1", "the end of the text",
       "a closing quotation mark"},
      {"Empty", "@", "", "no text", "an object such as"},
      {"Blank", " \n\n @", "", "no text", "an object such as"},
      {"Number", "@3", "", "the number 3", "an object such as"},
  };
}

std::vector<Refusal> refusals() {
  std::vector<Refusal> all;
  for (const auto& group :
       {number_refusals(), shape_refusals(), key_refusals(), scoring_refusals(), mask_refusals(),
        position_refusals(), block_refusals(), text_refusals()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithFilePlaceFoundAndExpected) {
  const Refusal& refusal = GetParam();
  std::string text = refusal.text;
  const std::size_t mark = text.find('@');
  ASSERT_NE(mark, text.npos);
  text.erase(mark, 1);
  const auto line = static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark), '\n'));
  const std::size_t line_start = mark == 0 ? 0 : text.rfind('\n', mark - 1) + 1;

  const Result<Reading> report = read_document(text, "some/file.json");
  ASSERT_FALSE(report.ok()) << report->reading;
  const Error& error = report.error();
  EXPECT_EQ(error.kind, ErrorKind::BadInput);
  EXPECT_EQ(error.file, "some/file.json");
  EXPECT_EQ(error.pointer, refusal.pointer);
  EXPECT_EQ(error.line, line + 1);
  EXPECT_EQ(error.column, mark - line_start + 1);
  EXPECT_EQ(error.found, refusal.found);
  EXPECT_NE(error.expected.find(refusal.expected), std::string::npos) << error.expected;
  EXPECT_FALSE(error.message.empty());
  EXPECT_FALSE(error.message.ends_with("."));
}

INSTANTIATE_TEST_SUITE_P(Document, Refused, testing::ValuesIn(refusals()),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(RefusedHints, SayHowToWriteNaN) {
  const auto report = read_document(R"({"q": [[NaN]], "k": [[1]], "v": [[1]]})", "f");
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().hint.find("\"nan\""), std::string::npos);
}

TEST(RefusedHints, NameTheFolderOrTheMissingFile) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "attnscope_refused";
  fs::create_directories(folder);
  for (const std::string& path : {folder.string(), (folder / "missing.json").string()}) {
    const auto report = open_document(path);
    ASSERT_FALSE(report.ok()) << path;
    EXPECT_EQ(report.error().kind, ErrorKind::BadInput);
    EXPECT_EQ(report.error().file, path);
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace attn
