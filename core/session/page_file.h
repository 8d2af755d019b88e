// Pages to hand out, of a lesson or of plots, from the window and the command line.
#pragma once

#include <string>
#include <vector>

#include "session/figure_file.h"

namespace attn {

// Returns figures of each layer and head that the view could show, with their places in one tab.
std::vector<FigureSpec> specs_for_page(const FigureSpec& spec, const AttentionShape& shape);

// Returns a page of these figures, in both themes unless a theme was chosen (not paper).
// OverMemoryLimit before they are drawn when there are too many cells.
Result<std::string> plots_page(const Document& document, const ResultPtr& result,
                               const std::vector<FigureSpec>& specs, PageHead head,
                               const DerivingOptions& how = {});

// Returns a page of the document's lesson, with the theme, the width and the fonts of `paper`.
Result<std::string> lesson_page(const Document& first, const ViewOptions& paper, PageHead head,
                                const DerivingOptions& how = {});

// Returns options of figures that are narrower than a page of paper, with larger letters.
ViewOptions usual_lesson_paper();

// Returns a page of what the window shows: the lesson, or the plot with all its layers and heads.
Result<std::string> page_file(const Document& document, const ResultPtr& result,
                              const FigureSpec& spec, const DerivingOptions& how);

}  // namespace attn
