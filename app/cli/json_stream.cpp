#include "cli/json_stream.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"

namespace attn::cli {
namespace {

constexpr std::size_t kPortionBytes = std::size_t{1} << 16U;

}  // namespace

std::string json_quoted(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void JsonStream::text(std::string_view part) {
  pending_ += part;
  if (pending_.size() >= kPortionBytes) hand_on();
}

void JsonStream::numbers(std::span<const float> values) {
  text("[");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text(", ");
    const std::string number = shortest_text(values[i]);
    text(std::isfinite(values[i]) ? number : "\"" + number + "\"");
  }
  text("]");
}

Status JsonStream::finish() {
  hand_on();
  return status_;
}

void JsonStream::hand_on() {
  if (status_.ok() && !pending_.empty()) status_ = sink_(pending_);
  pending_.clear();
}

}  // namespace attn::cli
