// A self-contained page: one HTML file with figures, numbers, style and script, which loads
// nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "document/document.h"
#include "engine/read/result.h"
#include "export/page/page_cells.h"
#include "figure/figure.h"

namespace attn {

inline constexpr std::uint64_t kMostPageCells = std::uint64_t{32} << 20U;  // 45 MB of a file

struct PageHead {
  std::string title;
  std::string provenance;  // as Figure::provenance
  // "light" or "dark"; empty: the theme of the reader's system.
  std::string theme{};
};

// A figure on light paper and the same figure on dark; nothing: the light one is used for both.
struct PageFigure {
  Figure light;
  std::optional<Figure> dark{};
  const Document* document = nullptr;  // shown document, and its result; null: unknown
  ResultPtr result{};
  bool follows = false;  // true: the script can redraw it from other numbers
};

// A page has either steps of a lesson, or tabs, each with a figure for every layer and head.
class HtmlPage {
 public:
  struct Place {
    std::string tab;              // "Heatmap"
    std::string layer{}, head{};  // numbers of those that can be chosen; else empty
    bool is_first = false;        // shown first of its tab
  };
  struct Question {
    // Cells to guess: the keys of a row, or one cell without label. Empty: the answer is no number.
    std::vector<std::string> labels{};
    std::vector<std::size_t> columns{};
    std::vector<double> truth{};
    std::string matrix{};  // text_of() the matrix of the question
    std::size_t row = 0;
    std::string after{};  // Markdown
    PageFigure revealed{};
  };
  struct Step {
    std::string text;  // Markdown
    PageFigure figure;
    std::optional<Question> question{};
    Json task{};  // path, layer, sample, head, row and col of the number to change; null: none
  };
  // Interrupted when progress, which may be null, was cancelled. Figures without a size: Usage.
  Status add(const Place& place, const PageFigure& figure, Progress* progress = nullptr);
  Status add(const Step& step);
  std::uint64_t cell_count() const { return cells_.count(); }
  std::string finish(const PageHead& head) const;

 private:
  // Returns the data of a figure for the script: the numbers of its "lines", each as the difference
  // from the previous one, whether it "follows", and the place of its "inputs" or why it has none.
  Result<Json> kept(const PageFigure& figure, std::size_t place, Progress* progress = nullptr);

  Json inputs_for(const Document& document, const AttentionProblem& problem);

  PageCells cells_;
  // CSS variables and their colours, in the light and in the dark theme.
  std::map<std::string, std::pair<std::string, std::string>> colors_;
  std::map<std::string, std::size_t> line_numbers_;  // of SVG, shared by the figures
  Json lines_ = Json::array(), tabs_ = Json::array(), steps_ = Json::array();
  Json inputs_ = Json::array();
};

}  // namespace attn
