// Keeps layouts in the order of their names.
#include "session/named_layouts.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace attn {

std::string trimmed_layout_name(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

std::string reason_against_layout(const std::vector<NamedLayout>& layouts, std::string_view text) {
  const std::string name = trimmed_layout_name(text);
  if (name.empty()) return "Give the layout a name first";
  if (name.find("##") != std::string::npos) return "A name has no ## in it";
  if (code_point_count(name) > kLongestLayoutName) {
    return "The name has more than " + std::to_string(kLongestLayoutName) + " characters";
  }
  const bool full = layouts.size() >= kMostLayouts && layout_named(layouts, name) == nullptr;
  return full ? "There are " + std::to_string(kMostLayouts) + " layouts already: delete one first"
              : "";
}

const NamedLayout* layout_named(const std::vector<NamedLayout>& layouts, std::string_view name) {
  const auto found = std::ranges::find(layouts, name, &NamedLayout::name);
  return found == layouts.end() ? nullptr : &*found;
}

void keep_layout(std::vector<NamedLayout>& layouts, NamedLayout layout) {
  layout.name = trimmed_layout_name(layout.name);
  if (!reason_against_layout(layouts, layout.name).empty()) return;
  const auto at = std::ranges::lower_bound(layouts, layout.name, {}, &NamedLayout::name);
  if (at != layouts.end() && at->name == layout.name) {
    *at = std::move(layout);
  } else {
    layouts.insert(at, std::move(layout));
  }
}

}  // namespace attn
