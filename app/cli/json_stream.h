// JSON written piece by piece, so that large results are never held as a tree.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace attn::cli {

// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_quoted(std::string_view text);

// Collects text and hands it on in portions. The first failure is kept; what follows is dropped.
class JsonStream {
 public:
  using Sink = std::function<Status(std::string_view)>;
  explicit JsonStream(Sink sink) : sink_(std::move(sink)) {}

  void text(std::string_view part);
  // "[0.5, 1, \"nan\"]": shortest numbers that read back to the same bits; non-finite as strings.
  void numbers(std::span<const float> values);
  bool failed() const { return !status_.ok(); }
  Status finish();

 private:
  void hand_on();

  Sink sink_;
  std::string pending_;
  Status status_ = ok_status();
};

}  // namespace attn::cli
