// Array files as documents: one array of any numbers, or several with known names.
#pragma once

#include "document/load/open.h"

namespace attn {

// One array is (n_q, n_k), (heads, n_q, n_k), (layers, heads, n_q, n_k) or (layers, samples, heads,
// n_q, n_k) of any numbers; if its rows do not sum to 1, a note states how it was read. With
// several arrays, names determine attention, or queries, keys and values, and tokens and masks; a
// note states what was taken. Numbers stay in the file where they can be used there.
Reading read_array_document(const DocumentFile& file);

}  // namespace attn
