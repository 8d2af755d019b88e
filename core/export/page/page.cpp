// Pages put together: figures as SVG in both themes, the data of the script, and the policy that
// lets nothing else run.
#include "export/page/page.h"

#include <glib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/embedded_assets.h"
#include "base/utf8.h"
#include "export/export.h"
#include "export/page/page_text.h"
#include "export/provenance.h"
#include "export/svg.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

// --- Figures in both themes

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size(); at += lines.back().size() + 1) {
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  }
  return lines;
}

// fill="#1a1c21"
struct ColorAttribute {
  std::string_view name;
  std::string_view color;  // "1a1c21"
  std::size_t at;          // of the color
};

std::vector<ColorAttribute> colors_in(std::string_view line) {
  std::vector<ColorAttribute> colors;
  for (std::size_t at = line.find("=\"#"); at != line.npos; at = line.find("=\"#", at + 1)) {
    const std::size_t name = line.rfind(' ', at) + 1;
    colors.push_back({line.substr(name, at - name), line.substr(at + 3, 6), at + 3});
  }
  return colors;
}

// The line with a class for each colour that is another one in the dark.
std::string in_both_themes(std::string_view light, std::string_view dark, DarkRules& rules) {
  std::string both(light), classes, others;
  const std::vector<ColorAttribute> colors = colors_in(light), dark_colors = colors_in(dark);
  if (light == dark || colors.size() != dark_colors.size()) return both;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const auto& [name, color, at] = dark_colors[i];
    if (colors[i].color == color) continue;
    if (name.starts_with("data-")) {
      others.append(" ").append(name).append("-dark=\"#").append(color).append("\"");
      continue;
    }
    const std::string rule = std::string(name.substr(0, 2)) + std::string(color);
    rules[rule] = std::string(name) + ":#" + std::string(color);
    classes.append(classes.empty() ? "" : " ").append(rule);
  }
  if (!classes.empty()) others += " class=\"" + classes + "\"";
  return both.insert(both.find_first_of(" />", both.find('<') + 1), others);
}

Result<std::string> svg_in_page(const PageFigure& figure, const std::string& prefix,
                                PageCells& cells, DarkRules& rules, Progress* progress) {
  const auto drawn = [&](const Figure& whole) {
    const Figure one = cells.with_heads_apart(whole);
    const CellsKeeper keep = [&](const MatrixItem& m) { return cells.keep(one, m); };
    const SvgPart part{prefix, keep};
    return svg_of(one, {}, pango_metrics(), progress, &part);
  };
  Result<std::string> light = drawn(figure.light);
  if (!light || !figure.dark) return light;
  Result<std::string> dark = drawn(*figure.dark);
  if (!dark) return dark;
  const std::vector<std::string_view> lines = lines_of(*light), dark_lines = lines_of(*dark);
  if (lines.size() != dark_lines.size()) return light;
  std::string both;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    both += in_both_themes(lines[i], dark_lines[i], rules) + "\n";
  }
  return both;
}

// --- The file

std::string sha256_of(std::string_view text) {
  const std::unique_ptr<GChecksum, Releaser<g_checksum_free>> sum(
      g_checksum_new(G_CHECKSUM_SHA256));
  g_checksum_update(sum.get(), reinterpret_cast<const guchar*>(text.data()),
                    static_cast<gssize>(text.size()));
  std::array<guint8, 32> digest{};
  gsize size = digest.size();
  g_checksum_get_digest(sum.get(), digest.data(), &size);
  return "'sha256-" + base64_text({reinterpret_cast<const char*>(digest.data()), size}) + "'";
}

// Titles and tokens may be malformed UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Within the element of a script, which a “<” could end.
std::string script_text(const Json& json) {
  std::string text = dumped(json);
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos;) text.replace(at, 1, "\\u003c");
  return text;
}

std::string style_of(const DarkRules& rules) {
  std::string style(asset_named("page/page.css"));
  if (rules.empty()) return style;
  style += "@media screen and (prefers-color-scheme: dark) {\n";
  for (const auto& [name, rule] : rules) {
    style.append("  .auto .").append(name).append(" { ").append(rule).append(" }\n");
  }
  return style + "}\n";
}

