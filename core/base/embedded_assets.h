// Files of assets/ compiled into the program.
#pragma once

#include <span>
#include <string_view>

namespace attn {

struct EmbeddedAsset {
  std::string_view name;  // path below assets/: "examples/i-love-cats.attn.json"
  std::string_view bytes;
};

std::span<const EmbeddedAsset> embedded_assets();

}  // namespace attn
