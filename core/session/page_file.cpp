// Draws the steps of lessons and the heads of plots for pages.
#include "session/page_file.h"

#include <algorithm>
#include <utility>

#include "document/edit.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "lesson/concealed.h"
#include "lesson/lesson.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

constexpr double kPageDpi = 2.0 * kUnitsPerInch * 4.0 / 3.0;  // two dots per pixel of browsers

// True if all plots are ones whose cells and numbers the script of the page can draw again.
bool follows_numbers(const FigureSpec& spec) {
  return std::ranges::all_of(views_of(spec), [](const View& view) {
    const ViewOptions& options = view.options;
    return (view.plot == "heatmap" || view.plot == "heads") && !options.histogram &&
           options.annotate == "all" && options.map_rows == MapRows::Queries &&
           !has_parts_of_rows(options);
  });
}

// Returns the figure, in both themes if the reader's system may choose.
Result<PageFigure> figure_for_page(const Document& document, const ResultPtr& result,
                                   FigureSpec spec, const DerivingOptions& how) {
  spec.export_options.dpi = kPageDpi;
  Result<Figure> light = figure_for_file(document, result, spec, how);
  if (!light) return light.error();
  PageFigure both{*std::move(light), {}, &document, result, follows_numbers(spec)};
  if (spec.options.theme != ThemeKind::Paper) return both;
  spec.options.theme = ThemeKind::Dark;
  Result<Figure> dark = figure_for_file(document, result, spec, how);
  if (!dark) return dark.error();
  both.dark = *std::move(dark);
  return both;
}

std::string theme_of_page(const ViewOptions& options) {
  if (options.theme == ThemeKind::Paper) return "";
  return theme_info(options.theme).is_dark ? "dark" : "light";
}

Status check_cells(std::uint64_t cells) {
  if (cells <= kMostPageCells) return ok_status();
  return Error{.kind = ErrorKind::OverMemoryLimit,
               .message = "the page would have " + grouped_text(cells) + " cells, more than the " +
                          grouped_text(kMostPageCells) + " that browsers open with ease",
               .expected = "fewer figures, or figures of fewer cells",
               .hint = "choose with --head and --layer, such as --head 0-3, or show a --part"};
}

// --- Lessons

constexpr double kWidthOfPanes = 640.0;  // of several side by side

// A step of a lesson, and the document and options that it is drawn with.
struct StepScene {
  const LessonStep& step;
  const Document& document;
  const Panes& panes;
  const ViewOptions& paper;
  const DerivingOptions& how;

  HeadAddress at() const { return focused_view(panes).options.at; }

  void set_paper(ViewOptions& options) const {
    static_cast<FigureOptions&>(options) = static_cast<const FigureOptions&>(paper);
  }

  FigureSpec spec(const ResultPtr& result) const {
    const View& focused = focused_view(panes);
    FigureSpec figure{.plot = focused.plot, .options = {focused.options, {}, {}}};
    const std::vector<CellHit> pins = pins_of(step, {document, result, at()});
    figure.options.pins = pins;
    if (std::holds_alternative<Split>(panes.layout) && !panes.maximised) {
      set_layout(figure, panes.layout, pins);
      for (Pane* pane : panes_of(*figure.layout)) set_paper(pane->view.options);
    }
    set_paper(figure.options);
    figure.options.title = kNoTitle;
    const auto* split = figure.layout ? std::get_if<Split>(&*figure.layout) : nullptr;
    if (split != nullptr && split->direction == SplitDirection::Right) {
      figure.options.width = std::max(figure.options.width, kWidthOfPanes);
    }
    return figure;
  }

  Result<PageFigure> figure(const ResultPtr& result) const {
    return figure_for_page(document, result, spec(result), how);
  }
};

// Returns the question about the cells to guess, without keys that the query does not see.
Result<HtmlPage::Question> question_of(const StepScene& scene, const ResultPtr& whole,
                                       const std::vector<NamedCells>& guessed) {
  Result<PageFigure> revealed = scene.figure(whole);
  if (!revealed) return revealed.error();
  const auto& [stage, at, range] = guessed.front();
  HtmlPage::Question question{
      .matrix = text_of(MatrixId{stage, at}),
      .row = range.row,
      .after = filled_text(scene.step.after, {scene.document, whole, scene.at()}),
      .revealed = *std::move(revealed)};
  const bool is_row = asks_for_shares(guessed.front()) && range.cols <= kMostGuessBars;
  if (!is_row && range.rows * range.cols != 1) return question;
  for (std::size_t col = range.col; col < range.col + range.cols; ++col) {
    if (is_row && whole->hidden(at, range.row, col) != kVisible) continue;
    if (is_row) question.labels.push_back(token_label(scene.document, Side::Key, at, col));
    question.columns.push_back(col);
    question.truth.push_back(static_cast<double>(whole->value(stage, at, range.row, col)));
  }
  return question;
}

