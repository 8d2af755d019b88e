// Which boxes of the flow are made from which, so that arrows tell the truth.
#pragma once

#include <cstddef>

#include "plot/charts/flow.h"

namespace attn {

// Whether `to`, a box of the column after `column`, is made from box `from` of it. Stages that
// begin again elsewhere, as a decoder without attention does, and measures of a whole computation,
// as influence is, are made from nothing beside them.
bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to);

// Whether the column after `column` is made from anything in it.
bool feeds(const FlowColumn& column, const FlowColumn& next);

}  // namespace attn
