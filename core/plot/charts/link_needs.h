// The links that the links plot draws, chosen before it is drawn.
#pragma once

#include <optional>
#include <vector>

#include "plot/charts/link_choice.h"
#include "plot/need.h"
#include "plot/plot.h"

namespace attn {

// Refuses a result without weights, heads of which none is there, and a first token that is not.
Status check_links(const PlotInput& input, const PlotOptions& options);

// The heads that the options name.
std::vector<std::size_t> heads_of_links(const PlotInput& input, const PlotOptions& options);

// The tokens in view. Precondition of this and what follows: check_links.
LinkView links_view(const PlotInput& input, const PlotOptions& options);

// The token whose links alone are wanted: the one pointed at, if it is in view, or else the one
// that the option names and that is there.
std::optional<TokenHit> focus_of_links(const PlotInput& input, const PlotOptions& options);

// The links of all tokens in view, and those of the token that the option names where it lies
// beyond the view.
std::vector<Need> links_needs(const PlotInput& input, const PlotOptions& options);

// What is to be drawn: of the token with the focus, or of all; the kMostLinks strongest.
Result<LinkSet> chosen_links(const PlotInput& input, const PlotOptions& options);

}  // namespace attn
