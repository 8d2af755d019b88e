// Every normalizer and pre-tokenizer does what its type says.
#include "tokenizer/steps.h"

#include <gtest/gtest.h>

#include "base/joined.h"
#include "base/utf8.h"

namespace attn {
using namespace tokenizing;

namespace {

struct StepCase {
  std::string json, text, pieces;  // with "|" between them
};

// The pieces, or the error.
std::string pieces_after(TextStep (*read)(JsonValue), const StepCase& step_case) {
  JsonReader reader(step_case.json, {});
  if (reader.broken()) return describe(*reader.broken());
  const TextStep step = read(reader.root());
  if (!reader.errors().empty()) return describe(reader.errors().front());
  Pieces pieces{{step_case.text, true}};
  const Status done = step(pieces);
  return done ? joined(pieces, "|", &Piece::text) : describe(done.error());
}

std::string utf8_of(char32_t c) {
  std::string text;
  append_utf8(text, c);
  return text;
}

TEST(Steps, Normalize) {
  const StepCase cases[] = {
      {R"({"type": "NFC"})", "e\u0301ﬁ", "éﬁ"},
      {R"({"type": "NFD"})", "éﬁ", "e\u0301ﬁ"},
      {R"({"type": "NFKC"})", "e\u0301ﬁ", "éfi"},
      {R"({"type": "NFKD"})", "é①", "e\u03011"},
      {R"({"type": "Lowercase"})", "ÄΣİẞ", "äσi\u0307ß"},
      {R"({"type": "StripAccents"})", "e\u0301a\u0300", "ea"},
      {R"({"type": "Prepend", "prepend": "▁"})", "a", "▁a"},
      {R"({"type": "Prepend", "prepend": "▁"})", "", ""},
      {R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁"})", "a b ", "a▁b▁"},
      {R"({"type": "Replace", "pattern": {"String": ""}, "content": "x"})", "ab", "ab"},
      {R"({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})", "a   b c", "a b c"},
      {R"({"type": "Replace", "pattern": {"Regex": "x*"}, "content": "-"})", "axb", "-a-b-"},
      {R"({"type": "Strip"})", " \u3000a b\n", "a b"},
      {R"({"type": "Strip", "strip_right": false})", " a ", "a "},
      {R"({"type": "Strip", "strip_left": false})", " a ", " a"},
      {R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})", "É",
       "E"},
      {R"({"type": "BertNormalizer"})", "É\t\u0007中国\u200B x\u2028Y", "e  中  国  x y"},
      {R"({"type": "BertNormalizer", "strip_accents": false})", "É", "é"},
      {R"({"type": "BertNormalizer", "lowercase": false})", "É", "É"},
      {R"({"type": "BertNormalizer", "lowercase": false, "strip_accents": true,
           "handle_chinese_chars": false, "clean_text": false})",
       "É\t中", "E\t中"},
  };
  for (const StepCase& one : cases) {
    EXPECT_EQ(pieces_after(read_normalizer, one), one.pieces) << one.json;
  }
}

