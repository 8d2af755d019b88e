// What a call of export wishes: a figure of each combination of the plots, stages and numbers that
// its options list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/batch.h"
#include "cli/export_panels.h"

namespace attn::cli {

// A figure, with one value of each option that had a list.
struct Wish {
  ExportFlags flags;
  PlaceValues places;  // name, plot, stage, sample, layer, head
};

// Whether an option is "all", so that the number of figures depends on the document.
bool needs_shape(const ExportFlags& flags);

// Figures of the document named `name`, heads varying first. The shape is not needed without "all".
// Usage error for what is no list, or too many figures; whether the numbers exist is not checked.
Result<std::vector<Wish>> wishes_of(const ExportFlags& flags, const std::string& name,
                                    const std::optional<AttentionShape>& shape);

// "cats, layer 3, head 0": which figure of a call it is.
std::string name_of(const Wish& wish);

// The call for all figures of the files, without folders and output, for a shell.
std::string whole_call(const ExportFlags& flags, const std::vector<std::string>& files,
                       std::optional<std::uint64_t> seed);

}  // namespace attn::cli