std::string page_of(const PageHead& head, const DarkRules& rules, const Json& data) {
  const std::string style = style_of(rules);
  const std::string_view script = asset_named("page/page.js");
  const std::string title = xml_text(head.title.empty() ? "AttnScope" : head.title);
  const std::string policy = "default-src 'none'; img-src data:; style-src " + sha256_of(style) +
                             "; script-src " + sha256_of(script) +
                             "; base-uri 'none'; form-action 'none'";
  std::string page = "<!doctype html>\n<html lang=\"";
  page += std::ranges::any_of(code_points(head.title), is_east_asian) ? "zh" : "en";
  page += "\" class=\"" + (head.theme.empty() ? "auto" : head.theme) + "\">\n<head>\n";
  page += "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"" +
          policy + "\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  page += "<title>" + title + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n";
  page += "<noscript><h1>" + title +
          "</h1><p>This page needs JavaScript, which is switched off.</p></noscript>\n";
  if (!head.provenance.empty()) {
    page += "<template id=\"" + std::string(kRecordName) + "\">" + xml_text(head.provenance) +
            "</template>\n";
  }
  page +=
      "<script type=\"application/json\" id=\"data\">" + script_text(data) + "</script>\n<script>";
  return page.append(script).append("</script>\n</body>\n</html>\n");
}

// The root, and what is within it with its own children.
std::vector<std::string> elements_of(std::string_view svg) {
  std::vector<std::string> elements;
  for (const std::string_view line : lines_of(svg)) {
    const bool goes_on = !elements.empty() && (line.starts_with("  ") || line.starts_with(" </"));
    goes_on ? elements.back().append("\n").append(line) : elements.emplace_back(line);
  }
  return elements;
}

// Numbers of elements as runs: "0-30,112,32-90".
std::string runs_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0, end = 0; i < numbers.size(); i = end) {
    for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    text += (i > 0 ? "," : "") + std::to_string(numbers[i]);
    if (end - i > 1) text += "-" + std::to_string(numbers[end - 1]);
  }
  return text;
}

}  // namespace

Status PlotsPage::add(const Place& place, const PageFigure& figure, Progress* progress) {
  if (tabs_.empty() || tabs_.back()["label"] != place.tab) {
    tabs_.push_back({{"label", place.tab}, {"first", 0}, {"views", Json::array()}});
  }
  Json& tab = tabs_.back();
  const std::string prefix = "p" + std::to_string(tabs_.size()) + "-";
  const Result<std::string> svg = svg_in_page(figure, prefix, cells_, rules_, progress);
  if (!svg) return svg.error();
  std::vector<std::size_t> numbers;
  for (const std::string& element : elements_of(*svg)) {
    const auto [known, is_new] = line_numbers_.emplace(element, line_numbers_.size());
    if (is_new) lines_.push_back(element);
    numbers.push_back(known->second);
  }
  if (place.is_first) tab["first"] = tab["views"].size();
  tab["views"].push_back(
      {{"layer", place.layer}, {"head", place.head}, {"lines", runs_of(numbers)}});
  return ok_status();
}

std::string PlotsPage::finish(const PageHead& head) const {
  constexpr std::uint64_t kMostFineCells = 150'000;
  Json cells = cells_.json(cells_.count() > kMostFineCells);
  return page_of(head, rules_,
                 {{"title", head.title},
                  {"tabs", tabs_},
                  {"lines", packed_text(dumped(lines_))},
                  {"cells", std::move(cells)}});
}

Result<Json> LessonPage::json_of(const PageFigure& figure, const std::string& prefix) {
  PageCells cells;
  const Result<std::string> svg = svg_in_page(figure, prefix, cells, rules_, nullptr);
  if (!svg) return svg.error();
  return Json{{"svg", *svg}, {"cells", cells.json(false)}};
}

Status LessonPage::add(const Step& step) {
  const std::string prefix = "s" + std::to_string(steps_.size() + 1) + "-";
  Result<Json> figure = json_of(step.figure, prefix);
  if (!figure) return figure.error();
  Json json{{"text", html_of_markdown(step.text)}, {"figure", *std::move(figure)}};
  if (step.question) {
    const auto& [labels, matrix, row, first_column, answer] = *step.question;
    Result<Json> told = json_of(answer.figure, prefix);
    if (!told) return told.error();
    const Json all{{"text", html_of_markdown(answer.text)},
                   {"figure", *std::move(told)},
                   {"shares", answer.shares}};
    json["question"] = {{"labels", labels},
                        {"matrix", matrix},
                        {"row", row},
                        {"column", first_column},
                        {"answer", packed_text(dumped(all))}};
  }
  steps_.push_back(has_asked_ ? Json(packed_text(dumped(json))) : std::move(json));
  has_asked_ = has_asked_ || step.question.has_value();
  return ok_status();
}

std::string LessonPage::finish(const PageHead& head) const {
  return page_of(head, rules_, {{"title", head.title}, {"steps", steps_}});
}

Result<std::string> write_html_figure(const Figure& figure, const ExportOptions& options,
                                      Progress* progress) {
  PageFigure only{figure};
  if (options.transparent) only.light.background.a = 0;
  PlotsPage page;
  if (const Status added = page.add({.tab = figure.title}, only, progress); !added)
    return added.error();
  return page.finish({figure.title, figure.provenance});
}

}  // namespace attn
