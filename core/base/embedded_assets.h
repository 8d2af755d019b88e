// The files of assets/ as the build put them into the program.
#pragma once

#include <span>
#include <string_view>

namespace attn {

struct EmbeddedAsset {
  std::string_view name;  // path below assets/, such as "examples/i-love-cats.attn.json"
  std::string_view bytes;
};

std::span<const EmbeddedAsset> embedded_assets();

}  // namespace attn
