// Recurrent models as JSON: their row of all_embedding_kinds(). Internal to core/document.
#pragma once

#include <string_view>

#include "base/json_writer.h"
#include "document/json/fields.h"

namespace attn {

// Reads the value of "recurrent".
bool read_recurrent(JsonValue json, DocumentFields& fields);
void write_recurrent_settings(ObjectWriter& object, const Model& model, std::string_view place);

}  // namespace attn
