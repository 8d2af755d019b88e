// Descriptions of the options of plots. Window controls, JSON of documents, flags of the command
// line and help are made from them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "view/options.h"

namespace attn {

// Indexed by Option.
std::span<const Field<ViewOptions>> plot_option_fields();

// Null, or nothing, when there is none with that name.
const Field<ViewOptions>* plot_option_named(std::string_view name);
std::optional<Option> option_named(std::string_view name);

// Names of the fields in their order.
std::vector<std::string_view> names_of(OptionSet options);

// Whether the strip above the panes sets the field: the choice of the matrix.
bool is_of_the_strip(std::string_view field_name);

// Whether the field is used for exported figures only: on screen the window decides it.
bool is_of_a_file(std::string_view field_name);

}  // namespace attn
