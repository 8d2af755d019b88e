// All files and texts have an answer: ids, or an error with file, place, found and expected, in
// bounded time and memory.
#include <gtest/gtest.h>

#include "tokenizers.h"

namespace attn::test {
namespace {

const std::string kLetters = R"({"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": []})";

struct Hostile {
  TokenizerFiles files;
  std::string said;  // in the description of the error
};

TokenizerFiles with_model(const std::string& model, const std::string& others = "") {
  return {.tokenizer_json = tokenizer_json(model, others)};
}
TokenizerFiles with(const std::string& others) { return with_model(kLetters, others); }

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(HostileTokenizers, AreRefusedWithTheirPlace) {
  const auto split = [](const std::string& pattern) {
    return with(R"("pre_tokenizer": {"type": "Split", "behavior": "Isolated",
        "pattern": {"Regex": ")" +
                pattern + "\"}}");
  };
  const auto bpe = [](const std::string& vocabulary, const std::string& merges) {
    return with_model(R"({"type": "BPE", "vocab": {)" + vocabulary + "}, \"merges\": " + merges +
                      "}");
  };
  const auto unigram = [](const std::string& vocabulary, const std::string& others) {
    return with_model(R"({"type": "Unigram", "vocab": )" + vocabulary + others + "}");
  };
  const Hostile cases[] = {
      {{}, "expected tokenizer.json, vocab.json with merges.txt, or vocab.txt"},
      {{.vocab_json = "{}"}, "found vocab.json alone"},
      {{.tokenizer_json = "[1"}, "tokenizer.json:1:3: "},
      {{.tokenizer_json = " "}, "tokenizer.json: "},
      {{.tokenizer_json = "{\"model\": \"\xFF\"}"}, "not valid UTF-8"},
      {{.tokenizer_json = "{}"}, "there is no model"},
      {{.tokenizer_json = repeated("[", 100'000)}, "nested too deeply"},
      {with_model(R"({"type": "Tiktoken"})"), "/model/type: this model of tokens is not known"},
      {with_model("3"), "/model: the model has no vocabulary"},
      {with(R"("normalizer": {"type": "Nmt"})"), "one of Sequence, NFC"},
      {with(R"("pre_tokenizer": {"type": "UnicodeScripts"})"), "/pre_tokenizer/type: "},
      {with(R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits"},
          {"type": 7}]})"),
       "/pre_tokenizer/pretokenizers/1/type: this is not a text"},
      {with(R"("post_processor": {"type": "Chat"})"), "one of TemplateProcessing"},
      {with(R"("normalizer": {"type": "Replace", "pattern": 3})"), "{\"String\": …} or"},
      {split("(a"), "/pre_tokenizer/pattern/Regex: this is no regular expression"},
      {split("[a&&[b]]"), "a set of characters within another"},
      {split("\\\\C"), "this is no regular expression"},
      {split(repeated("(", 3000) + repeated(")", 3000)), "this is no regular expression"},
      {split("(((a{999}){999}){999})"), "this is no regular expression"},
      {with(R"("pre_tokenizer": {"type": "Punctuation", "behavior": "Islated"})"), "Isolated"},
      {bpe(R"("a": 0, "b": 0)", "[]"), "two pieces have the same id"},
      {bpe(R"("a": -1)", "[]"), "/model/vocab/a: "},
      {bpe(R"("a": 4294967296)", "[]"), "the id is too large"},
      {bpe(R"("a": 0, "a": 1)", "[]"), "twice"},
      {bpe("\"" + repeated("a", 5000) + "\": 0", "[]"), "the text is too long to be searched for"},
      {bpe(R"("a": 0, "b": 1)", R"(["a b"])"), "/model/merges/0: a merge needs a piece"},
      {bpe(R"("a": 0, "b": 1)", R"(["ab"])"), "/model/merges/0: "},
      {bpe(R"("a": 0)", R"([["a"]])"), "a merge is of two pieces"},
      {bpe(R"("a": 0)", "[3]"), "/model/merges/0: "},
      {with_model(R"({"type": "WordPiece"})"), "the model has no vocabulary"},
      {unigram(R"([["a", NaN]])", ""), "tokenizer.json:1:"},
      {unigram(R"([["a", 1e999]])", ""), "the score is not finite"},
      {unigram(R"([["a"]])", ""), "no piece with its score"},
      {unigram(R"([["a", 1, 2]])", ""), "no piece with its score"},
      {with(R"("pre_tokenizer": {"type": "Metaspace", "replacement": "__"})"), "not one character"},
      {with(R"("normalizer": {"type": "Replace", "pattern": {"String": ")" + repeated("x", 5000) +
            "\"}}"),
       "/normalizer/pattern: the text is too long"},
      {unigram(R"([3])", ""), "no piece with its score"},
      {unigram(R"([["a", 1]])", R"(, "unk_id": 1)"), "/model/unk_id: "},
      {unigram("[]", ""), "the unknown token is none"},
      {with(R"("added_tokens": [{"id": 4294967296, "content": "x"}])"), "/added_tokens/0/id: "},
      {with(R"("added_tokens": [{"id": 5, "content": ")" + repeated("x", 5000) + "\"}]"),
       "/added_tokens/0: the text is too long to be searched for"},
      {with(R"("post_processor": {"type": "BertProcessing", "cls": ["a", 0], "sep": ["x", 77]})"),
       "the id 77"},
      {with(R"("post_processor": {"type": "BertProcessing", "cls": ["a", 0]})"), "\"sep\": "},
      {with(R"("post_processor": {"type": "TemplateProcessing", "single": [
          {"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}]})"),
       "/post_processor/single/0/SpecialToken: the template has a token that is not known"},
      {with(R"("post_processor": {"type": "TemplateProcessing", "single": [
          {"Sequence": {"id": "A"}}, {"Sequence": {"id": "A"}}]})"),
       "found 2 sequences"},
      {with(R"("post_processor": {"type": "TemplateProcessing", "single": [
          {"Sequence": {"id": "A", "type_id": 1}}]})"),
       "another type of tokens is not read"},
      {with(R"("added_tokens": [{"id": 0, "content": "<x>"}])"), "has the id of another piece"},
      {with_model(R"({"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.5})"),
       "by chance are not read"},
      {{.vocab_json = R"({"a": 0})", .merges_txt = "#version\na a\n"}, "merges.txt:2:1: "},
      {{.vocab_txt = "a\n\xFF\n"}, "vocab.txt"},
      {{.vocab_txt = "[UNK]\n[CLS]\na\n"}, "vocab.txt: the vocabulary lacks a token"},
      {{.vocab_txt = "[CLS]\n[SEP]",
        .tokenizer_config_json = R"({"added_tokens_decoder": {"x": {}}})"},
       "tokenizer_config.json:1:"},
      {with(R"("added_tokens": [{"id": 5, "content": "x"}, {"id": 5, "content": "y"}])"),
       "/added_tokens/1: an added token has the id of another piece"},
  };
  for (const Hostile& one : cases) {
    const auto tokenizer = Tokenizer::open(one.files);
    ASSERT_FALSE(tokenizer.ok()) << one.said;
    EXPECT_NE(describe(tokenizer.error()).find(one.said), std::string::npos)
        << describe(tokenizer.error()) << "\nhas not: " << one.said;
  }
}

