// Layouts under names: what may be one, and the list that is kept of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/state.h"

namespace attn {

// Without blanks at its ends.
std::string trimmed_layout_name(std::string_view text);

// Why a layout cannot be kept under the name, for a person; empty when it can.
std::string reason_against_layout(const std::vector<NamedLayout>& layouts, std::string_view name);

// Null when none has the name. Borrowed.
const NamedLayout* layout_named(const std::vector<NamedLayout>& layouts, std::string_view name);

// Puts it among the others, which are sorted by name, in place of the one with its name. Nothing
// happens when there is a reason against it.
void keep_layout(std::vector<NamedLayout>& layouts, NamedLayout layout);

}  // namespace attn
