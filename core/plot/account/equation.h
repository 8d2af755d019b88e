// The equation of one weight with the numbers of its row, as text, LaTeX and Markdown.
#pragma once

#include <string>

#include "plot/account/account.h"
#include "plot/account/sums.h"

namespace attn {

// Returns weights["love", "cats"] = exp(2.00) / (exp(0.50) + exp(2.00)) = 0.82. Long rows have the
// largest summands, and the sum of the others. A "?" replaces numbers that would give away a
// concealed one. Numbers too small or large for the decimals have an exponent. Markdown is the
// LaTeX between dollar signs.
std::string equation_of(const PlotInput& input, const Account& account, EquationFormat format,
                        int decimals = ViewOptions().decimals);

// Returns an equation in LaTeX as one of Markdown.
inline std::string in_markdown(const std::string& latex) { return "$" + latex + "$"; }

// Returns that of a cell between queries and keys; "" for other cells and without weights.
std::string equation_of(const PlotInput& input, const CellHit& cell, EquationFormat format);

}  // namespace attn
