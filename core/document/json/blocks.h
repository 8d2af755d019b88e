// Blocks as JSON: their row of all_embedding_kinds(). Internal to core/document.
#pragma once

#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "document/json/fields.h"

namespace attn {

// Each reads the value of the key of its name.
bool read_blocks(JsonValue json, DocumentFields& fields);
bool read_norms(JsonValue json, DocumentFields& fields);
bool read_dropout(JsonValue json, DocumentFields& fields);

void write_block_settings(ObjectWriter& object, const Model& model, std::string_view place);
// What all blocks share.
void write_norms(ObjectWriter& object, const Model& model);
// The members of it that are not as usual.
std::vector<KeptMember> members_of(const Stack& stack);

}  // namespace attn
