// Error: the structure behind every refusal, notice and exit code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

// Kind of failure; each has an exit code.
enum class ErrorKind {
  Internal,
  Usage,
  BadInput,
  OverMemoryLimit,
  CannotWrite,
  NoDisplay,
  Interrupted,
};

// Facts that help to fix the error. Empty strings and zeros mean "does not apply".
struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string message = {};   // one sentence without a full stop
  std::string file = {};      // path as the user gave it; "-" is standard input
  std::string pointer = {};   // JSON pointer (RFC 6901) of the invalid value
  std::size_t line = 0;       // 1-based, of the text of `file`
  std::size_t column = 0;     // 1-based, in bytes
  std::string found = {};     // actual text
  std::string expected = {};  // valid text
  std::string hint = {};      // advice
};

// The error with quotations, which may be texts of any size from a file, cut to a bound. Results
// and the errors of readers are made so.
Error with_short_quotes(Error error);

// Error for an invalid request.
Error usage_error(std::string message, std::string hint = {});

// OverMemoryLimit with both numbers of bytes.
Error over_memory(std::string message, std::uint64_t needed, std::uint64_t limit, std::string hint);

// BadInput with the first invalid UTF-8 byte and its offset (from 0); nothing if the text is valid.
// `what` begins the sentence: "the text".
std::optional<Error> utf8_refusal(std::string_view text, const std::string& what);

// 1 internal, 2 usage, 3 bad input, 4 over the memory limit, 5 cannot write, 6 no display, 130
// interrupted.
int exit_code(ErrorKind kind);

// Short machine-readable name, such as "bad_input".
std::string kind_name(ErrorKind kind);

// One printable line: "cats.json:3:7: /q/1: the row has 3 numbers, expected 2 (…)", hint after a
// semicolon.
std::string describe(const Error& error);

// Describes all fields, each on a printable line, for "copy details".
std::string describe_in_full(const Error& error);

}  // namespace attn
