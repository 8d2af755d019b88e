// The one description of what can be set of a plot. Window controls, JSON of documents, flags of
// the command line and help come from it.
#pragma once

#include <span>
#include <string_view>

#include "base/fields.h"
#include "view/options.h"

namespace attn {

std::span<const Field<ViewOptions>> plot_option_fields();

// Null when there is none of that name.
const Field<ViewOptions>* plot_option_named(std::string_view name);

// Which matrix is looked at, as the strip above the panes chooses it.
bool is_of_the_strip(std::string_view field_name);

// Of an exported figure only: on screen it follows from the window.
bool is_of_a_file(std::string_view field_name);

}  // namespace attn
