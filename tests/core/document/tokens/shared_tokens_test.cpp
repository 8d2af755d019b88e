// Tokens of files as users have them.
#include <gtest/gtest.h>

#include "document/load/open.h"
#include "document/token_pieces.h"
#include "support/shared_data.h"

namespace attn {
namespace {

struct ShownTokens {
  std::vector<std::string> labels, words;
  std::string joins;
  Document document;
};

// Returns nothing if the file does not exist.
std::optional<ShownTokens> shown_of(const std::string& file) {
  const std::optional<std::string> path = test::shared_file("inputs/" + file);
  if (!path) return std::nullopt;
  ShownTokens shown{{}, {}, {}, open_document(*path).value().document};
  const TokenList& tokens = tokens_of(shown.document, Side::Query, 0);
  for (std::size_t i = 0; i < tokens.size(); ++i) shown.labels.push_back(tokens.spoken(i));
  const std::vector<TokenPiece> pieces = pieces_of(tokens, 100, false);
  for (const TokenPiece& word : words_of(pieces)) shown.words.push_back(word.text);
  shown.joins = joins_of(pieces);
  return shown;
}

using Texts = std::vector<std::string>;

TEST(SharedTokens, SpecialOnesOfOtherLettersStopNothing) {
  const auto shown = shown_of("deepseek.json");
  ATTNSCOPE_SKIP_WITHOUT(shown);
  EXPECT_EQ(shown->labels, (Texts{"<｜begin▁of▁sentence｜>", "<｜User｜>", "What", " is", " this",
                                  "?", "<｜Assistant｜>"}));
  EXPECT_EQ(shown->joins, "");
  EXPECT_EQ(tokens_of(shown->document, Side::Query, 0)[3], "Ġis") << "documents keep them";
}

TEST(SharedTokens, PartsOfACharacterAreShownAsSuchAndJoined) {
  const auto shown = shown_of("split-emoji.json");
  ATTNSCOPE_SKIP_WITHOUT(shown);
  EXPECT_EQ(shown->labels, (Texts{"Hi", " ", "😀 1/3", "😀 2/3", "😀 3/3", "\n", "caf", "é"}));
  EXPECT_EQ(shown->words, (Texts{"Hi", "␣", "😀", "↵", "café"}));
  EXPECT_EQ(shown->joins, "1 of 3 parts of a character, 1 of `Ġ`");
}

TEST(SharedTokens, PiecesThatGoOnAreJoined) {
  const auto shown = shown_of("subword-nmt.json");
  ATTNSCOPE_SKIP_WITHOUT(shown);
  EXPECT_EQ(shown->words, (Texts{"the", "backlog", "up", "marginally", "</s>"}));
  EXPECT_EQ(shown->joins, "2 of `@@`");
}

}  // namespace
}  // namespace attn
