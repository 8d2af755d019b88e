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

// Bytes of the asset; empty if there is none.
inline std::string_view asset_named(std::string_view name) {
  for (const EmbeddedAsset& asset : embedded_assets()) {
    if (asset.name == name) return asset.bytes;
  }
  return {};
}

}  // namespace attn
