// The linear maps of a multi-head layer.
#pragma once

#include "base/tensor.h"

namespace attn {

// x·W + b with W stored (in, out). Packed: head h owns the contiguous columns h·d … h·d + d − 1.
// An empty tensor is absent; w_o absent means that there is no output projection.
struct Projections {
  Tensor w_q;                 // (d_model, heads · d_k)
  Tensor w_k;                 // (width of key embeddings, kv_heads · d_k)
  Tensor w_v;                 // (width of value embeddings, kv_heads · d_v)
  Tensor w_o;                 // (heads · d_v, d_out)
  Tensor b_q, b_k, b_v, b_o;  // rank 1, as wide as their matrix
  friend bool operator==(const Projections&, const Projections&) = default;
};

}  // namespace attn
