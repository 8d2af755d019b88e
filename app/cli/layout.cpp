// Reads layouts by descent: rows of cells, of which each is a plot or rows again.
#include "cli/layout.h"

#include <algorithm>
#include <sstream>

#include "base/number_text.h"
#include "cli/flags.h"
#include "plot/plot_layout.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

constexpr std::string_view kPart = "part";

Error layout_error(std::string message, std::string_view found, std::string hint = {}) {
  return {.kind = ErrorKind::Usage,
          .message = "--layout " + std::move(message),
          .found = std::string(found),
          .expected = std::string(kLayoutForm),
          .hint = std::move(hint)};
}

// Name of the field that an option of the panel means: of plots of several heads, head chooses
// which are drawn.
Result<std::string> field_named(const PlotEntry& plot, std::string name) {
  if (name.starts_with("--")) name.erase(0, 2);
  std::ranges::replace(name, '-', '_');
  const std::string several = name + "s";
  if (!uses(plot, name) && uses(plot, several)) return several;
  const bool is_part = name == kPart && uses(plot, Option::Axes);
  const bool is_known = is_part || plot_option_named(name) != nullptr;
  if (is_known && name != kPart && is_of_the_page(name)) {
    const std::string flag = spelt(name, Spelling::Flag);
    return layout_error("has an option of the whole page", name, "give it as " + flag);
  }
  if (is_part || (is_known && uses(plot, name))) return name;
  std::vector<std::string_view> known = names_of(plot.options);
  std::erase_if(known, is_of_the_page);
  return Error{.kind = ErrorKind::Usage,
               .message = "the " + std::string(plot.name) + " plot has no option " + name,
               .expected = known.empty() ? "none" : joined(known),
               .hint = did_you_mean(name, known)};
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  Result<LayoutText> read() {
    Result<Layout> whole = rows();
    if (!whole) return whole.error();
    if (!rest_.empty()) return layout_error("has a ) without its (", rest_);
    read_.layout = *std::move(whole);
    return std::move(read_);
  }

 private:
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
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Result<Layout> cell() {
    if (take('(')) {
      if (++depth_ > kMostPanes) return layout_error("has too many parentheses", rest_);
      Result<Layout> inner = rows();
      if (inner && !take(')')) return layout_error("has a ( without its )", rest_);
      return inner;
    }
    const std::string text(rest_.substr(0, rest_.find_first_of("|/()")));
    rest_.remove_prefix(text.size());
    return panel(text);
  }

  Result<Layout> panel(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    if (!(words >> word))
      return layout_error("has an empty part", "no plot before “" + std::string(rest_) + "”");
    const PlotEntry* plot = plot_named(word);
    if (plot == nullptr) {
      const auto known = names_of(all_plots(), &PlotEntry::name);
      return Error{.kind = ErrorKind::Usage,
                   .message = "there is no plot named " + word,
                   .expected = joined(known),
                   .hint = did_you_mean(word, known)};
    }
    PanelText panel{plot, {}};
    while (words >> word) {
      if (const Status added = add_word(panel, word); !added) return added.error();
    }
    read_.panels.push_back(std::move(panel));
    if (read_.panels.size() > kMostPanes) {
      return layout_error("has too many plots", counted(read_.panels.size(), "plot"),
                          "at most " + std::to_string(kMostPanes) + " are drawn on one page");
    }
    return Layout(Pane{read_.panels.size(), {}});
  }

  static Status add_word(PanelText& panel, const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals != word.npos) {
      const Result<std::string> name = field_named(*panel.plot, word.substr(0, equals));
      if (!name) return name.error();
      panel.options.emplace_back(*name, word.substr(equals + 1));
      return ok_status();
    }
    if (panel.options.empty()) {
      return layout_error("has an option without a value", word, "write it as NAME=VALUE");
    }
    panel.options.back().second += " " + word;
    return ok_status();
  }

  std::string_view rest_;
  std::size_t depth_ = 0;
  LayoutText read_{};
};

}  // namespace

Result<LayoutText> parse_layout(std::string_view text) { return Reader(text).read(); }

}  // namespace attn::cli
