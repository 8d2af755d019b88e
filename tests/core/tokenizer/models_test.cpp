// Models, post-processors and added tokens, by small vocabularies.
#include <gtest/gtest.h>

#include "tokenizers.h"

namespace attn::test {
namespace {

const std::string kAbc = R"({"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4, "bc": 5, "<unk>": 6})";

std::string bpe(const std::string& merges, const std::string& others = "") {
  return R"({"type": "BPE", "vocab": )" + kAbc + R"(, "merges": )" + merges + others + "}";
}

TEST(Models, MergePairsByTheirRank) {
  const auto pieces = [](const std::string& model, const std::string& text) {
    return pieces_of(opened(tokenizer_json(model)), text);
  };
  EXPECT_EQ(pieces(bpe(R"(["a b", "ab c"])"), "abcab"), "abc|ab");
  EXPECT_EQ(pieces(bpe(R"([["b", "c"], ["a", "b"]])"), "abcab"), "a|bc|ab");
  EXPECT_EQ(pieces(bpe(R"(["#version: 0.2", "a b"])"), "aab"), "a|ab");
  // The last of equal merges counts.
  EXPECT_EQ(pieces(bpe(R"(["a b", "b c", "a b"])"), "abc"), "a|bc");
  EXPECT_FALSE(opened(tokenizer_json(bpe("[]")))->encode("axb")) << "no letter is left out";
  const std::string unknown = R"(, "unk_token": "<unk>")";
  EXPECT_EQ(pieces(bpe("[]", unknown), "xyaz"), "<unk>|<unk>|a|<unk>");
  EXPECT_EQ(pieces(bpe("[]", unknown + R"(, "fuse_unk": true)"), "xyaz"), "<unk>|a|<unk>");
  EXPECT_EQ(pieces(bpe("[]", R"(, "ignore_merges": true)"), "abc"), "abc");
  const std::string marked = R"({"type": "BPE", "vocab": {"a": 0, "##b": 1, "b</w>": 2, "a</w>": 3,
      "ab</w>": 4, "##b</w>": 5, "ab": 6}, )";
  EXPECT_EQ(pieces(marked + R"("end_of_word_suffix": "</w>", "merges": ["a b</w>"]})", "ab"),
            "ab</w>");
  EXPECT_EQ(pieces(marked + R"("continuing_subword_prefix": "##", "merges": ["a ##b"]})", "abb"),
            "ab|##b");
}

TEST(Models, OfRobertaHaveItsEndsAroundATextOfPairs) {
  TokenizerFiles files{.vocab_json = R"({"<s>": 0, "</s>": 1, "<mask>": 2, "a": 3, "b": 4})",
                       .merges_txt = "#version: 0.2\n"};
  files.ends_texts = true;
  EXPECT_EQ(pieces_of(opened(files), "a <mask>b"), "<s>|a|<mask>|b|</s>");
  files.vocab_json = R"({"<s>": 0, "a": 1})";
  EXPECT_FALSE(Tokenizer::open(files).ok());
}

TEST(Models, WriteUnknownTextAsBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    char piece[16];
    std::snprintf(piece, sizeof piece, "<0x%02X>", static_cast<unsigned>(i));
    bytes += std::string(", \"") + piece + "\": " + std::to_string(i + 2);
  }
  const auto tokenizer = opened(tokenizer_json(R"({"type": "BPE", "byte_fallback": true,
      "vocab": {"a": 0, "▁": 1)" + bytes + R"(}, "merges": []})"));
  EXPECT_EQ(ids_of(tokenizer, "aä▁"), (Ids{0, 2 + 0xC3, 2 + 0xA4, 1}));
  EXPECT_EQ(tokenizer->piece(1), " ");
}

TEST(Models, TakeTheLongestPieceOfAWord) {
  const std::string model = R"({"type": "WordPiece", "max_input_chars_per_word": 8,
      "vocab": {"[UNK]": 0, "un": 1, "##aff": 2, "##able": 3, "##a": 4, "u": 5}})";
  const auto tokenizer =
      opened(tokenizer_json(model, R"("pre_tokenizer": {"type": "Whitespace"})"));
  EXPECT_EQ(pieces_of(tokenizer, "unaff unable"), "un|##aff|un|##able");
  EXPECT_EQ(pieces_of(tokenizer, "unx uaaaaaaa uaaaaaaaa"),
            "[UNK]|u|##a|##a|##a|##a|##a|##a|##a|[UNK]");
}

TEST(Models, TakeTheWayWithTheHighestScore) {
  const std::string model = R"({"type": "Unigram", "unk_id": 0, "vocab":
      [["<unk>", 0], ["a", -1], ["b", -1], ["ab", -1.5], ["abc", -9], ["c", -1]]})";
  const auto tokenizer = opened(tokenizer_json(model));
  EXPECT_EQ(pieces_of(tokenizer, "abc"), "ab|c");
  EXPECT_EQ(pieces_of(tokenizer, "xyabx"), "<unk>|ab|<unk>");
}

