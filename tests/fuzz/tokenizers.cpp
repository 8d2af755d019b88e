// Any files of a tokenizer are read or refused, and any text has ids that are its tokens, the same
// each time, or is refused. The first byte chooses the layout, the first line is the text; the
// files follow, each but the last up to a zero.
#include "base/joined.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "tokenizer/tokenizer.h"

namespace attn::fuzz {
namespace {

TokenizerFiles files_of(std::size_t layout, std::string_view rest) {
  const auto next = [&] { return std::string(take_before(rest, std::string_view("\0", 1))); };
  const std::string first = next(), second = next(), third = next();
  if (layout == 0) return {.tokenizer_json = first};
  if (layout == 1) {
    return {.vocab_json = first, .merges_txt = second, .added_tokens_json = third};
  }
  return {.vocab_txt = first, .tokenizer_config_json = second, .special_tokens_map_json = third};
}

}  // namespace

void fuzz_tokenizers(std::string_view input) {
  Bytes bytes(input);
  const std::size_t layout = bytes.below(3);
  const std::string_view text = bytes.line();
  const auto tokenizer = Tokenizer::open(files_of(layout, bytes.rest()));
  if (!tokenizer) return expect_clear(tokenizer.error());
  const auto ids = (*tokenizer)->encode(text), again = (*tokenizer)->encode(text);
  expect(ids.ok() == again.ok(), "a text is refused each time or never");
  if (!ids) return expect_clear(ids.error());
  expect(*ids == *again, "a text has the same ids each time");
  for (const std::uint32_t id : *ids) {
    expect(id < (*tokenizer)->size(), "an id is one of the vocabulary");
    expect(!first_invalid_utf8((*tokenizer)->piece(id)), "a token can be shown");
  }
}

}  // namespace attn::fuzz
