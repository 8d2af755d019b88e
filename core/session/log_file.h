// Log file of messages: lines with times, at most one megabyte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "session/state.h"

namespace attn {

// Least severity that is logged.
enum class LogLevel { Off, Error, Warning, Info };

// "off", "error", "warning", "info", in the order of LogLevel.
std::span<const std::string_view> log_level_names();
std::optional<LogLevel> log_level_named(std::string_view name);

// "error", "warning" or "info".
std::string_view name_of(Notice::Level level);

bool is_logged(LogLevel level, Notice::Level notice);

// The time as strftime() writes it by `format`; the local one, or UTC.
std::string time_text(std::int64_t seconds, const char* format, bool utc = false);

// "log.txt" in state_folder(); empty if there is none.
std::string usual_log_path();

// Entry of a log: a printable line with the time in UTC, then indented details. `seconds`: since
// 1970.
std::string log_text(std::int64_t seconds, Notice::Level level, const std::string& text,
                     const std::string& details = "");

inline constexpr std::uint64_t kLargestLogBytes = std::uint64_t{1} << 20U;

// Appends text, creating the file (mode 600) and its folder. Drops the older half when the file
// would exceed kLargestLogBytes. Never blocks on a lock. CannotWrite, also for a file that is no
// log.
Status append_to_log(const std::string& path, std::string_view text);

// CannotWrite if the file exists and is no log.
Status check_log(const std::string& path);

}  // namespace attn
