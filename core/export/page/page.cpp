// Assembles pages: figures as SVG in both themes, the data of the script, and a policy that blocks
// everything else.
#include "export/page/page.h"

#include <glib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/embedded_assets.h"
#include "base/joined.h"
#include "base/utf8.h"
#include "export/export.h"
#include "export/page/page_inputs.h"
#include "export/page/page_text.h"
#include "export/provenance.h"
#include "export/svg.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

// Positions of "#1a1c21" in attributes.
std::vector<std::size_t> colors_in(std::string_view svg) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; (at = svg.find("=\"#", at)) != svg.npos;) places.push_back(at += 2);
  return places;
}

// The light drawing with a variable for each colour that differs in the dark one.
template <class Variables>
std::string in_both_themes(const std::string& light, const std::string& dark,
                           Variables& variables) {
  constexpr std::size_t kSize = 7;
  const std::vector<std::size_t> places = colors_in(light), others = colors_in(dark);
  if (places.size() != others.size()) return light;
  std::string both;
  std::size_t from = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string color = light.substr(places[i], kSize), other = dark.substr(others[i], kSize);
    if (color == other) continue;
    const std::string name = "--" + color.substr(1) + "-" + other.substr(1);
    variables[name] = {color, other};
    both.append(light, from, places[i] - from).append("var(" + name + ")");
    from = places[i] + kSize;
  }
  return both.append(light, from);
}

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

template <class Variables>
std::string style_of(const std::string& theme, const Variables& variables) {
  std::string light, dark, style(asset_named("page/page.css"));
  for (const auto& [name, colors] : variables) {
    light += name + ":" + colors.first + ";";
    dark += name + ":" + colors.second + ";";
  }
  style += ":root{" + light + "}\n@media dark{:root{" + dark + "}}\n";
  const std::string query = theme.empty()     ? "screen and (prefers-color-scheme: dark)"
                            : theme == "dark" ? "all"
                                              : "not all";
  return with_replaced(style, "@media dark", "@media " + query);
}

}  // namespace

Result<Json> HtmlPage::kept(const PageFigure& figure, std::size_t place, Progress* progress) {
  const auto drawn = [&](const Figure& whole) {
    const Figure one = with_heads_apart(whole, figure.result.get());
    const CellsKeeper keep = [&](const MatrixItem& m) {
      return cells_.keep(one, m, figure.document);
    };
    const SvgPart part{"p" + std::to_string(place) + "-", keep};
    return svg_of(one, {}, pango_metrics(), progress, &part);
  };
  const Result<std::string> light = drawn(figure.light);
  if (!light) return light.error();
  const Result<std::string> dark = figure.dark ? drawn(*figure.dark) : light;
  if (!dark) return dark.error();
  const std::string both = in_both_themes(*light, *dark, colors_);
  Json steps = Json::array();
  std::ptrdiff_t before = 0;
  for (std::string_view left = both; !left.empty();) {
    const auto [known, is_new] =
        line_numbers_.emplace(take_before(left, "\n"), line_numbers_.size());
    if (is_new) lines_.push_back(known->first);
    const auto number = static_cast<std::ptrdiff_t>(known->second);
    steps.push_back(number - std::exchange(before, number));
  }
  Json all{{"lines", std::move(steps)}, {"follows", figure.follows}};
  if (figure.document != nullptr)
    all["inputs"] = inputs_for(*figure.document, figure.result->problem());
  return all;
}

Json HtmlPage::inputs_for(const Document& document, const AttentionProblem& problem) {
  const std::string_view why = why_not_in_page(document, problem);
  if (!why.empty()) return why;
  Json inputs = inputs_of_page(document, problem);
  const auto known = std::ranges::find(inputs_, inputs);
  const auto place = known - inputs_.begin();
  if (known == inputs_.end()) inputs_.push_back(std::move(inputs));
  return place;
}

Status HtmlPage::add(const Place& place, const PageFigure& figure, Progress* progress) {
  if (tabs_.empty() || tabs_.back()["label"] != place.tab) {
    tabs_.push_back({{"label", place.tab}, {"first", 0}, {"views", Json::array()}});
  }
  Result<Json> view = kept(figure, tabs_.size(), progress);
  if (!view) return view.error();
  Json& views = tabs_.back()["views"];
  if (place.is_first) tabs_.back()["first"] = views.size();
  view->update({{"layer", place.layer}, {"head", place.head}});
  views.push_back(*std::move(view));
  return ok_status();
}

Status HtmlPage::add(const Step& step) {
  Result<Json> json = kept(step.figure, steps_.size());
  if (!json) return json.error();
  (*json)["text"] = html_of_markdown(step.text);
  if (!step.task.is_null()) (*json)["task"] = step.task;
  if (const auto& question = step.question) {
    Result<Json> revealed = kept(question->revealed, steps_.size());
    if (!revealed) return revealed.error();
    (*json)["question"] = {{"labels", question->labels},
                           {"columns", question->columns},
                           {"truth", question->truth},
                           {"matrix", question->matrix},
                           {"row", question->row},
                           {"after", html_of_markdown(question->after)},
                           {"revealed", *std::move(revealed)}};
  }
  steps_.push_back(*std::move(json));
  return ok_status();
}

std::string HtmlPage::finish(const PageHead& head) const {
  Json data = cells_.json();
  data.update({{"title", head.title},
               {"tabs", tabs_},
               {"steps", steps_},
               {"lines", lines_},
               {"inputs", inputs_}});
  const std::string style = style_of(head.theme, colors_);
  std::string script = "(() => {\n'use strict';\n";
  script.append(asset_named("page/parts.js"));
  if (!inputs_.empty())
    script.append(asset_named("page/compute.js")).append(asset_named("page/edit.js"));
  if (!steps_.empty()) script.append(asset_named("page/lesson.js"));
  script.append(asset_named("page/page.js")).append("})();\n");
  const std::string title = xml_text(head.title.empty() ? "AttnScope" : head.title);
  const bool is_chinese = std::ranges::any_of(code_points(head.title), is_east_asian);
  std::string page = "<!doctype html>\n<html lang=\"" + std::string(is_chinese ? "zh" : "en") +
                     "\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "img-src data:; style-src " +
                     sha256_of(style) + "; script-src " + sha256_of(script) +
                     "; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
                     title + "</title>\n<style>" + style +
                     "</style>\n</head>\n<body>\n<noscript><h1>" + title +
                     "</h1><p>This page needs JavaScript, which is switched off.</p></noscript>\n";
  if (!head.provenance.empty()) {
    page += "<template id=\"" + std::string(kRecordName) + "\">" + xml_text(head.provenance) +
            "</template>\n";
  }
  page += "<template id=\"data\">" + packed_text(dumped(data)) + "</template>\n<script>";
  return page.append(script).append("</script>\n</body>\n</html>\n");
}

Result<std::string> write_html_figure(const Figure& figure, const ExportOptions& options,
                                      Progress* progress) {
  PageFigure only{figure};
  if (options.transparent) only.light.background.a = 0;
  HtmlPage page;
  if (const Status added = page.add({.tab = figure.title}, only, progress); !added)
    return added.error();
  return page.finish({figure.title, figure.provenance});
}

}  // namespace attn
