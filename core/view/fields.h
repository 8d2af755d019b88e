// The one description of what can be set of a plot. Window controls, JSON of documents, flags of
// the command line and help come from it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "view/options.h"

namespace attn {

// By Option.
std::span<const Field<ViewOptions>> plot_option_fields();

// Null, or nothing, when there is none of that name.
const Field<ViewOptions>* plot_option_named(std::string_view name);
std::optional<Option> option_named(std::string_view name);

// Names of the fields, in their order.
std::vector<std::string_view> names_of(OptionSet options);

// Which matrix is shown, as the strip above the panes chooses it.
bool is_of_the_strip(std::string_view field_name);

// Of an exported figure only: on screen it follows from the window.
bool is_of_a_file(std::string_view field_name);

}  // namespace attn
