// Numbers that identify equal tokens.
#include "document/token_ids.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

TEST(TokenIds, AreEqualForEqualTexts) {
  Document document;
  document.query_tokens = {{"a", "b", "a"}, {"c", "c", "C"}};
  EXPECT_EQ(token_ids(document, {}).query, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(token_ids(document, {}).key, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(token_ids(document, {.sample = 1}).query, (std::vector<std::size_t>{0, 0, 2}));
}

TEST(TokenIds, AreEqualWhereANameIsTheNumberOfATokenWithoutOne) {
  Document document;
  document.query_tokens = {TokenList::counted(5, {{0, "3"}, {1, "1"}, {2, "07"}, {4, "3"}})};
  EXPECT_EQ(token_ids(document, {}).query, (std::vector<std::size_t>{3, 1, 2, 3, 3}));
}

TEST(TokenIds, AreUnknownWhereKeysComeFromAnotherSequence) {
  Document document;
  document.cross = true;
  document.query_tokens = {{"a"}};
  document.key_tokens = {{"a", "b"}};
  EXPECT_TRUE(token_ids(document, {}).query.empty());
  EXPECT_TRUE(token_ids(Document{}, {}).key.empty());
}

}  // namespace
}  // namespace attn
