// What the program says, in a file: lines with times, at most a megabyte of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "session/state.h"

namespace attn {

// What is worth a line, from nothing to everything.
enum class LogLevel { Off, Error, Warning, Info };

// "off", "error", "warning", "info": in the order of the levels.
std::span<const std::string_view> log_level_names();
std::optional<LogLevel> log_level_named(std::string_view name);

bool is_logged(LogLevel level, Notice::Level notice);

// "log.txt" in state_folder(); empty when there is none.
std::string usual_log_path();

// One printable line that begins with the time in UTC, and the lines of the details below it,
// indented. `seconds`: since 1970.
std::string log_text(std::int64_t seconds, Notice::Level level, const std::string& text,
                     const std::string& details = "");

inline constexpr std::uint64_t kLargestLogBytes = std::uint64_t{1} << 20U;

// Adds the text at the end of the file, making it (for nobody else to read) and its folder. Of a
// file that would exceed kLargestLogBytes the older half goes first. Never waits. CannotWrite, also
// for a file that holds something else than a log.
Status append_to_log(const std::string& path, std::string_view text);

// CannotWrite for a file that is there and is no log; ok when there is none.
Status check_log(const std::string& path);

}  // namespace attn
