// Ids equal those that the libraries of real models give, and on random texts those of plain
// algorithms that know neither queues nor tries nor patterns.
#include <gtest/gtest.h>
#include <utf8proc.h>

#include <map>

#include "base/json.h"
#include "base/random.h"
#include "base/utf8.h"
#include "support/shared_data.h"
#include "tokenizers.h"

namespace attn::test {
namespace {

const std::string kModels = "models/";

std::string model_file(const std::string& name) { return read_text(*shared_file(kModels + name)); }

TokenizerFiles gpt2_files() {
  return {.vocab_json = model_file("tokenizers/gpt2/vocab.json"),
          .merges_txt = model_file("tokenizers/gpt2/merges.txt")};
}
TokenizerFiles bert_files() {
  return {.vocab_txt = model_file("tokenizers/bert-base-uncased/vocab.txt")};
}
TokenizerFiles stories_files() {
  return {.tokenizer_json = model_file("stories260K/tokenizer.json")};
}

std::size_t expect_pairs(const TokenizerFiles& files, const std::string& pairs,
                         const char* member) {
  const auto tokenizer = opened(files);
  const Json all = parse_own_json(model_file(pairs));
  for (const auto& pair : all.at(member)) {
    EXPECT_EQ(ids_of(tokenizer, pair.at("text").get<std::string>()), pair.at("ids").get<Ids>())
        << pair.at("text");
  }
  return all.at(member).size();
}

TEST(Pairs, EqualThoseOfTheModelsLibraries) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("models"));
  const std::string bert = "tokenizers/bert-base-uncased/pairs.json";
  EXPECT_EQ(expect_pairs(gpt2_files(), "tokenizers/gpt2/pairs.json", "pairs"), 16U);
  EXPECT_EQ(expect_pairs(bert_files(), bert, "pairs"), 15U);
  EXPECT_EQ(expect_pairs(stories_files(), "reference/stories260k_reference.json", "cases"), 3U);
}

TEST(Pairs, HavePiecesThatPeopleRead) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("models"));
  const auto gpt2 = opened(gpt2_files()), stories = opened(stories_files());
  EXPECT_EQ(pieces_of(gpt2, "A cat’s 真"), "A| cat|<0xE2><0x80>|<0x99>|s| <0xE7>|<0x9C>|<0x9F>");
  EXPECT_EQ(gpt2->size(), 50257U);
  EXPECT_EQ(pieces_of(stories, "The animal"), "<s>| The| a|n|im|a|l");
  EXPECT_EQ(pieces_of(opened(bert_files()), "Tokenizers"), "[CLS]|token|##izer|##s|[SEP]");
}

TEST(Pairs, OfATinyModelAreRead) {
  const auto json = shared_file(kModels + "gpt-nano-sort/vocab.json");
  ATTNSCOPE_SKIP_WITHOUT(json);
  const std::string merges = model_file("gpt-nano-sort/merges.txt");
  const auto tiny = opened(TokenizerFiles{.vocab_json = read_text(*json), .merges_txt = merges});
  EXPECT_EQ(pieces_of(tiny, "CAB"), "C|A|B");
}

// --- random texts

// Makes letters of many scripts, marks, digits, signs, blanks of all kinds, and what else there is.
std::string random_text(Random& random, std::size_t letters) {
  constexpr std::string_view kUsual = "  etaoinshrdlu'.,!0123456789\n\t\r-#";
  std::string text;
  for (std::size_t i = 0; i < letters; ++i) {
    const std::uint64_t kind = random.next() % 8;
    char32_t c = static_cast<char32_t>(random.next() % (kind == 7 ? 0x110000 : 0x3100));
    if (kind < 5) c = static_cast<unsigned char>(kUsual[random.next() % kUsual.size()]);
    if (c < 0xD800 || c > 0xDFFF) append_utf8(text, c == 0 ? U'x' : c);
  }
  return text;
}

bool is_of(char32_t c, char category) {
  return *utf8proc_category_string(static_cast<utf8proc_int32_t>(c)) == category;
}
bool is_plain_blank(char32_t c) { return is_of(c, 'Z') || (c >= 9 && c <= 13) || c == 0x85; }

