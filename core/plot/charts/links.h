// Tokens of both sides joined by lines whose opacity is the weight, for any number of heads at
// once.
#pragma once

#include "plot/plot.h"

namespace attn {

// One hue for each head, and a chip of each, a click on which shows or hides it. Of each row the
// largest weights are drawn (link_choice.h), and the plot says which. Every line carries the cell
// that it stands for. With options.focus only the links of one token are drawn; pinned cells are
// drawn stronger. In view are options.tokens_shown tokens of each side from options.first_query and
// options.first_key on. Their links to and from tokens beyond are stubs, one for each token, head
// and direction, as opaque as their weights together; words at the ends count them. Needs
// links_needs (link_needs.h). Refuses what check_links refuses.
Result<Figure> links_plot(const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics);

}  // namespace attn
