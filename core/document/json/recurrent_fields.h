// What a document's text says of a recurrent model. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>

#include "attention/recurrent.h"

namespace attn {

struct RecurrentFields {
  Recurrent model;  // what is absent is left out by the text
  std::optional<std::uint64_t> hidden, d_out;
  std::optional<bool> bidirectional;
  bool out_in = false;
  bool no_w_output = false;  // "w_output": null
};

}  // namespace attn