Result<HtmlPage::Step> page_step(const StepScene& scene, const ResultPtr& whole) {
  const std::vector<NamedCells> guessed =
      cells_of(scene.step.ask, {scene.document, whole, scene.at()});
  const ResultPtr shown = guessed.empty() ? whole : concealed(whole, guessed);
  Result<PageFigure> figure = scene.figure(shown);
  if (!figure) return figure.error();
  const std::string& text = scene.step.page_text.empty() ? scene.step.text : scene.step.page_text;
  HtmlPage::Step step{filled_text(text, {scene.document, shown, scene.at()}), *std::move(figure)};
  if (const auto cell = input_cell(scene.document, scene.step.input)) {
    const auto& [path, at] = cell->matrix;
    step.task = {{"path", path},    {"layer", at.layer}, {"sample", at.sample},
                 {"head", at.head}, {"row", cell->row},  {"col", cell->col}};
  }
  if (guessed.empty()) return step;
  Result<HtmlPage::Question> question = question_of(scene, whole, guessed);
  if (!question) return question.error();
  step.question = *std::move(question);
  return step;
}

}  // namespace

std::vector<FigureSpec> specs_for_page(const FigureSpec& spec, const AttentionShape& shape) {
  const PlotEntry* const plot = plot_named(spec.plot);
  const bool has_plot = plot != nullptr && !spec.layout;
  const auto count = [&](std::string_view option, std::size_t all) {
    const bool chooses = has_plot && uses(*plot, option) &&
                         !uses(*plot, std::string(option) + "s") &&
                         why_idle(*plot, spec.options, option).empty();
    return chooses ? all : 1;
  };
  const std::size_t layers = count("layer", shape.layers), heads = count("head", shape.heads);
  std::vector<FigureSpec> specs(layers * heads, spec);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    auto& [tab, layer, head, is_first] = specs[i].place;
    HeadAddress& at = specs[i].options.at;
    if (layers > 1) at.layer = i / heads;
    if (heads > 1) at.head = i % heads;
    tab = has_plot ? std::string(plot->label) : "Plots";
    is_first = at == spec.options.at;
    if (layers > 1) layer = std::to_string(layer_number(shape, at.layer, 1));
    if (heads > 1) head = std::to_string(at.head + 1);
  }
  return specs;
}

Result<std::string> plots_page(const Document& document, const ResultPtr& result,
                               const std::vector<FigureSpec>& specs, PageHead head,
                               const DerivingOptions& how) {
  HtmlPage page;
  head.theme = theme_of_page(specs.front().options);
  std::uint64_t cells_of_tab = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const HtmlPage::Place& place = specs[i].place;
    const ProgressPart part(how.progress, i, specs.size());
    const Result<PageFigure> figure = figure_for_page(document, result, specs[i], how);
    if (!figure) return figure.error();
    const std::uint64_t before = page.cell_count();
    Status added = page.add(place, *figure);
    const bool begins_tab = i == 0 || specs[i - 1].place.tab != place.tab;
    if (begins_tab) cells_of_tab = page.cell_count() - before;
    const auto rest =
        std::ranges::count(specs.begin() + static_cast<std::ptrdiff_t>(i) + 1, specs.end(),
                           place.tab, [](const FigureSpec& other) { return other.place.tab; });
    if (added)
      added = check_cells(page.cell_count() + cells_of_tab * static_cast<std::uint64_t>(rest));
    if (!added) return added.error();
  }
  return page.finish(head);
}

ViewOptions usual_lesson_paper() {
  ViewOptions paper;
  paper.width = 430.0;
  paper.font_size = 11.0;
  return paper;
}

Result<std::string> lesson_page(const Document& first, const ViewOptions& paper, PageHead head,
                                const DerivingOptions& how) {
  HtmlPage page;
  head.theme = theme_of_page(paper);
  Document document = first;
  Panes panes = first.panes.value_or(Panes{});
  Result<ResultPtr> result = ResultPtr();
  const std::size_t count = first.lesson.size();
  for (std::size_t i = 0; i < count; ++i) {
    const LessonStep& step = first.lesson[i];
    const ProgressPart part(how.progress, i, count);
    if (Result<Document> next = with_edit(document, step)) document = *std::move(next);
    if (step.panes) panes = *step.panes;
    for (Pane* pane : panes_of(panes.layout)) {
      if (plot_named(pane->view.plot) == nullptr) pane->view.plot = kUsualPlot;
    }
    if (i == 0 || !step.edit.empty()) {
      result = ResultPtr();
      result = compute(make_problem(document),
                       {.memory_limit_bytes = how.memory_limit_bytes, .progress = how.progress});
    }
    if (!result) return result.error();
    if (is_cancelled(how.progress)) return stopped();
    const Result<HtmlPage::Step> made = page_step({step, document, panes, paper, how}, *result);
    if (!made) return made.error();
    if (const Status added = page.add(*made); !added) return added.error();
  }
  return page.finish(head);
}

Result<std::string> page_file(const Document& document, const ResultPtr& result,
                              const FigureSpec& spec, const DerivingOptions& how) {
  Figure record;
  if (Status made = add_provenance(record, document, as_page(spec)); !made) return made.error();
  const std::string& title = spec.options.title;
  const bool has_own = !spec.of_lesson && !title.empty() && title != kNoTitle;
  const PageHead head{has_own ? title : shown_title(document), record.provenance};
  if (!spec.of_lesson) {
    return plots_page(document, result, specs_for_page(spec, result->shape(spec.options.at)), head,
                      how);
  }
  ViewOptions paper = usual_lesson_paper();
  paper.theme = spec.options.theme;
  paper.font = spec.options.font;
  return lesson_page(document, paper, head, how);
}

}  // namespace attn