TEST(HostileTokenizers, OfTheOlderLayoutsAreRefusedByTheirFiles) {
  const std::pair<const char*, const char*> added[] = {
      {R"({"x": 1})", "added_tokens.json:1:7: /x: an added token has the id of another piece"},
      {R"({"x": 5, "y": 5})", "/y: an added token has the id of another piece"},
      {R"({"x": -1})", "added_tokens.json:1:7: /x: "},
      {R"({"x": 5, "x": 6})", "twice"},
      {R"(["x"])", "added_tokens.json:1:1: this is not an object"},
      {R"({"x": 5)", "added_tokens.json:1:"}};
  const std::pair<const char*, const char*> special[] = {
      {R"({"mask_token": 5})", "special_tokens_map.json:1:16: /mask_token: this is not a text"},
      {R"({"additional_special_tokens": "x"})", "/additional_special_tokens: this is not a list"},
      {R"({"additional_special_tokens": [5]})", "/additional_special_tokens/0: "},
      {"5", "special_tokens_map.json:1:1: this is not an object"}};
  const auto expect = [](const TokenizerFiles& files, const std::string& said) {
    const auto tokenizer = Tokenizer::open(files);
    const std::string found = tokenizer ? "read" : describe(tokenizer.error());
    EXPECT_NE(found.find(said), std::string::npos) << found << "\nhas not: " << said;
  };
  TokenizerFiles files{.vocab_txt = "[CLS]\n[SEP]\na\n"};
  for (const auto& [json, said] : added) {
    files.added_tokens_json = json;
    expect(files, said);
  }
  files.added_tokens_json = "";
  for (const auto& [json, said] : special) {
    files.special_tokens_map_json = json;
    expect(files, said);
  }
}

