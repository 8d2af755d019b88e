// Pages to hand out: one HTML file with figures, numbers, style and script, which loads nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "export/page/page_cells.h"
#include "figure/figure.h"

namespace attn {

inline constexpr std::uint64_t kMostPageCells = std::uint64_t{32} << 20U;  // 45 MB of a file

struct PageHead {
  std::string title;
  std::string provenance;  // as Figure::provenance
  // "light" or "dark"; empty: as the reader's system.
  std::string theme{};
};

// A figure on light paper, and the same on dark; nothing: the light one serves for both.
struct PageFigure {
  Figure light;
  std::optional<Figure> dark{};
};

// Style rules that a page needs for the figures in the dark.
using DarkRules = std::map<std::string, std::string>;

// Figures as tabs, of which each has one for every layer and head.
class PlotsPage {
 public:
  struct Place {
    std::string tab;              // "Heatmap"
    std::string layer{}, head{};  // numbers of those that can be chosen; else empty
    bool is_first = false;        // shown first of its tab
  };
  // Interrupted when progress, which may be null, was cancelled. Figures without a size: Usage.
  Status add(const Place& place, const PageFigure& figure, Progress* progress = nullptr);
  std::uint64_t cell_count() const { return cells_.count(); }
  std::string finish(const PageHead& head) const;

 private:
  PageCells cells_;
  DarkRules rules_;
  std::map<std::string, std::size_t> line_numbers_;  // of elements that figures share
  Json lines_ = Json::array();
  Json tabs_ = Json::array();
};

// Steps of a lesson. What comes after the first question is encoded.
class LessonPage {
 public:
  struct Answer {
    std::string text;  // Markdown
    PageFigure figure;
    std::vector<double> shares;  // of the question's bars
  };
  struct Question {
    std::vector<std::string> labels;  // of the bars; empty: there are none
    std::string matrix;               // text_of() what is asked about
    std::size_t row = 0, first_column = 0;
    Answer answer;
  };
  struct Step {
    std::string text;  // Markdown
    PageFigure figure;
    std::optional<Question> question{};
  };
  Status add(const Step& step);
  std::string finish(const PageHead& head) const;

 private:
  Result<Json> json_of(const PageFigure& figure, const std::string& prefix);

  DarkRules rules_;
  Json steps_ = Json::array();
  bool has_asked_ = false;
};

}  // namespace attn
