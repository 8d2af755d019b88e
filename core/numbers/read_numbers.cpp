// The list of forms, and what they are told apart by.
#include "numbers/read_numbers.h"

#include <algorithm>
#include <string>

#include "base/number_text.h"
#include "numbers/forms.h"

namespace attn {
namespace {

struct NumberForm {
  bool (*is_meant)(std::string_view outline);
  Result<NumberTable> (*read)(std::string_view text, NonFinite non_finite);
};

bool is_anything(std::string_view) { return true; }

// The first that is meant is read.
constexpr NumberForm kForms[] = {
    {are_lists, read_lists}, {is_print, read_print}, {is_anything, read_lines}};

bool begins_cell(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = "\n\t,; ";
  return at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
}

}  // namespace

std::string outline_of(std::string_view text) {
  std::string outline(text);
  std::size_t at = text.find('"');
  while (at != std::string_view::npos) {
    const std::size_t end = begins_cell(text, at) ? end_of_quoted(text, at) : at + 1;
    if (end == std::string_view::npos) break;
    std::fill(outline.begin() + static_cast<std::ptrdiff_t>(at),
              outline.begin() + static_cast<std::ptrdiff_t>(end), '"');
    at = text.find('"', end);
  }
  return outline;
}

Status check_reading_memory(std::string_view text, std::uint64_t limit_bytes) {
  // Of a cell as it is found, as a number and as part of a document; measured.
  constexpr std::uint64_t kCellBytes = 250;
  constexpr std::uint64_t kCopies = 3;  // of the text
  constexpr std::string_view kBetween = " \t\r\n,;|&";
  std::uint64_t cells = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_between = kBetween.find(text[i]) != std::string_view::npos;
    cells +=
        !is_between && (i == 0 || kBetween.find(text[i - 1]) != std::string_view::npos) ? 1 : 0;
  }
  const std::uint64_t needed = kCopies * text.size() + kCellBytes * cells;
  if (needed <= limit_bytes) return ok_status();
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.message = "reading this text would need more memory than is allowed";
  error.found = bytes_text(needed);
  error.expected = "at most " + bytes_text(limit_bytes);
  error.hint = "paste less of it, save it as a file of NumPy, or raise the memory limit";
  return error;
}

std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  for (std::size_t i = text.find('"', at + 1); i != text.npos; i = text.find('"', i + 2)) {
    if (i + 1 == text.size() || text[i + 1] != '"') return i + 1;
  }
  return std::string_view::npos;
}

Result<NumberTable> read_numbers(std::string_view text, NonFinite non_finite) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string outline = outline_of(text);
  const auto* const form =
      std::ranges::find_if(kForms, [&](const NumberForm& f) { return f.is_meant(outline); });
  return form->read(text, non_finite);
}

}  // namespace attn
