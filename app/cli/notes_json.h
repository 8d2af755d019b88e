// JSON members for notes and warnings, shared by subcommands.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "engine/read/result.h"

namespace attn::cli {

inline const char* level_name(const ResultNote& note) {
  return note.level == ResultNote::Level::Warning ? "warning" : "note";
}

// "notes": those of the reader, then those on the numbers; "warnings": the graver ones.
inline void add_notes(Json& json, const std::vector<std::string>& of_reader,
                      const std::vector<ResultNote>& of_numbers) {
  json["notes"] = of_reader;
  json["warnings"] = Json::array();
  for (const ResultNote& note : of_numbers) {
    json[note.level == ResultNote::Level::Warning ? "warnings" : "notes"].push_back(note.text);
  }
}

}  // namespace attn::cli
