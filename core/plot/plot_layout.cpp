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

// Largest ratio between cells of neighbouring maps that get one size.
constexpr double kMostCellRatio = 4.0;

// A panel, or panels in a row or column.
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

  Result<Block> panel(const Pane& pane, double width) {
    const View& view = pane.view;
    Block block{{}, plot_named(view.plot), page};
    if (block.plot == nullptr) return usage_error("there is no plot named " + view.plot);
    static_cast<ViewOptions&>(block.options) = view.options;
    static_cast<FigureOptions&>(block.options) = page;
    block.options.title = page.letters ? std::string(1, static_cast<char>('a' + letters)) : "";
    block.options.width = width;
    block.options.height = 0.0;
    block.options.is_panel = true;
    const auto pins = page.pins_of_panels.find(pane.id);
    if (pins != page.pins_of_panels.end()) block.options.pins = pins->second;
    ++letters;
    return drawn(std::move(block));
  }

  Result<Block> block(const Layout& layout, double width) {
    if (const auto* pane = std::get_if<Pane>(&layout)) return panel(*pane, width);
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
      if (const Status aligned = align(blocks); !aligned) return aligned.error();
    }
    return Block{joined(blocks, width, beside)};
  }

  Status redraw(Block& block) const {
    Result<Block> again = drawn(block);
    if (!again) return again.error();
    block = *std::move(again);
    return ok_status();
  }

  // Leaves the colour bar of neighbours with equal colours to the last of them.
  Status share_color_bars(std::span<Block> blocks) const {
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
      if (!have_one_range(blocks[i], blocks[i + 1])) continue;
      blocks[i].options.color_bar = false;
      if (const Status again = redraw(blocks[i]); !again) return again;
    }
    return ok_status();
  }

  // Gives columns of square cells in neighbouring maps one width: everything around the cells keeps
  // its width.
  Status share_width(std::vector<Block*> maps) const {
    std::erase_if(maps,
                  [](const Block* map) { return cell_sides(*map).x > 1.01 * cell_side(*map); });
    double room = 0.0, columns = 0.0;
    for (const Block* map : maps) {
      room += clip_of(*map).width;
      columns += clip_of(*map).width / cell_side(*map);
    }
    for (Block* map : maps) {
      map->options.width += (room / columns / cell_side(*map) - 1.0) * clip_of(*map).width;
      if (const Status again = redraw(*map); !again) return again;
    }
    return ok_status();
  }

  // Makes neighbouring maps begin at one height and have cells of one size, unless one of them
  // would be too small to read.
  Status align(std::span<Block> blocks) const {
    std::vector<Block*> maps;
    for (Block& block : blocks) {
      if (is_map(block)) maps.push_back(&block);
    }
    if (maps.size() < 2) return ok_status();
    const auto cell_of = [](const Block* map) { return cell_side(*map); };
    const auto top_of = [](const Block* map) { return clip_of(*map).y; };
    const auto [least, most] = std::ranges::minmax(maps, {}, cell_of);
    const bool are_alike = cell_of(most) < kMostCellRatio * cell_of(least);
    for (int pass = 0; are_alike && pass < 2; ++pass) {
      if (const Status shared = share_width(maps); !shared) return shared;
    }
    const double top = top_of(std::ranges::max(maps, {}, top_of));
    const double cell = cell_of(std::ranges::min(maps, {}, cell_of));
    for (Block* map : maps) {
      map->options.map_top = top;
      if (are_alike) map->options.most_cell = cell;
      if (const Status again = redraw(*map); !again) return again;
    }
    return ok_status();
  }

  static bool is_map(const Block& block) {
    return block.plot != nullptr && block.plot->fills_room && find_matrix(block.figure) != nullptr;
  }
  static const Rect& clip_of(const Block& map) { return find_matrix(map.figure)->clip; }
  static Point cell_sides(const Block& map) {
    const MatrixItem& m = *find_matrix(map.figure);
    return {m.rect.width / static_cast<double>(m.cells->cols * m.col_step),
            m.rect.height / static_cast<double>(m.cells->rows * m.row_step)};
  }
  static double cell_side(const Block& map) {  // the shorter one
    return std::min(cell_sides(map).x, cell_sides(map).y);
  }

  static bool have_one_range(const Block& a, const Block& b) {
    return is_map(a) && is_map(b) && a.options.color_bar && b.options.color_bar &&
           a.plot == b.plot && a.options.stage == b.options.stage &&
           find_matrix(a.figure)->scale == find_matrix(b.figure)->scale;
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

// Largest number of panels in a row.
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
                 .message = std::to_string(columns) + " plots next to each other do not fit",
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
    if (page.title != kNoTitle || !input.document.remark.empty())
      sheet.add_note(footnote(input.document), 3);
    return sheet.finished(all->figure.alt_text);
  };
  return with_family(page, metrics, made);
}

}  // namespace attn
