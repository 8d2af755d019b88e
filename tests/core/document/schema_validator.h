// A JSON Schema validator, as large as the keywords that our schema uses.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attn::test {

// Places in `document` that do not follow `schema`, with reasons; empty when all do.
std::vector<std::string> schema_errors(const nlohmann::json& schema,
                                       const nlohmann::json& document);

// Keywords in `schema` that this validator does not know and would silently ignore.
std::vector<std::string> unknown_keywords(const nlohmann::json& schema);

}  // namespace attn::test
