// The text of a document as it comes in: the block that is read, and what it takes of the next one
// to see a word whole. What was read is given up; nothing is ever read twice, so that what must be
// known later is kept as values: places, not text. Internal to core/document.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/byte_stream.h"
#include "base/error.h"
#include "document/json/characters.h"
#include "document/json/decimal.h"

namespace attn {

// 1-based, in bytes.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

// Only valid UTF-8 is shown: the text ends where it is not, or where it cannot be read any further.
class JsonText {
 public:
  JsonText(ByteStream& stream, std::size_t block_bytes);
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  // The character ahead; 0 at the end.
  char peek() {
    if (at_ == end_) load();
    return *at_;
  }
  bool is_at_end() { return at_ == end_ && !load(); }
  // Steps over what is loaded and holds no line break.
  void step(std::size_t count = 1) { at_ += count; }
  void skip_blanks();

  // All that is loaded of the text ahead, `count` characters at least unless the text ends before.
  // Valid until more is asked for. Behind it stand kDecimalPadding bytes, 0 first.
  std::string_view ahead(std::size_t count);

  TextPlace place() const { return {line_, offset_of(at_) - line_start_ + 1}; }

  // Where the loaded text is read to: several steps may be tried before one of them is taken.
  struct Spot {
    const char* at = nullptr;
    const char* line_start = nullptr;  // null: the line is still the same
    std::size_t line_breaks = 0;

    void skip_blanks() {
      for (; is_json_blank(*at); ++at) {
        if (*at == '\n') begin_line();
      }
    }
    void begin_line() {
      ++line_breaks;
      line_start = at + 1;
    }
  };
  Spot spot() const { return {at_, nullptr, 0}; }
  void go_to(const Spot& spot);

  // Goes to the end. What is wrong with the text whatever it says: it could not be read, or is not
  // UTF-8.
  std::optional<Error> finish();
  // Of the whole text, as far as that is known; it is after finish().
  std::uint64_t size() const { return stream_.size(); }

 private:
  std::size_t offset_of(const char* at) const {
    return before_ + static_cast<std::size_t>(at - buffer_.get());
  }
  bool load();
  void make_room();
  void take(std::size_t count);

  ByteStream& stream_;
  std::size_t block_bytes_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t before_ = 0;  // bytes of the text before those in the buffer
  char* at_ = nullptr;
  char* end_ = nullptr;
  std::array<char, 4> part_{};  // the first bytes of a character whose others are still to come
  std::size_t part_bytes_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  bool ended_ = false;
  std::optional<Error> failure_;
  std::optional<unsigned char> no_utf8_;  // the byte at which the text ends
};

}  // namespace attn
