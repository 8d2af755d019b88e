// Any plot of a small document, with any options, is drawn or refused: SVG is well-formed XML, PNG
// and PDF begin and end as such, and the numbers are JSON. Bytes choose the document, its tokens,
// the plot and its options, in this order.
#include <array>
#include <cmath>

#include "base/files.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "export/export.h"
#include "fuzz.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "session/figure_file.h"
#include "support/read_svg.h"
#include "view/fields.h"

namespace attn::fuzz {
namespace {

constexpr double kMostPixels = 250'000.0;

constexpr std::array<std::string_view, 8> kForms = {
    R"({"d_model": 4, "heads": 2})",
    R"({"attention": [[0.5, 0.5, 0], [1, 0, 0], [0, 0, 1]]})",
    R"({"q": [[1, 0], [0, 1], [1, 1]], "k": [[1, "nan"], [0, "inf"], [1, 1]], "v": [[1], [2], [3]]})",
    R"({"d_model": 2, "heads": 1, "mask": {"causal": true}, "position": "sinusoidal"})",
    R"({"d_model": 2, "heads": 1, "blocks": 2})",
    R"({"d_model": 2, "heads": 2, "mask": {"window": [1, 1], "alibi": true}})",
    R"({"d_model": 2, "heads": 1, "scoring": {"function": "additive", "d_a": 2}})",
    R"({"d_model": 4, "heads": 1, "scoring": {"normaliser": "sigmoid"}})",
};

std::string small_document(Bytes& bytes) {
  Json json = Json::parse(bytes.one_of(kForms));
  json["title"] = bytes.line();
  for (int i = 0; i < 3; ++i) json["tokens"].push_back(bytes.line());
  return json_text(json);
}

std::string value_for(const Field<ViewOptions>& field, Bytes& bytes) {
  switch (field.kind) {
    case FieldKind::Flag:
      return bytes.below(2) == 0 ? "false" : "true";
    case FieldKind::Choice:
      return std::string(bytes.one_of(field.choices));
    case FieldKind::Integer:
      return std::to_string(static_cast<int>(bytes.below(256)) - 2);
    case FieldKind::Number:
      return plain_text(std::ldexp(static_cast<double>(bytes.below(256)) - 4.0,
                                   static_cast<int>(bytes.below(8)) - 4));
    case FieldKind::Text:
      break;
  }
  return printable_line(bytes.line());
}

PlotOptions plot_options(const PlotEntry& plot, Bytes& bytes) {
  PlotOptions options;
  for (std::size_t i = bytes.below(8); i > 0; --i) {
    const Field<ViewOptions>* const field = plot_option_named(bytes.one_of(names_of(plot.options)));
    if (field == nullptr) continue;
    const Status set = field->set(options, value_for(*field, bytes), Spelling::Flag);
    if (!set) expect_clear(set.error());
  }
  return options;
}

void expect_svg(const std::string& svg) {
  const test::ReadSvg read = test::read_svg(svg);
  expect(read.error.empty(), "SVG is well-formed: " + read.error);
  expect(!read.elements.empty() && read.elements.front().name == "svg", "SVG begins as such");
}

void expect_file(std::string_view extension, const std::string& bytes) {
  if (extension == "svg") return expect_svg(bytes);
  if (extension == "html") {
    return expect(bytes.starts_with("<!doctype html>") && bytes.ends_with("</html>\n"),
                  "pages are whole");
  }
  const bool is_png = extension == "png";
  expect(bytes.starts_with(is_png ? "\x89PNG\r\n" : "%PDF-"), "pictures begin as such");
  const std::string_view end = is_png ? "IEND" : "%%EOF";
  expect(bytes.find(end, bytes.size() - 10) != std::string::npos, "pictures are whole");
}

bool is_small(const Figure& figure, double dpi) {
  const double scale = dpi / kUnitsPerInch;
  return figure.width * figure.height * scale * scale <= kMostPixels;
}

void expect_drawn(const Reading& report, const ResultPtr& result, Bytes& bytes) {
  const PlotEntry& plot = bytes.one_of(all_plots());
  const Exporter& exporter = bytes.one_of(all_exporters());
  ExportOptions paper;
  paper.dpi = 10.0 + static_cast<double>(bytes.below(100));
  paper.transparent = bytes.below(2) == 1;
  paper.outlines = bytes.below(4) == 1;
  const PlotOptions options = plot_options(plot, bytes);
  if (const Status sound = check_options(options, Spelling::Flag); !sound) {
    return expect_clear(sound.error());
  }
  const auto figure =
      figure_for_file(report.document, result, {std::string(plot.name), options, {}, paper});
  if (!figure) return expect_clear(figure.error());
  if (!is_small(*figure, paper.dpi)) return;
  const Result<std::string> file = exporter.write(*figure, paper, nullptr);
  if (!file) return expect_clear(file.error());
  expect_file(exporter.extension, *file);
}

void expect_numbers(const std::string& text) {
  const QuickFiles quick;
  const std::string path = scratch_folder() + "/small.json";
  expect(write_file_atomically(path, text, Overwrite::Replace).ok(), path);
  const Printed printed = run_quietly({"compute", "small.json", "--stages", "--quiet"});
  expect(printed.code == 0, "a small document is computed: " + printed.err);
  expect(Json::accept(printed.out), "results are JSON: " + printed.out);
}

}  // namespace

void fuzz_writers(std::string_view input) {
  Bytes bytes(input);
  const std::string text = small_document(bytes);
  const Result<Reading> report = read_document(text, "small.json");
  expect(report.ok(), "a small document is read: " + (report ? "" : describe(report.error())));
  const Result<ResultPtr> result = compute(make_problem(report->document), {.threads = 1});
  expect(result.ok(), "a small document is computed");
  expect_drawn(*report, *result, bytes);
  if (bytes.below(16) == 1) expect_numbers(text);
}

}  // namespace attn::fuzz
