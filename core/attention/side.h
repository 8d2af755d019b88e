// The two sides of attention: its rows and its columns.
#pragma once

namespace attn {

enum class Side { Query, Key };

}  // namespace attn
