// Draws the plots of examples small, and finds the part of them that is worth showing.
#include "gui/shell/windows/thumbnails.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "document/problem.h"
#include "engine/compute.h"
#include "plot/all_plots.h"

namespace attn::gui {
namespace {

constexpr double kDrawnWidth = 300.0, kDrawnHeight = 225.0;  // units
constexpr std::size_t kTexels = 128;

PlotOptions small_options(const View& view, ThemeKind theme) {
  PlotOptions options;
  static_cast<ViewOptions&>(options) = view.options;
  options.theme = theme;
  options.width = kDrawnWidth;
  options.height = kDrawnHeight;
  options.title = "none";
  options.values = options.overview = false;
  options.pixel_budget = kTexels;
  return options;
}

bool is_seen(const FigureItem& item) {
  if (std::holds_alternative<TextItem>(item)) return false;
  const auto* rect = std::get_if<RectItem>(&item);
  return rect == nullptr || rect->fill.a != 0 || rect->stroke.a != 0;
}

Rect around(Point a, Point b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
}

Rect around(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  const double right = std::max(a.x + a.width, b.x + b.width);
  const double bottom = std::max(a.y + a.height, b.y + b.height);
  return {x, y, right - x, bottom - y};
}

Rect bounds(const PathItem& path) {
  Rect all = around(path.points.front(), path.points.front());
  for (const Point& point : path.points) all = around(all, around(point, point));
  return all;
}

std::optional<Rect> bounds(const FigureItem& item) {
  if (const auto* rect = std::get_if<RectItem>(&item)) return rect->rect;
  if (const auto* line = std::get_if<LineItem>(&item)) return around(line->from, line->to);
  if (const auto* matrix = std::get_if<MatrixItem>(&item)) return matrix->clip;
  const auto* path = std::get_if<PathItem>(&item);
  return path != nullptr && !path->points.empty() ? std::optional(bounds(*path)) : std::nullopt;
}

// Of a page, which is as long as it must be, the beginning.
Rect beginning(Rect part) {
  part.height = std::min(part.height, part.width * kDrawnHeight / kDrawnWidth);
  return part;
}

Rect part_of(const Figure& figure) {
  std::optional<Rect> all;
  for (const FigureItem& item : figure.items) {
    const std::optional<Rect> one = bounds(item);
    if (one) all = all ? around(*all, *one) : *one;
  }
  return beginning(all.value_or(Rect{}));
}

// Of a plot that is one matrix.
std::optional<MatrixItem> only_matrix(const Figure& figure, const PlotEntry& plot) {
  const MatrixItem* matrix = plot.fills_room ? find_matrix(figure) : nullptr;
  return matrix != nullptr ? std::optional(*matrix) : std::nullopt;
}

Result<Thumbnail> drawn(const Example& example, ThemeKind theme) {
  const Result<ReadReport> report = open_document(example_path(example));
  if (!report) return report.error();
  const Document& document = report->document;
  const Result<ResultPtr> result = compute(make_problem(document));
  if (!result) return result.error();
  const View view = focused_view(document.panes.value_or(Panes{}));
  const PlotEntry& plot = *plot_named(view.plot);
  Result<Figure> figure =
      draw_complete(plot, document, *result, small_options(view, theme), pango_metrics());
  if (!figure) return figure.error();
  if (const auto matrix = only_matrix(*figure, plot)) {
    figure->items = {*matrix};
    return Thumbnail{*std::move(figure), matrix->clip};
  }
  std::erase_if(figure->items, [](const FigureItem& item) { return !is_seen(item); });
  const Rect part = part_of(*figure);
  return Thumbnail{*std::move(figure), part};
}

// There may be no memory for it, and a card does without.
Thumbnail drawn_if_possible(const Example& example, ThemeKind theme) {
  try {
    return thumbnail_of(example, theme);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

Thumbnail thumbnail_of(const Example& example, ThemeKind theme) {
  Result<Thumbnail> thumbnail = drawn(example, theme);
  return thumbnail ? *std::move(thumbnail) : Thumbnail{};
}

void Thumbnails::ask(const Example& example, ThemeKind theme) {
  if (jobs_ == nullptr) jobs_ = std::make_unique<JobQueue>();
  by_name_.emplace(example.name, std::nullopt);
  {
    const std::lock_guard lock(inbox_->mutex);
    ++inbox_->asked;
  }
  jobs_->submit("", "", [inbox = inbox_, &example, theme](Progress&) -> JobQueue::Outcome {
    Drawn drawn{theme, example.name, drawn_if_possible(example, theme)};
    const std::lock_guard lock(inbox->mutex);
    inbox->drawn.push_back(std::move(drawn));
    --inbox->asked;
    return {};
  });
}

void Thumbnails::take_what_was_drawn() {
  std::vector<Drawn> drawn;
  {
    const std::lock_guard lock(inbox_->mutex);
    drawn.swap(inbox_->drawn);
  }
  for (Drawn& one : drawn) {
    if (one.theme == theme_) by_name_[one.name] = std::move(one.thumbnail);
  }
}

bool Thumbnails::is_drawing() const {
  const std::lock_guard lock(inbox_->mutex);
  return inbox_->asked > 0;
}

const Thumbnail* Thumbnails::of(const Example& example, ThemeKind theme) {
  if (std::exchange(theme_, theme) != theme) by_name_.clear();
  take_what_was_drawn();
  const auto known = by_name_.find(example.name);
  if (known == by_name_.end()) {
    ask(example, theme);
    return nullptr;
  }
  return known->second ? &*known->second : nullptr;
}

}  // namespace attn::gui
