// What the rows of attention and the matrices that a person enters stand for.
#pragma once

namespace attn {

enum class Side { Query, Key };

// The matrices that a person can edit.
enum class MatrixRole {
  Query,
  Key,
  Value,  // QkvInput
  QueryEmbeddings,
  KeyEmbeddings,
  ValueEmbeddings,  // EmbeddingInput
  WeightQuery,
  WeightKey,
  WeightValue,
  WeightOutput,  // projections
  BiasQuery,
  BiasKey,
  BiasValue,
  BiasOutput,        // their biases, one row
  AttentionWeights,  // WeightsInput
  CrossWeightQuery,
  CrossWeightKey,
  CrossWeightValue,
  CrossWeightOutput,
  CrossBiasQuery,
  CrossBiasKey,
  CrossBiasValue,
  CrossBiasOutput,  // projections of the cross-attention in a decoder's block
  HiddenWeight,
  HiddenBias,
  GateWeight,
  GateBias,
  NetworkOutput,
  NetworkOutputBias,  // the feed-forward network of a block
  AttentionNormWeight,
  AttentionNormBias,
  CrossNormWeight,
  CrossNormBias,
  NetworkNormWeight,
  NetworkNormBias,  // the norms of a block
  EncoderInputWeight,
  EncoderStateWeight,
  EncoderInputBias,
  EncoderStateBias,
  BackwardInputWeight,
  BackwardStateWeight,
  BackwardInputBias,
  BackwardStateBias,
  DecoderInputWeight,
  DecoderStateWeight,
  DecoderInputBias,
  DecoderStateBias,
  InitialWeight,
  InitialBias,
  OutputWeight,
  OutputBias,  // of a recurrent model, as all_recurrent_tensors() lists them
  ScoringMatrix,
  ScoringQuery,
  ScoringKey,
  ScoringVector,
  ScoringBias,        // matrices of the scoring function
  PositionTable,      // learned positions
  RelativeTable,      // buckets of the relative bias
  SelfRelativeTable,  // those of a decoder's self-attention
};

}  // namespace attn
