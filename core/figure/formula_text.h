// Formulas as people type them, and how they are set in print: d_k with its k lowered, base^(2i)
// with its 2i raised, x - y with a minus sign.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr double kScriptSize = 0.72;  // of the letters beside it
inline constexpr double kSubscriptRise = -0.18, kSuperscriptRise = 0.36;  // of their size

struct FormulaRun {
  std::string text;
  double rise = 0.0;  // above the line, of the font size; 0: on it, in full size
  friend bool operator==(const FormulaRun&, const FormulaRun&) = default;
};

// A single letter (or log), "_" and letters or digits are a symbol with its index, and "^(…)" is an
// exponent. Quoted words (“my_token”) and longer names (my_file) stay as they are. No run is empty.
std::vector<FormulaRun> formula_runs(std::string_view text);

}  // namespace attn
