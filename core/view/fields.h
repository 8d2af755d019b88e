// The one description of what can be set of a plot. Window controls, JSON of documents, flags of
// the command line and help come from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "view/options.h"

namespace attn {

std::span<const Field<ViewOptions>> plot_option_fields();

// Null when there is none of that name.
const Field<ViewOptions>* plot_option_named(std::string_view name);

// What the choices of a field are called where one chooses.
std::vector<std::string> choice_words(const Field<ViewOptions>& field);

// Of an exported figure only: on screen it follows from the window.
bool is_of_a_file(std::string_view field_name);

}  // namespace attn
