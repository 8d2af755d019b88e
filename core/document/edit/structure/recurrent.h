// Recurrent encoder–decoders as a kind that structures can be changed to and from. Internal to
// core/document.
#pragma once

#include "document/edit/structure/rebuilding.h"

namespace attn {

extern const KindStructure kRecurrentStructure;
inline constexpr const KindStructure* kRecurrentStructures[] = {&kRecurrentStructure};

}  // namespace attn
