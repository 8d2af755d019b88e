// Lessons: steps over one document, each with an edit, a view and a text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/reader.h"
#include "view/layout.h"

namespace attn {

// Cells are written as in formulas (lesson/formula.h).
struct LessonStep {
  std::string text;               // Markdown with formulas in braces
  std::string page_text;          // what pages have in place of it; empty: the same
  std::string edit;               // changes of the document as JSON; empty: none
  KnownArrays arrays;             // of files that the edit refers to, once read
  std::optional<Panes> panes;     // views; none: those of the step before
  std::vector<std::string> pins;  // cells
  std::string input;              // JSON pointer of the number to change; empty: none
  std::vector<std::string> ask;   // cells to guess, which are concealed until then
  std::string after;              // text once they are revealed
  friend bool operator==(const LessonStep&, const LessonStep&) = default;
};

}  // namespace attn
