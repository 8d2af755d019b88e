// Blocks as JSON: their row of all_embedding_kinds(). Internal to core/document.
#pragma once

#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "document/json/fields.h"

namespace attn {

// Readers of the keys with their names.
bool read_blocks(JsonValue json, DocumentFields& fields);
bool read_norms(JsonValue json, DocumentFields& fields);
bool read_dropout(JsonValue json, DocumentFields& fields);

void write_block_settings(ObjectWriter& object, const Model& model, std::string_view place);
// Settings shared by all blocks.
void write_norms(ObjectWriter& object, const Model& model);
// Writes its members that differ from the defaults.
std::vector<KeptMember> members_of(const Stack& stack);

}  // namespace attn
