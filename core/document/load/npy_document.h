// A .npy file by itself as a document: one array, shown as finished attention. Internal to
// core/document.
#pragma once

#include "document/load/loader.h"

namespace attn {

bool is_npy(std::string_view start);

// An array (n_q, n_k), (heads, n_q, n_k), (layers, heads, n_q, n_k) or (layers, samples, heads,
// n_q, n_k) of any numbers. A note says what it was read as when its rows do not sum to 1.
Reading read_npy_document(const LoadSource& source, const ReadOptions& options);

}  // namespace attn
