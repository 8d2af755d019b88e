// The measures of every head, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/notes_json.h"
#include "document/document.h"
#include "engine/measures.h"

namespace attn::cli {

struct MeasuredAddress {
  AttentionPart part = AttentionPart::Cross;  // of a decoder
  HeadAddress at;
  HeadMeasures measures;
};

// Layer by layer and sample by sample; of a decoder its self-attention first.
std::vector<MeasuredAddress> measure_all(const Document& document, const AttentionResult& result);

// One line per head, numbered from 0 as everywhere on the command line, and below what the labels
// mean.
std::string measures_table(const AttentionShape& shape, const std::vector<MeasuredAddress>& heads);

// "measures": an object per head (of a decoder with the name of its attention), null for what is
// not defined, "nan" in the entropies of rows left out; "labels": the rule of every label.
void add_measures(Json& json, const std::vector<MeasuredAddress>& heads);

}  // namespace attn::cli