std::string error_of(const TokenizerFiles& files, const std::string& text) {
  const auto tokenizer = opened(files);
  if (tokenizer == nullptr) return "";
  const auto ids = tokenizer->encode(text);
  return ids ? std::to_string(ids->size()) + " ids" : describe(ids.error());
}

TEST(HostileTokenizers, EndInAnErrorOnSomeTexts) {
  const auto expect = [](const TokenizerFiles& files, const std::string& text,
                         const std::string& said) {
    EXPECT_NE(error_of(files, text).find(said), std::string::npos) << error_of(files, text);
  };
  const auto split = [](const std::string& pattern) {
    return with(R"("pre_tokenizer": {"type": "Split", "behavior": "Isolated",
        "pattern": {"Regex": ")" +
                pattern + "\"}}");
  };
  expect(with(""), "ab\xE4", "found the byte 228 at offset 2");
  expect(split("(a+)+$"), repeated("a", 60) + "b", "after at most 10,000,000 steps");
  expect(with_model(R"({"type": "Unigram", "vocab": [["a", 1]]})"), "b", "no tokens for a piece");
  expect(with_model(R"({"type": "WordPiece", "vocab": {"a": 1}})"), "b", "no tokens for a piece");
  const std::string twice = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
  expect(with(R"("normalizer": {"type": "Sequence", "normalizers": [)" +
              repeated(twice + ", ", 60) + twice + "]}"),
         "a", "too long");
  const std::string letters = R"({"type": "ByteLevel", "use_regex": false})";
  expect(with(R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [)" +
              repeated(letters + ", ", 60) + letters + "]}"),
         "ä", "too long");
}

TEST(HostileTokenizers, TakeLongTextsAndManyTokens) {
  constexpr std::size_t kMany = 200'000;
  const std::string pairs = R"({"type": "BPE", "vocab": {"a": 0, "aa": 1, "aaaa": 2},
      "merges": ["a a", "aa aa"]})";
  EXPECT_EQ(error_of(with_model(pairs), repeated("a", 4 * kMany)), std::to_string(kMany) + " ids");
  const auto special = with(R"("added_tokens": [{"id": 7, "content": "<x>", "special": true,
      "lstrip": true, "rstrip": true}])");
  EXPECT_EQ(error_of(special, repeated("  <x>", kMany)), std::to_string(kMany) + " ids");
  EXPECT_EQ(error_of(special, ""), "0 ids");
  const auto blanks = with(R"("pre_tokenizer": {"type": "ByteLevel"})");
  EXPECT_NE(error_of(blanks, repeated(" ", kMany)).find("no tokens for a piece"),
            std::string::npos);
  EXPECT_EQ(error_of(with(R"("normalizer": {"type": "Strip"})"), repeated(" ", kMany) + "a"),
            "1 ids");
  const std::string merges = repeated("a b\n", kMany);  // the same ones again
  EXPECT_EQ(
      error_of({.vocab_json = R"({"a": 0, "b": 1, "ab": 4294967295})", .merges_txt = merges}, "ab"),
      "1 ids");
}

}  // namespace
}  // namespace attn::test
