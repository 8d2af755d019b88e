// Blocks of numbers as text for others to paste: the one list of formats.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "numbers/number_table.h"

namespace attn {

struct NumberFormat {
  std::string_view name;   // "tsv"
  std::string_view label;  // "TSV (tab-separated)"
  std::string_view help;   // for whom it is, a sentence without a full stop
  // Numbers are the shortest that read back to the same bits. Labels are part of TSV, CSV and
  // Markdown. What has a cell is read by read_numbers as it was, but for LaTeX and
  // Markdown.
  std::string (*write)(const NumberTable& table);
};

// TSV first, which is what spreadsheets copy and paste.
std::span<const NumberFormat> all_number_formats();

std::string tsv_text(const NumberTable& table);

}  // namespace attn