TEST(Steps, CutATextIntoPieces) {
  const auto split = [](const std::string& rest) {
    return R"({"type": "Split", "pattern": {"String": "-"}, "behavior": )" + rest + "}";
  };
  const StepCase cases[] = {
      {split(R"("Isolated")"), "a-b--c", "a|-|b|-|-|c"},
      {split(R"("Removed")"), "-a-b--c-", "a|b|c"},
      {split(R"("MergedWithPrevious")"), "-a-b--c", "-|a-|b-|-|c"},
      {split(R"("MergedWithNext")"), "a-b--c-", "a|-b|-|-c|-"},
      {split(R"("Contiguous")"), "a-b--c", "a|-|b|--|c"},
      {split(R"("Removed", "invert": true)"), "a-b--c", "-|-|-"},
      {split(R"("Isolated", "invert": true)"), "ab-", "ab|-"},
      {R"({"type": "Split", "pattern": {"Regex": "\\s+$|^b|[\\s\\d]"}, "behavior": "Isolated"})",
       "a1\nb  ", "a|1|\n|b|  "},
      {R"({"type": "Split", "pattern": {"Regex": "\\p{Han}+"}, "behavior": "Isolated"})", "中、中",
       "中|、|中"},
      {R"({"type": "ByteLevel"})", "I'll go  to\n\nä", "ĠI|'ll|Ġgo|Ġ|Ġto|Ċ|Ċ|Ã¤"},
      {R"({"type": "ByteLevel", "add_prefix_space": false})", "a 12!?", "a|Ġ12|!?"},
      {R"({"type": "ByteLevel", "use_regex": false})", "a b", "ĠaĠb"},
      {R"({"type": "Metaspace"})", "a b", "▁a|▁b"},
      {R"({"type": "Metaspace", "add_prefix_space": false})", "a b", "a|▁b"},
      {R"({"type": "Metaspace", "prepend_scheme": "never", "split": false})", "a b", "a▁b"},
      {R"({"type": "Metaspace", "replacement": "_"})", "a b", "_a|_b"},
      {R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
           {"type": "Metaspace", "prepend_scheme": "first"}]})",
       "a b", "▁a|b"},
      {R"({"type": "BertPreTokenizer"})", "don't 中。 $5\u3000x", "don|'|t|中|。|$|5|x"},
      {R"({"type": "Whitespace"})", "don't_x ²5!? ", "don|'|t_x|²|5|!?"},
      {R"({"type": "WhitespaceSplit"})", " a\u0085b\t\u1680c", "a|b|c"},
      {R"({"type": "Digits"})", "a12b½", "a|12|b|½"},
      {R"({"type": "Digits", "individual_digits": true})", "a12", "a|1|2"},
      {R"({"type": "Punctuation"})", "a,.b¿", "a|,|.|b|¿"},
      {R"({"type": "Punctuation", "behavior": "Removed"})", "a,.b", "a|b"},
  };
  for (const StepCase& one : cases) {
    EXPECT_EQ(pieces_after(read_pre_tokenizer, one), one.pieces) << one.json;
  }
}

// U+180E was a blank once, and is none: "a\u180Eb" is one piece.
TEST(Steps, TakeForBlanksWhatUnicodeDoes) {
  std::string found;
  for (char32_t c = 1; c < 0x3100; ++c) {
    if (c == U'|') continue;
    const std::string text = "a" + utf8_of(c) + "b";
    if (pieces_after(read_pre_tokenizer, {R"({"type": "WhitespaceSplit"})", text, ""}) == "a|b") {
      found += std::to_string(c) + " ";
    }
  }
  EXPECT_EQ(found,
            "9 10 11 12 13 32 133 160 5760 8192 8193 8194 8195 8196 8197 8198 8199 8200 8201 8202 "
            "8232 8233 8239 8287 12288 ");
}

std::string base64(const std::string& bytes) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (int shift = 18; shift >= 0; shift -= 6) text += digits[bits >> shift & 63U];
  }
  return text;
}

std::string normalizer_of_map(std::vector<std::uint32_t> units, const std::string& texts) {
  std::string bytes;
  units.insert(units.begin(), static_cast<std::uint32_t>(4 * units.size()));
  for (const std::uint32_t unit : units) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(unit >> shift);
  }
  return R"({"type": "Precompiled", "precompiled_charsmap": ")" + base64(bytes + texts) + "\"}";
}

// A double array by hand: 'A' leads from node 1 to 0x40, and its leaf at 0x80 has the place of
// "xy".
TEST(Steps, MapCharactersByATrie) {
  std::vector<std::uint32_t> units(256, 0);
  units[0] = 1U << 10U;
  units['A' ^ 1] = static_cast<std::uint32_t>('A') | 1U << 8U | (0x40U ^ 0x80U) << 10U;
  units[0x80] = 3;
  const std::string json = normalizer_of_map(units, std::string("ab\0xy\0", 6));
  EXPECT_EQ(pieces_after(read_normalizer, {json, "bAA!\u00E9", ""}), "bxyxy!\u00E9");
  const std::string broken = normalizer_of_map({0xFFFFFFFFU, 0xFFFFFFFFU}, "a");
  EXPECT_EQ(pieces_after(read_normalizer, {broken, "bAA!", ""}), "bAA!");
  const std::string none = R"({"type": "Precompiled", "precompiled_charsmap": "////"})";
  EXPECT_NE(pieces_after(read_normalizer, {none, "a", ""}).find("not sound"), std::string::npos);
}

}  // namespace
}  // namespace attn