TEST(Models, HaveSpecialTokensAroundATextAndWithin) {
  const std::string others = R"("added_tokens": [
      {"id": 10, "content": "<s>", "special": true}, {"id": 11, "content": "<s>>", "special": true},
      {"id": 12, "content": "<m>", "special": true, "lstrip": true, "rstrip": true},
      {"id": 13, "content": "q", "special": true, "single_word": true},
      {"id": 14, "content": "B", "normalized": true}],
    "normalizer": {"type": "Lowercase"}, "post_processor": {"type": "Sequence", "processors": [
      {"type": "ByteLevel"}, {"type": "RobertaProcessing", "cls": ["<s>", 10], "sep": ["c", 2]},
      {"type": "TemplateProcessing", "special_tokens": {"<s>": {"id": "<s>", "ids": [10, 11]}},
       "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}]}]})";
  const auto tokenizer = opened(tokenizer_json(bpe("[]", R"(, "unk_token": "<unk>")"), others));
  const auto inner = [&](const std::string& text) {
    Ids ids = ids_of(tokenizer, text);
    EXPECT_EQ(Ids(ids.begin(), ids.begin() + 3), (Ids{10, 11, 10}));
    EXPECT_EQ(ids.back(), 2U);
    return Ids(ids.begin() + 3, ids.end() - 1);
  };
  EXPECT_EQ(inner(""), Ids{});
  EXPECT_EQ(inner("<s><s>>c"), (Ids{10, 11, 2}));
  EXPECT_EQ(inner("C \n<m>  <m> C"), (Ids{2, 12, 12, 2}));
  EXPECT_EQ(inner("cq"), (Ids{2, 6}));
  EXPECT_EQ(inner("q c"), (Ids{13, 6, 2}));
  EXPECT_EQ(inner("b"), (Ids{14})) << "its text is normalized, too";
  EXPECT_EQ(tokenizer->piece(14), "B");
  EXPECT_EQ(tokenizer->size(), 15U);
  EXPECT_EQ(tokenizer->piece(99), "");
}

TEST(Models, ReadTheOlderLayouts) {
  const auto gpt2 = opened(TokenizerFiles{
      .vocab_json = R"({"Ġ": 0, "a": 1, "Ġa": 2, "Ã": 3, "¤": 4, "Ã¤": 5, "<|endoftext|>": 6})",
      .merges_txt = "#version: 0.2\r\nĠ a\r\nÃ ¤\n\n"});
  EXPECT_EQ(ids_of(gpt2, "a aä<|endoftext|>"), (Ids{1, 2, 5, 6}));
  EXPECT_EQ(gpt2->piece(2) + "," + gpt2->piece(3) + "," + gpt2->piece(5), " a,<0xC3>,ä");
  const TokenizerFiles bert{.vocab_txt = "[UNK]\n[CLS]\n[SEP]\na\nÄ\n",
                            .tokenizer_config_json = R"({"do_lower_case": false,
      "added_tokens_decoder": {"9": {"content": "<x>", "special": true}}})"};
  EXPECT_EQ(ids_of(opened(bert), "a Ä<x>[SEP]b"), (Ids{1, 3, 4, 9, 2, 0, 2}));
  EXPECT_EQ(ids_of(opened(TokenizerFiles{.vocab_txt = bert.vocab_txt}), "Ä"), (Ids{1, 3, 2}));
}

TEST(Models, OfTheOlderLayoutsHaveTheTokensOfAllTheirFiles) {
  TokenizerFiles bert{.vocab_txt = "[UNK]\n[CLS]\n[SEP]\n[PAD]\na\nb\n"};
  bert.special_tokens_map_json = R"({"mask_token": "[MASK]", "unk_token": "[PAD]",
      "additional_special_tokens": ["<e>", {"content": "<f>", "lstrip": true}]})";
  bert.added_tokens_json = R"({"<e>": 6, "new": 7})";
  EXPECT_EQ(ids_of(opened(bert), "a<e>NEW[MASK] <f>bx"), (Ids{1, 4, 6, 7, 8, 9, 3, 2}));
  EXPECT_EQ(opened(bert)->size(), 10U);
  EXPECT_EQ(ids_of(opened(bert), "<E> new"), (Ids{1, 3, 3, 3, 7, 2})) << "special: as written";
  bert.tokenizer_config_json = R"({"added_tokens_decoder": {"6": {"content": "<x>"}}})";
  EXPECT_EQ(ids_of(opened(bert), "<x><e>"), (Ids{1, 6, 0, 0, 0, 2})) << "has all there are";
}

TEST(Models, OfTheOlderLayoutsHaveTheNamesOfTheirSpecialTokens) {
  TokenizerFiles bert{.vocab_txt = "?\n<s>\n[SEP]\na\n"};
  EXPECT_FALSE(Tokenizer::open(bert).ok());
  bert.tokenizer_config_json = R"({"cls_token": "a", "unk_token": "?"})";
  EXPECT_EQ(ids_of(opened(bert), "a x"), (Ids{3, 3, 0, 2}));
  bert.special_tokens_map_json = R"({"cls_token": "<s>", "sep_token": null})";
  EXPECT_EQ(ids_of(opened(bert), "a x"), (Ids{1, 3, 0, 2}));
  TokenizerFiles pairs{.vocab_json = R"({"a": 0, "b": 1, "<m>": 2})",
                       .merges_txt = "#version: 0.2\n",
                       .tokenizer_config_json = R"({"add_bos_token": true})"};
  pairs.special_tokens_map_json = R"({"bos_token": "<t>", "eos_token": "</t>", "cls_token": "<t>",
      "sep_token": "</t>", "mask_token": "<m>"})";
  pairs.added_tokens_json = R"({"<t>": 3, "</t>": 4})";
  EXPECT_EQ(ids_of(opened(pairs), "a</t>b"), (Ids{3, 0, 4, 1}));
  pairs.ends_texts = true;
  EXPECT_EQ(ids_of(opened(pairs), "a <m>b"), (Ids{3, 0, 2, 1, 4})) << "with the blank before it";
}

}  // namespace
}  // namespace attn::test
