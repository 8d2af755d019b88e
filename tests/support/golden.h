// Goldens: expected texts, stored with the tests, and pages of docs that the program's tables
// generate. ATTNSCOPE_UPDATE_GOLDENS=1 in the environment rewrites them with the present output;
// look at the difference before committing it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "figure/figure.h"

namespace attn::test {

// Compares with tests/<path>.
::testing::AssertionResult matches_golden(const std::string& text, const std::string& path);
// Compares with a page of the documentation that is generated from the program's own tables.
::testing::AssertionResult matches_page(const std::string& text, const std::string& name);
// Compares with a generated file of assets/.
::testing::AssertionResult matches_asset(const std::string& text, const std::string& name);

// A figure as text, one item a line, coordinates to a tenth of a unit.
std::string figure_text(const Figure& figure);

}  // namespace attn::test
