// Loads text block by block and looks at each byte once: is it UTF-8, does a line end there.
#include "document/json/text.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "document/inconsistencies.h"

namespace attn {

JsonText::JsonText(ByteStream& stream, std::size_t block_bytes)
    : stream_(stream), block_bytes_(block_bytes) {
  make_room();
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (ahead(kByteOrderMark.size()).starts_with(kByteOrderMark)) step(kByteOrderMark.size());
}

void JsonText::go_to(const Spot& spot) {
  at_ += spot.at - at_;
  line_ += spot.line_breaks;
  if (spot.line_start != nullptr) line_start_ = offset_of(spot.line_start);
}

void JsonText::skip_blanks() {
  do {
    Spot next = spot();
    next.skip_blanks();
    go_to(next);
  } while (at_ == end_ && load());
}

std::string_view JsonText::ahead(std::size_t count) {
  while (static_cast<std::size_t>(end_ - at_) < count && load()) {
  }
  return {at_, static_cast<std::size_t>(end_ - at_)};
}

// What is ahead moves to the front of the buffer, which has room for a block behind it then.
void JsonText::make_room() {
  const auto kept = static_cast<std::size_t>(end_ - at_);
  if (at_ != nullptr) before_ = offset_of(at_);
  const std::size_t needed = kept + part_.size() + block_bytes_ + kDecimalPadding;
  std::unique_ptr<char[]> larger;
  if (capacity_ < needed) {
    capacity_ = std::max(needed, 2 * kept);
    larger = std::make_unique_for_overwrite<char[]>(capacity_);
  }
  char* const front = larger ? larger.get() : buffer_.get();
  if (kept > 0) std::memmove(front, at_, kept);
  if (larger) buffer_ = std::move(larger);
  at_ = front;
  end_ = at_ + kept;
}

// False when nothing was added to the text ahead: it ends there.
bool JsonText::load() {
  const auto there = end_ - at_;
  while (!ended_) {
    make_room();
    std::copy_n(part_.data(), part_bytes_, end_);
    const Result<std::size_t> got = stream_.read({end_ + part_bytes_, block_bytes_});
    if (!got) failure_ = got.error();
    take(got ? *got : 0);
    if (end_ - at_ > there) return true;
  }
  return false;
}

// Adds what is UTF-8 of `count` bytes that were read behind the part of a character. None: there
// are no more, so that a part stays one.
void JsonText::take(std::size_t count) {
  const std::string_view fresh(end_, part_bytes_ + count);
  const std::size_t good = first_invalid_utf8(fresh).value_or(fresh.size());
  part_bytes_ = fresh.size() - good;
  ended_ = count == 0 || part_bytes_ >= part_.size();
  if (ended_ && part_bytes_ > 0) no_utf8_ = static_cast<unsigned char>(fresh[good]);
  if (!ended_) fresh.copy(part_.data(), part_.size(), good);
  end_ += good;
  std::fill_n(end_, kDecimalPadding, '\0');
}

std::optional<Error> JsonText::finish() {
  do {
    Spot last = spot();
    for (; last.at != end_; ++last.at) {
      if (*last.at == '\n') last.begin_line();
    }
    go_to(last);
  } while (load());
  if (failure_ || !no_utf8_) return failure_;
  Error error = refusal_at("", "the text is not valid UTF-8",
                           "the byte " + std::to_string(*no_utf8_), "UTF-8", "write it as UTF-8");
  error.line = place().line;
  error.column = place().column;
  return error;
}

}  // namespace attn
