// Formulas as people type them, and how they are set in print: d_k with its k lowered, x - y with a
// minus sign.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr double kSubscriptSize = 0.72;  // of the letters beside it
inline constexpr double kSubscriptDrop = 0.18;  // of their size, below their line

struct FormulaRun {
  std::string text;
  bool lowered = false;
  friend bool operator==(const FormulaRun&, const FormulaRun&) = default;
};

// A single letter (or log), "_" and letters or digits are a symbol with its index. Quoted words
// (“my_token”) and longer names (my_file) stay as they are. No run is empty.
std::vector<FormulaRun> formula_runs(std::string_view text);

}  // namespace attn
