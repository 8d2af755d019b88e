// Hash of bytes, eight at a time, independent of how the input is split.
#include "base/file_version.h"

#include <algorithm>
#include <cstring>

namespace attn {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);

std::uint64_t mixed(std::uint64_t hash, const char* word) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, word, kWord);
  hash = (hash ^ bits) * 0x9E3779B97F4A7C15U;
  return hash ^ hash >> 32U;
}

}  // namespace

// Fills the pending word; returns the rest of the bytes.
std::string_view FileHash::complete_word(std::string_view bytes) {
  const std::size_t there = size_ % kWord;
  const std::size_t more = there == 0 ? 0 : std::min(kWord - there, bytes.size());
  std::copy_n(bytes.data(), more, word_.data() + there);
  size_ += more;
  if (there + more == kWord) hash_ = mixed(hash_, word_.data());
  return bytes.substr(more);
}

void FileHash::add(std::string_view bytes) {
  bytes = complete_word(bytes);
  if (bytes.empty()) return;
  size_ += bytes.size();
  for (; bytes.size() >= kWord; bytes.remove_prefix(kWord)) hash_ = mixed(hash_, bytes.data());
  std::ranges::copy(bytes, word_.data());
}

FileVersion FileHash::version() const {
  std::array<char, kWord> last{};
  std::copy_n(word_.data(), size_ % kWord, last.data());
  return {size_, mixed(hash_, last.data())};
}

FileVersion version_of(std::string_view bytes) {
  FileHash hash;
  hash.add(bytes);
  return hash.version();
}

}  // namespace attn
