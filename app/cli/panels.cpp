// Reads the text of layouts into panels, and chooses the fields that settings of a plot set.
#include "cli/panels.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "cli/flags.h"

namespace attn::cli {
namespace {

// Returns the part of a request for a layout that the plot uses.
FigureRequest request_for(const PlotEntry& plot, FigureRequest request) {
  std::erase_if(request.settings, [&](const Setting& setting) {
    return is_of_the_page(setting.field->name) || !is_used(setting, plot);
  });
  if (!uses(plot, Option::Axes)) request.part.clear();
  if (!plot.compares) request.reference.clear();
  return request;
}

Error layout_error(std::string message, std::string_view found) {
  return {.kind = ErrorKind::Usage,
          .message = "--layout " + std::move(message),
          .found = std::string(found),
          .expected = "plots and their options, as in 'heatmap head=2 | links / heads'"};
}

// Reads rows ("/") of cells ("|"), of which each is a plot or rows in parentheses.
struct LayoutReader {
  std::string_view rest;
  const FigureRequest& shared;
  const PlotOptions& saved;
  std::vector<Panel> panels{};  // the id of a pane is its place here, from 1
  std::size_t depth = 0;

  Result<Layout> rows() {
    return parts('/', SplitDirection::Down,
                 [this] { return parts('|', SplitDirection::Right, [this] { return cell(); }); });
  }

  template <class ReadPart>
  Result<Layout> parts(char separator, SplitDirection direction, const ReadPart& read_part) {
    Split split{0, direction, {}};
    do {
      Result<Layout> part = read_part();
      if (!part) return part;
      split.parts.push_back({1.0, *std::move(part)});
    } while (take(separator));
    if (split.parts.size() == 1) return std::move(split.parts.front().layout);
    return Layout(std::move(split));
  }

  bool take(char sign) {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.starts_with(sign)) return false;
    rest.remove_prefix(1);
    return true;
  }

  Result<Layout> cell() {
    if (!take('(')) return plot();
    if (++depth > kMostPanes) return layout_error("has too many parentheses", rest);
    Result<Layout> inner = rows();
    if (inner && !take(')')) return layout_error("has a ( without its )", rest);
    return inner;
  }

  Result<Layout> plot() {
    std::istringstream words(std::string(rest.substr(0, rest.find_first_of("|/()"))));
    rest.remove_prefix(std::min(rest.find_first_of("|/()"), rest.size()));
    std::string word;
    if (!(words >> word))
      return layout_error("has an empty part", "no plot before “" + std::string(rest) + "”");
    const PlotEntry* plot = plot_named(word);
    if (plot == nullptr) return unknown_name("plot", word, names_of(all_plots(), &PlotEntry::name));
    panels.push_back({plot, saved, request_for(*plot, shared)});
    if (panels.size() > kMostPanes) {
      return layout_error("has more than " + std::to_string(kMostPanes) + " plots", rest);
    }
    if (Status set = set_options(words); !set) return set.error();
    return Layout(Pane{panels.size(), {}});
  }

  Status set_options(std::istringstream& words) {
    std::string name, word;
    while (words >> word) {
      const std::size_t equals = word.find('=');
      if (equals != word.npos) name = word.substr(0, equals);
      if (name.empty()) return layout_error("has an option without NAME=VALUE", word);
      const Status set = set_option(name, word.substr(equals + 1), equals == word.npos);
      if (!set) return set;
    }
    return ok_status();
  }

  // Sets an option of the newest panel, or appends a word to the one before.
  Status set_option(std::string name, const std::string& text, bool appends) {
    auto& [plot, options, request] = panels.back();
    std::ranges::replace(name, '-', '_');
    const Field<ViewOptions>* field = plot_option_named(name);
    if (name == "part") {
      request.part = text;
    } else if (name == "pin" && appends && !request.pins.empty()) {
      request.pins.back() += " " + text;
    } else if (name == "pin") {
      request.pins.push_back(text);
    } else if (field == nullptr) {
      return unknown_name("option", name, names_of(plot->options));
    } else if (is_of_the_page(name)) {
      return usage_error("all plots of --layout have one " + name,
                         "give it as " + spelt(name, Spelling::Flag));
    } else if (appends) {
      request.settings.back().text += " " + text;
    } else {
      request.settings.push_back({field, text});
    }
    return ok_status();
  }
};

// Refuses options that no panel uses.
Status check_used_by_any(const std::vector<Panel>& panels, const FigureRequest& request) {
  if (!request.pins.empty()) {
    return usage_error("--pin marks cells of one plot, not of a layout",
                       "give pin=ROW,COL to a plot of --layout");
  }
  for (const Setting& setting : request.settings) {
    const auto uses_it = [&](const Panel& panel) { return is_used(setting, *panel.plot); };
    if (is_of_the_page(setting.field->name) || std::ranges::any_of(panels, uses_it)) continue;
    return usage_error("no plot of --layout has the option " +
                       spelt(setting.field->name, Spelling::Flag));
  }
  return ok_status();
}

}  // namespace

const Field<ViewOptions>& field_of(const Setting& setting, const PlotEntry& plot) {
  const std::string several = std::string(setting.field->name) + "s";
  const bool names_several =
      setting.text == "all" || setting.text.find_first_of(",-", 1) != std::string::npos;
  const bool draws_them =
      uses(plot, several) && (names_several || !uses(plot, setting.field->name));
  return draws_them ? *plot_option_named(several) : *setting.field;
}

bool is_used(const Setting& setting, const PlotEntry& plot) {
  return uses(plot, field_of(setting, plot).name);
}

Result<PanelLayout> read_layout(const FigureRequest& request, const PlotOptions& saved) {
  LayoutReader reader{request.layout, request, saved};
  Result<Layout> layout = reader.rows();
  if (!layout) return layout.error();
  if (reader.rest.starts_with(')')) return layout_error("has a ) without its (", reader.rest);
  if (!reader.rest.empty()) return layout_error("lacks a | or / before", reader.rest);
  if (Status used = check_used_by_any(reader.panels, request); !used) return used.error();
  return PanelLayout{*std::move(layout), std::move(reader.panels)};
}

}  // namespace attn::cli