// Cuts as GPT-2's pattern does, by a loop.
std::vector<std::string> gpt2_pieces(const std::string& text) {
  const std::vector<char32_t> all = code_points(text);
  const auto kind_at = [&](std::size_t i) {
    return i >= all.size()          ? 'e'
           : is_plain_blank(all[i]) ? 'b'
           : is_of(all[i], 'L')     ? 'l'
           : is_of(all[i], 'N')     ? 'n'
                                    : 's';
  };
  const auto end_of = [&](std::size_t at) {
    for (const std::u32string word : {U"'s", U"'d", U"'m", U"'t", U"'ll", U"'ve", U"'re"}) {
      const std::size_t end = std::min(at + word.size(), all.size());
      if (std::equal(all.begin() + std::ptrdiff_t(at), all.begin() + std::ptrdiff_t(end),
                     word.begin(), word.end())) {
        return end;
      }
    }
    std::size_t end = at + (all[at] == U' ' && kind_at(at + 1) != 'b' ? 1 : 0);
    const char kind = kind_at(end);
    if (kind == 'e') return end;
    while (kind_at(end) == kind) ++end;
    const bool leaves_one = kind == 'b' && end < all.size() && end > at + 1;
    return leaves_one ? end - 1 : end;
  };
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < all.size();) {
    pieces.emplace_back();
    for (const std::size_t end = end_of(at); at < end; ++at) append_utf8(pieces.back(), all[at]);
  }
  return pieces;
}

// Joins the pair of the smallest rank, the leftmost first, until there is none.
std::vector<std::string> merged(std::vector<std::string> letters,
                                const std::map<std::string, std::size_t>& ranks) {
  while (true) {
    std::size_t best = ranks.size(), place = 0;
    for (std::size_t i = 0; i + 1 < letters.size(); ++i) {
      const auto found = ranks.find(letters[i] + " " + letters[i + 1]);
      if (found != ranks.end() && found->second < best) best = found->second, place = i;
    }
    if (best == ranks.size()) return letters;
    letters[place] += letters[place + 1];
    letters.erase(letters.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

TEST(RandomTexts, AreCutAndMergedAsByAPlainLoop) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("models"));
  const TokenizerFiles files = gpt2_files();
  const auto tokenizer = opened(files);
  std::map<std::string, std::size_t> ranks;
  std::string_view lines = files.merges_txt;
  for (lines.remove_prefix(lines.find('\n') + 1); !lines.empty();) {
    ranks.emplace(lines.substr(0, lines.find('\n')), ranks.size());
    lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
  }
  const Json vocabulary = parse_own_json(files.vocab_json);
  Ids letters;  // of the bytes
  for (int byte = 0; byte < 256; ++byte) {
    const bool is_itself = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
    const int shift = byte <= 32 ? 256 : byte < 161 ? 256 + 33 - 127 : 256 + 67 - 173;
    letters.push_back(static_cast<std::uint32_t>(is_itself ? byte : byte + shift));
  }
  Random random(5);
  for (int round = 0; round < 150; ++round) {
    const std::string text = random_text(random, 1 + random.next() % 120);
    Ids expected;
    for (const std::string& piece : gpt2_pieces(text)) {
      std::vector<std::string> parts;
      for (const char c : piece) {
        append_utf8(parts.emplace_back(), letters[static_cast<unsigned char>(c)]);
      }
      for (const std::string& part : merged(parts, ranks)) {
        expected.push_back(vocabulary.at(part).get<std::uint32_t>());
      }
    }
    ASSERT_EQ(ids_of(tokenizer, text), expected) << text;
  }
}

// The best of all ways, by trying every piece at every place; and the longest pieces by trying all
// ends.
TEST(RandomTexts, AreCutByScoresAsByAPlainLoop) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    std::map<std::string, double> scores{{"a", -9}, {"b", -9}, {"é", -9}};
    while (scores.size() < 12) {
      std::string piece;
      for (std::size_t i = 0; i < 1 + random.next() % 4; ++i) piece += "abé"[random.next() % 2];
      scores.emplace(piece + (random.next() % 4 == 0 ? "é" : ""),
                     -1 - static_cast<double>(random.next() % 1000) / 64);
    }
    std::string list = "[\"?\", 0]";
    std::vector<std::string> by_id{"?"};
    for (const auto& [piece, score] : scores) {
      list += ", [\"" + piece + "\", " + std::to_string(score) + "]";
      by_id.push_back(piece);
    }
    const auto tokenizer =
        opened(tokenizer_json(R"({"type": "Unigram", "unk_id": 0, "vocab": [)" + list + "]}"));
    std::string text;
    for (int i = 0; i < 30; ++i)
      text += random.next() % 6 == 0 ? "é" : random.next() % 2 ? "a" : "b";
    std::vector<double> best(text.size() + 1, -1e30);
    best[0] = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) continue;
      for (const auto& [piece, score] : scores) {
        if (text.compare(at, piece.size(), piece) == 0) {
          best[at + piece.size()] = std::max(best[at + piece.size()], best[at] + score);
        }
      }
    }
    double sum = 0;
    std::string whole;
    for (const std::uint32_t id : ids_of(tokenizer, text)) {
      whole += by_id[id];
      sum += scores[by_id[id]];
    }
    EXPECT_EQ(whole, text);
    EXPECT_NEAR(sum, best.back(), 1e-9) << text;
  }
}

}  // namespace
}  // namespace attn::test
