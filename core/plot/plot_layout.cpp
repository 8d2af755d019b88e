// Composition of panels: rows, columns, letters and shared colour bars.
#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "document/provenance.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "plot/kit/page.h"
#include "view/fields.h"

namespace attn {
namespace {

// A panel, or panels beside or below each other.
struct Block {
  Figure figure;
  const PlotEntry* plot = nullptr;  // of a single panel
  PlotOptions options = {};
};

// A page in progress; letters follow the order of reading.
struct Composer {
  const PlotOptions& page;
  const DrawPlot& draw;
  std::size_t letters = 0;

  Result<Block> drawn(Block block) const {
    Result<Figure> figure = draw(*block.plot, block.options);
    if (!figure) return figure.error();
    block.figure = *std::move(figure);
    return block;
  }

  Result<Block> panel(const View& view, double width) {
    Block block{{}, plot_named(view.plot), page};
    if (block.plot == nullptr) return usage_error("there is no plot named " + view.plot);
    static_cast<ViewOptions&>(block.options) = view.options;
    static_cast<FigureOptions&>(block.options) = page;
    block.options.title = page.letters ? std::string(1, static_cast<char>('a' + letters)) : "";
    block.options.width = width;
    block.options.height = 0.0;
    block.options.is_panel = true;
    ++letters;
    return drawn(std::move(block));
  }

  Result<Block> block(const Layout& layout, double width) {
    if (const auto* pane = std::get_if<Pane>(&layout)) return panel(pane->view, width);
    const Split& split = std::get<Split>(layout);
    const bool beside = split.direction == SplitDirection::Right;
    const double share = beside ? width / static_cast<double>(split.parts.size()) : width;
    std::vector<Block> blocks;
    for (const Part& part : split.parts) {
      Result<Block> next = block(part.layout, share);
      if (!next) return next;
      blocks.push_back(*std::move(next));
    }
    if (beside) {
      if (const Status shared = share_color_bars(blocks); !shared) return shared.error();
    }
    return Block{joined(blocks, width, beside)};
  }

  // Of neighbours with equal colours the last has the colour bar, whose width is taken from all.
  Status share_color_bar(std::span<Block> group) const {
    double spared = 0.0;
    for (std::size_t i = 0; i <= group.size() && group.size() > 1; ++i) {
      // The first is drawn twice: to see how much wider its map is without the bar.
      Block& block = group[i == 0 ? 0 : i - 1];
      const double with_bar = find_matrix(block.figure)->clip.width;
      const bool is_last = i == group.size();
      block.options.color_bar = is_last;
      block.options.width += (is_last ? spared : 0.0) - spared / static_cast<double>(group.size());
      Result<Block> again = drawn(block);
      if (!again) return again.error();
      block = *std::move(again);
      if (i == 0) spared = std::max(find_matrix(block.figure)->clip.width - with_bar, 0.0);
    }
    return ok_status();
  }

  Status share_color_bars(std::span<Block> blocks) const {
    while (!blocks.empty()) {
      std::size_t equal = 1;
      while (equal < blocks.size() && have_one_range(blocks[equal - 1], blocks[equal])) ++equal;
      if (const Status shared = share_color_bar(blocks.first(equal)); !shared) return shared;
      blocks = blocks.subspan(equal);
    }
    return ok_status();
  }

  static bool have_one_range(const Block& a, const Block& b) {
    const auto bar = [](const Block& block) {
      const bool has = block.plot != nullptr && uses(*block.plot, Option::ColorBar) &&
                       block.plot->fills_room && block.options.color_bar;
      return has ? find_matrix(block.figure) : nullptr;
    };
    const MatrixItem *one = bar(a), *other = bar(b);
    return one != nullptr && other != nullptr && a.plot == b.plot &&
           a.options.stage == b.options.stage && one->scale == other->scale;
  }

  Figure joined(const std::vector<Block>& blocks, double width, bool beside) const {
    Figure all;
    all.width = width;
    double x = 0.0, y = 0.0;
    for (const Block& block : blocks) {
      const Figure& figure = block.figure;
      append_moved(all, figure, {1.0, x, y});
      (beside ? x : y) += beside ? figure.width : figure.height;
      all.height = std::max(all.height, y + (beside ? figure.height : 0.0));
      all.alt_text += (all.alt_text.empty() ? "" : "; ") + figure.alt_text;
    }
    return all;
  }
};

// Panels beside each other at the widest place.
std::size_t widest_row(const Layout& layout) {
  const auto* split = std::get_if<Split>(&layout);
  if (split == nullptr) return 1;
  std::size_t most = 0;
  for (const Part& part : split->parts) most = std::max(most, widest_row(part.layout));
  return split->direction == SplitDirection::Right ? most * split->parts.size() : most;
}

}  // namespace

bool is_of_the_page(std::string_view field_name) {
  using enum Option;
  return (Title | Notes | Theme | Width | Height | FontSize | Font | Letters)
      .contains(*option_named(field_name));
}

Result<Figure> draw_layout(const Layout& layout, const PlotInput& input, const PlotOptions& page,
                           const TextMetrics& metrics, const DrawPlot& draw) {
  const std::size_t columns = widest_row(layout);
  const double least = kNarrowest * page.font_size * static_cast<double>(columns);
  if (page.width < least) {
    return Error{.kind = ErrorKind::Usage,
                 .message = std::to_string(columns) + " plots beside each other do not fit",
                 .found = "a width of " + short_text(page.width) + " points",
                 .expected = "at least " + short_text(least) + ", 20 times the font size for each",
                 .hint = "use a larger width or a smaller font, or put some below by /"};
  }
  const auto made = [&](const TextMetrics& own) -> Result<Figure> {
    Drawing drawing(input, page, own);
    Result<Block> all = Composer{page, draw}.block(layout, page.width);
    if (!all) return all.error();
    Page sheet(drawing);
    const double margin = (page.width - sheet.width()) / 2.0;
    sheet.add_part(moved(all->figure, {1.0, -margin, 0.0}));
    if (page.title != kNoTitle) sheet.add_note(generated_sentence(input.document), 3);
    return sheet.finished(all->figure.alt_text);
  };
  return with_family(page, metrics, made);
}

}  // namespace attn
