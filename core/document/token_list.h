// Tokens of a sequence, named or numbered, as a value: copies share the names.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Text of a named token.
struct TokenName {
  std::size_t index = 0;
  std::string text;
  friend bool operator==(const TokenName&, const TokenName&) = default;
};

// Spelling of tokens in vocabularies. Byte-level ones write each byte of a text as a letter: "Ġcat"
// is " cat", "âĢĻ" is "’". SentencePiece writes a blank as "▁": "▁cat" is " cat", and a character
// without a piece as its bytes: "<0x0A>" is a line break.
enum class TokenWriting { Plain, ByteLevel, SentencePiece };

// Text of `count` tokens from `first` on that share its characters; else of one token.
struct SharedText {
  std::size_t first = 0, count = 1;
  std::string text;
};

// True for "<s>", "<|im_start|>" and "[SEP]", which encode no text.
bool is_special_token(std::string_view token);

// The text of an unnamed token is its number: from 0 in documents, from 1 where it is displayed.
// Only names take memory, so a list of a hundred thousand unnamed tokens costs as much as an empty
// one.
class TokenList {
 public:
  TokenList() = default;
  // Makes a list of named tokens.
  TokenList(std::initializer_list<std::string> texts);
  explicit TokenList(std::vector<std::string> texts);
  TokenList(std::size_t count, const std::string& text);
  // Makes a list in which only `names`, in order, have names.
  static TokenList counted(std::size_t count, std::vector<TokenName> names = {});

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Returns by value because numbers are formatted on demand.
  std::string operator[](std::size_t index) const;
  // Display text: decoded by its vocabulary (TokenWriting), unless the list is as_written(). Parts
  // of one character are "😀 1/3"; without its rest a part is "0xF0 0x9F". Numbers are from 1.
  std::string spoken(std::size_t index) const;
  SharedText shared_text(std::size_t index) const;
  TokenWriting writing() const;  // plain if the list is as_written()
  std::string front() const { return (*this)[0]; }

  // Null for an unnamed token.
  const std::string* name_of(std::size_t index) const;
  std::span<const TokenName> names() const;  // in order
  bool all_named() const { return names().size() == size_; }

  // Copy whose tokens are displayed as written, or else decoded. Equal to the original.
  TokenList as_written(bool is_so = true) const;

  void rename(std::size_t index, std::string text);

  std::vector<std::string> texts() const;

  friend bool operator==(const TokenList& a, const TokenList& b);

 private:
  struct Names {
    std::vector<TokenName> in_order;
    TokenWriting writing = TokenWriting::Plain;
  };
  static std::shared_ptr<const Names> shared_names(std::vector<TokenName> names);
  std::optional<std::string> bytes_at(std::size_t index) const;

  std::size_t size_ = 0;
  std::shared_ptr<const Names> names_;  // null: none
  bool is_as_written_ = false;
};

// One list for all samples, or one per sample.
using TokenLists = std::vector<TokenList>;

}  // namespace attn
