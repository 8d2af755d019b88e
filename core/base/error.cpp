// Texts of errors: one line, or all fields for copying.
#include "base/error.h"

#include <array>
#include <utility>

#include "base/enum_table.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

struct ErrorKindInfo {
  ErrorKind kind;
  int code;
  const char* name;
};
constexpr auto kErrorKinds = std::to_array<ErrorKindInfo>({
    {ErrorKind::Internal, 1, "internal"},
    {ErrorKind::Usage, 2, "usage"},
    {ErrorKind::BadInput, 3, "bad_input"},
    {ErrorKind::OverMemoryLimit, 4, "over_memory_limit"},
    {ErrorKind::CannotWrite, 5, "cannot_write"},
    {ErrorKind::NoDisplay, 6, "no_display"},
    {ErrorKind::Interrupted, 130, "interrupted"},
});
static_assert(is_indexed_by(kErrorKinds, &ErrorKindInfo::kind));

std::string place(const Error& error) {
  std::string text = error.file;
  if (error.line > 0) text += ":" + std::to_string(error.line) + ":" + std::to_string(error.column);
  return text;
}

}  // namespace

Error with_short_quotes(Error error) {
  constexpr std::size_t kMost = 2000, kMostFound = 500;
  for (std::string* text :
       {&error.message, &error.file, &error.pointer, &error.found, &error.expected, &error.hint}) {
    const std::size_t most = text == &error.found ? kMostFound : kMost;
    if (text->size() > most) *text = cut_to_ends(*text, most);
  }
  return error;
}

Error usage_error(std::string message, std::string hint) {
  return Error{.kind = ErrorKind::Usage, .message = std::move(message), .hint = std::move(hint)};
}

Error over_memory(std::string message, std::uint64_t needed, std::uint64_t limit,
                  std::string hint) {
  // Two figures that look the same once they are rounded.
  const bool are_near = bytes_text(needed) == bytes_text(limit);
  const auto exact = [are_near](std::uint64_t bytes) {
    return are_near ? " (" + grouped_text(bytes) + " bytes)" : std::string();
  };
  return Error{.kind = ErrorKind::OverMemoryLimit,
               .message = std::move(message),
               .found = bytes_text(needed) + exact(needed),
               .expected = "at most " + bytes_text(limit) + exact(limit),
               .hint = std::move(hint)};
}

std::optional<Error> utf8_refusal(std::string_view text, const std::string& what) {
  const std::optional<std::size_t> bad = first_invalid_utf8(text);
  if (!bad) return std::nullopt;
  return Error{.kind = ErrorKind::BadInput,
               .message = what + " is not valid UTF-8",
               .found = "the byte " + std::to_string(static_cast<unsigned char>(text[*bad])) +
                        " at offset " + std::to_string(*bad),
               .expected = "UTF-8",
               .hint = "copy it again from a program that shows its letters correctly"};
}

int exit_code(ErrorKind kind) { return row_of(kErrorKinds, kind).code; }

std::string kind_name(ErrorKind kind) { return row_of(kErrorKinds, kind).name; }

std::string describe(const Error& error) {
  std::string text;
  for (const std::string& part : {place(error), error.pointer}) {
    if (!part.empty()) text += part + ": ";
  }
  text += error.message;
  if (!error.found.empty()) text += ": found " + error.found;
  if (!error.expected.empty()) text += ", expected " + error.expected;
  if (!error.hint.empty()) text += "; " + error.hint;
  return printable_line(text);
}

std::string describe_in_full(const Error& error) {
  const std::pair<const char*, std::string> lines[] = {
      {"Problem", error.message},     {"File", place(error)},       {"At", error.pointer},
      {"Found", error.found},         {"Expected", error.expected}, {"What to do", error.hint},
      {"Kind", kind_name(error.kind)}};
  std::string text;
  for (const auto& [name, value] : lines) {
    if (!value.empty()) text += std::string(name) + ": " + printable_line(value) + "\n";
  }
  return text;
}

}  // namespace attn
