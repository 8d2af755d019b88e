// Storage and lookup of token names.
#include "document/token_list.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace attn {
namespace {

TokenWriting writing_of_names(const std::vector<TokenName>& names) {
  std::vector<std::string_view> texts;
  texts.reserve(names.size());
  for (const TokenName& name : names) texts.push_back(name.text);
  return writing_of(texts);
}

std::vector<TokenName> names_of_all(std::vector<std::string> texts) {
  std::vector<TokenName> names;
  names.reserve(texts.size());
  for (std::string& text : texts) names.push_back({names.size(), std::move(text)});
  return names;
}

template <class Names>
auto place_of(Names& names, std::size_t index) {
  return std::ranges::lower_bound(names, index, {}, &TokenName::index);
}

}  // namespace

std::shared_ptr<const TokenList::Names> TokenList::shared_names(std::vector<TokenName> names) {
  if (names.empty()) return nullptr;
  const TokenWriting writing = writing_of_names(names);
  return std::make_shared<const Names>(Names{std::move(names), writing});
}

TokenList::TokenList(std::initializer_list<std::string> texts)
    : TokenList(std::vector<std::string>(texts)) {}

TokenList::TokenList(std::vector<std::string> texts)
    : size_(texts.size()), names_(shared_names(names_of_all(std::move(texts)))) {}

TokenList::TokenList(std::size_t count, const std::string& text)
    : TokenList(std::vector<std::string>(count, text)) {}

TokenList TokenList::counted(std::size_t count, std::vector<TokenName> names) {
  TokenList list;
  list.size_ = count;
  list.names_ = shared_names(std::move(names));
  return list;
}

std::string TokenList::operator[](std::size_t index) const {
  const std::string* name = name_of(index);
  return name != nullptr ? *name : std::to_string(index);
}

std::string TokenList::spoken(std::size_t index) const {
  const bool decodes = names_ != nullptr && !is_as_written_;
  return text_of_token((*this)[index], decodes ? names_->writing : TokenWriting::Plain);
}

TokenList TokenList::as_written() const {
  TokenList list = *this;
  list.is_as_written_ = true;
  return list;
}

const std::string* TokenList::name_of(std::size_t index) const {
  const std::span<const TokenName> all = names();
  const auto place = place_of(all, index);
  return place != all.end() && place->index == index ? &place->text : nullptr;
}

std::span<const TokenName> TokenList::names() const {
  return names_ == nullptr ? std::span<const TokenName>()
                           : std::span<const TokenName>(names_->in_order);
}

std::vector<std::string> TokenList::texts() const {
  std::vector<std::string> all;
  all.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) all.push_back((*this)[i]);
  return all;
}

void TokenList::rename(std::size_t index, std::string text) {
  std::vector<TokenName> changed(names().begin(), names().end());
  const auto place = place_of(changed, index);
  if (place != changed.end() && place->index == index) {
    place->text = std::move(text);
  } else {
    changed.insert(place, TokenName{index, std::move(text)});
  }
  names_ = shared_names(std::move(changed));
}

std::optional<std::size_t> token_number(const std::string& text) {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || std::to_string(number) != text) return std::nullopt;
  return number;
}

bool operator==(const TokenList& a, const TokenList& b) {
  return a.size_ == b.size_ && (a.names_ == b.names_ || std::ranges::equal(a.names(), b.names()));
}

}  // namespace attn
