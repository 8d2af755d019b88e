// Weights of one token in several heads: rows of queries and columns of keys, gathered.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "attention/mask.h"
#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn {

// One line of each head: the row of a query, or the column of a key. Several tokens, such as the
// pieces of a word, give the mean of their rows, or the sum of their columns.
struct LinesQuestion {
  std::vector<HeadAddress> heads;
  Side side = Side::Query;
  std::size_t first = 0, count = 1;                       // tokens of that side
  std::size_t most_cells = static_cast<std::size_t>(-1);  // of a line: more are pooled, to maxima
};

struct TokenLines final : Derivation {
  std::size_t cells = 0, step = 1;  // of a line, and tokens under each
  std::vector<float> values;        // (heads, cells)
  std::vector<HiddenRules> hidden;  // of them
  std::vector<float> line(std::size_t head) const;
  std::uint64_t bytes() const override { return values.size() * (sizeof(float) + 1); }
};

// Needs: the lines, where reading them takes longer than a frame has.
std::vector<Need> lines_needs(const FittedView& view, const LinesQuestion& question);

// The lines, read now where they need no derivation.
Result<std::shared_ptr<const TokenLines>> lines_of(const FittedView& view,
                                                   const LinesQuestion& question);

// Heads of the layers and heads that the options choose, in the order of layers, in the sample in
// view; if there are more than `most`, those from the head in view on. Usage errors name what does
// not exist.
struct ChosenHeads {
  std::vector<HeadAddress> shown;
  std::size_t all = 0;
  bool begins_at_chosen = false;  // else with the first of them
};
Result<ChosenHeads> chosen_heads(const FittedView& view, std::size_t most);
// " 24 of 144 heads are shown."; "" when all are.
std::string words_of(const ChosenHeads& heads);

// Returns the last query of the head in view that sees a key, behind which there may be padding;
// the last one if none does.
std::size_t last_seeing_query(const FittedView& view);

// The token of the options, else the row of the first pin, else that query; with `follows`, the
// hovered one before them. A token of one sequence is a query unless the option names a key.
TokenHit token_in_view(const FittedView& view, bool follows);

// Returns the place of a mask in the text; nothing if there is none.
std::optional<std::size_t> place_to_fill(const FittedView& view);

// " The text has no mask …" where a masked model predicts another token than a masked one; "" for
// other models.
std::string remark_on_place(const FittedView& view, std::size_t place);

// Returns the token after which a language model's next one is shown: the one that is chosen, else
// the last one; or the place of a mask that it fills. Precondition: nothing_predicted() is empty.
std::size_t place_of_next(const FittedView& view);

}  // namespace attn
