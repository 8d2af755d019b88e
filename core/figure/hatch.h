// How hidden cells are hatched: lines in one direction for each kind of rule, over each other where
// rules of several kinds hide a cell.
#pragma once

#include <span>

#include "attention/mask.h"
#include "figure/colormap.h"

namespace attn {

struct Hatch {
  HatchLine line;
  HiddenRules rules;  // those that it stands for
};

// Every direction; together they stand for every rule, each rule in one of them.
std::span<const Hatch> all_hatches();

// The directions that hatch a cell hidden by `rules`, as bits.
HatchLines hatch_lines(HiddenRules rules);

}  // namespace attn
