// The list of exporters, and the checks that they share.
#include "export/export.h"

#include <array>
#include <cmath>

#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::array<Exporter, 5> kExporters = {{
    {"png", "PNG", "Picture for documents and slides", write_png_figure},
    {"svg", "SVG", "Drawing for the web and for editing, with text that stays text",
     write_svg_figure},
    {"pdf", "PDF", "Drawing for papers, with text that can be searched", write_pdf_figure},
    {"html", "HTML", "Page for browsers that shows the numbers of cells", write_html_figure},
    {kAnimation, "GIF", "Animation, of a flow with all its steps", write_gif_figure},
}};

template <EquationFormat kFormat>
Result<std::string> write_equation(const Figure& figure, const ExportOptions&, Progress*) {
  if (figure.equation.empty()) {
    return usage_error("this figure has no equation", "use --plot why without --layout");
  }
  const std::string& equation = figure.equation[static_cast<std::size_t>(kFormat)];
  return (kFormat == EquationFormat::Latex ? "\\[\n" + equation + "\n\\]" : equation) + "\n";
}

constexpr std::array<Exporter, 3> kEquationExporters = {{
    {"txt", "Text", "Equation of a weight as text", write_equation<EquationFormat::Text>},
    {"tex", "LaTeX", "Equation of a weight for LaTeX", write_equation<EquationFormat::Latex>},
    {"md", "Markdown", "Equation of a weight for Markdown",
     write_equation<EquationFormat::Markdown>},
}};

const Exporter* named_in(std::span<const Exporter> exporters, std::string_view path) {
  const std::string small = in_small_letters(path);
  for (const Exporter& exporter : exporters) {
    if (small.ends_with("." + std::string(exporter.extension))) return &exporter;
  }
  return nullptr;
}

}  // namespace

std::span<const Exporter> all_exporters() {
  return std::span(kExporters).first<kExporters.size() - 1>();
}
std::span<const Exporter> all_equation_exporters() { return kEquationExporters; }

const Exporter* exporter_for(std::string_view path) { return named_in(kExporters, path); }
const Exporter* equation_exporter_for(std::string_view path) {
  return named_in(kEquationExporters, path);
}

Status check_size(const Figure& figure) {
  if (figure.width > 0.0 && figure.height > 0.0 && std::isfinite(figure.width) &&
      std::isfinite(figure.height)) {
    return ok_status();
  }
  Error error = usage_error("the figure has no size");
  error.expected = "a positive width and height";
  return error;
}

std::uint64_t painting_steps(const FigureItem& item) {
  constexpr std::uint64_t kCellsOfAStep = 256;
  const auto* matrix = std::get_if<MatrixItem>(&item);
  if (matrix == nullptr || !matrix->cells) return 1;
  return 1 + matrix->cells->values.size() / kCellsOfAStep;
}

std::uint64_t painting_steps(const Figure& figure) {
  std::uint64_t steps = 0;
  for (const FigureItem& item : figure.items) steps += painting_steps(item);
  return steps;
}

}  // namespace attn
