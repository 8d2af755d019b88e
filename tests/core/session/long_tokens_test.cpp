// Edits of documents with very many tokens.
#include <gtest/gtest.h>

#include "document/load/read.h"
#include "session/command.h"
#include "session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

constexpr std::size_t kManyTokens = 131072;

// Opened without computing.
SessionDriver opened_unseen(const std::string& text) {
  ReadOptions options;
  options.memory_limit_bytes = std::uint64_t{1} << 50U;
  SessionDriver session;
  session.send(command::Opened{{"/tmp/long.json"}, read_document(text, "long", options).value()});
  return session;
}

std::string many_tokens() {
  return R"({"heads": 1, "d_model": 2, "tokens": )" + std::to_string(kManyTokens);
}

TEST(LongTokens, OfHistoryShareTheirNames) {
  SessionDriver session = opened_unseen(many_tokens() + "}");
  session.send(command::RenameToken{Side::Query, 0, 17, "cat"});
  session.send(command::SetTitle{"A title"});
  const TokenList& before = session.state.history.past.back().document.query_tokens.front();
  const TokenList& now = session.state.document.query_tokens.front();
  EXPECT_EQ(before.names().data(), now.names().data());
  EXPECT_EQ(session.state.history.past.back().bytes, 0U) << "nothing that is not shared";
  session.send(command::StepEdit{-1});
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document.query_tokens.front(), TokenList::counted(kManyTokens));
}

TEST(LongTokens, OfHistoryCountWhatIsCopiedWithThem) {
  SessionDriver session =
      opened_unseen(many_tokens() + R"(, "mask": {"key_lengths": 100, "query_lengths": 100}})");
  session.send(command::SetTitle{"A title"});
  EXPECT_EQ(session.state.history.past.back().bytes, 2 * kManyTokens);
}

TEST(LongTokens, AreNotPaintedCellByCell) {
  SessionDriver session = opened_unseen(many_tokens() + "}");
  session.send(command::PaintCell{{}, 2, 1, false});
  EXPECT_EQ(session.state.document.mask, Mask{});
  EXPECT_EQ(session.last_notice(),
            "Painting would need a flag for each of 17,179,869,184 cells; hide tokens or use the "
            "other rules instead");
}

}  // namespace
}  // namespace attn
