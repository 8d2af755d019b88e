// Transformer blocks as kinds that structures can be changed to and from: those of one sequence,
// and those of a decoder. Internal to core/document.
#pragma once

#include "document/edit/structure/rebuilding.h"

namespace attn {

extern const KindStructure kBlocksStructure;
extern const KindStructure kDecoderStructure;
inline constexpr const KindStructure* kStructuresOfBlocks[] = {&kBlocksStructure,
                                                               &kDecoderStructure};

}  // namespace attn
