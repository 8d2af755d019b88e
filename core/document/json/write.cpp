// Converts documents to their text, and writes it.
#include "document/json/write.h"

#include <algorithm>
#include <utility>

#include "base/embedded_assets.h"
#include "document/axes.h"
#include "document/edit.h"
#include "document/json/document_text.h"
#include "document/json/source_text.h"

namespace attn {
namespace {

// Empty texts are written where they were given.
std::optional<std::string> text_to_write(const Document& document, const char* key,
                                         const std::string& text) {
  const bool there = !text.empty() || std::ranges::count(document.kept.empty, key) > 0;
  return there ? std::optional(text) : std::nullopt;
}

void put_tokens(DocumentText& text, const Document& document) {
  (document.cross ? text.query_tokens : text.tokens) = document.query_tokens;
  if (document.cross) text.key_tokens = document.key_tokens;
}

void put_embeddings(DocumentText& text, const Embeddings& embeddings) {
  (embeddings.key.empty() ? text.embeddings : text.query_embeddings) = embeddings.query;
  text.key_embeddings = embeddings.key;
  text.value_embeddings = embeddings.value;
}

// Writers of the parts of each kind of model.

void put_model(DocumentText& text, const GivenQkv& model) {
  text.q = model.q;
  text.k = model.k;
  text.v = model.v;
  if (model.axes.empty()) return;
  std::vector<std::string>& names = text.axes.emplace();
  for (std::size_t i = 0; i < kQkvOuterAxes.size(); ++i) {
    if (std::ranges::count(model.axes, kQkvOuterAxes[i]) > 0) names.emplace_back(kQkvAxes[i]);
  }
  names.insert(names.end(), {"token", "feature"});
}

void put_model(DocumentText& text, const GivenWeights& model) {
  text.attention = model.weights;
  text.self_attention = model.self;
  text.encoder_attention = model.encoder;
  std::vector<std::string>& names = text.axes.emplace();
  for (std::size_t i = 0; i < kWeightAxes.size(); ++i) {
    if (std::ranges::count(model.axes, kWeightAxes[i]) > 0) names.emplace_back(kAttentionAxes[i]);
  }
}

void put_model(DocumentText& text, const AttentionLayer& model) {
  put_embeddings(text, model.embeddings);
  text.projections = as_text(model.projections);
}

void put_model(DocumentText& text, const BlockModel& model) {
  put_embeddings(text, model.embeddings);
  text.blocks = as_text(model.stack.blocks);
}

void put_model(DocumentText& text, const RecurrentModel& model) {
  put_embeddings(text, model.embeddings);
  text.recurrent = as_text(model.recurrent);
}

// Settings of blocks are always written, others of other kinds of model if they were given.
void put_norms(DocumentText& text, const Document& document) {
  const Stack* stack = stack_of(document.model);
  const Stack& of = stack != nullptr ? *stack : document.kept.stack;
  Stack settings = settings_of(of);
  settings.dropout = 0.0F;
  if (stack != nullptr || settings != Stack{}) text.norms = settings;
  text.dropout = of.dropout;
}

// Returns nothing if a reader would assume these values without the key.
std::optional<ScoringText> scoring_text(const Document& document) {
  ScoringText text{document.scoring, document.kept.d_a};
  if (has_scores(document.model) && has_hidden_units(text.function)) text.d_a.reset();
  const bool is_usual = info_of(document.model).usual_scoring == Scoring{}.function;
  return is_usual && text == ScoringText{} ? std::nullopt : std::optional(std::move(text));
}

// True if a reader would assume a causal mask without the key. Weights in a file are not read here
// and may be causal.
bool may_look_causal(const Document& document, const HeadAddress& at) {
  const Tensor* given = given_weights(document, at);
  const bool is_in_file = given != nullptr && given->origin() != nullptr;
  return is_in_file || looks_causal(document, at);
}

// Tensors that are written in full.
std::uint64_t written_numbers(const Document& document) {
  std::uint64_t count = 0;
  for (const TensorInfo& info : tensors_of(document)) {
    if (info.is_there() && info.tensor->origin() == nullptr) count += info.tensor->size();
  }
  return count;
}

}  // namespace

namespace {

// Returns the text with all numbers.
DocumentText whole_text(const Document& document) {
  DocumentText text;
  text.schema = document.kept.schema;
  text.title = text_to_write(document, "title", document.title);
  text.description = text_to_write(document, "description", document.description);
  text.source = text_to_write(document, "source", document.source);
  text.reference = document.reference;
  put_tokens(text, document);
  text.features = as_text(document.features);
  text.layer_numbers = document.layer_numbers;
  std::visit([&](const auto& model) { put_model(text, model); }, document.model);
  if (info_of(document.model).projects) text.heads = shape_of(document.model).heads;
  put_norms(text, document);
  text.scoring = scoring_text(document);
  for (const MaskPlace& place : all_masks()) {
    const Mask& mask = document.*place.mask;
    const bool there = has(attentions_of(document), place.at);
    if (mask != Mask{} || (there && may_look_causal(document, place.at))) {
      mask_of(text, place.at) = MaskText{mask, {}, {}};
    }
  }
  text.position = as_text(document.position);
  if (document.what_if != Interventions{}) text.what_if = document.what_if;
  text.seed = document.seed;
  text.panes = document.panes;
  text.lesson = document.lesson;
  return text;
}

}  // namespace

DocumentText as_text(const Document& document) {
  DocumentText text = whole_text(document);
  return document.source_model ? less_source(std::move(text), document) : text;
}

std::string write_document(const Document& document, Progress* progress, KnownArrays* known) {
  std::string out;
  StepCount count(progress, written_numbers(document));
  const DocumentText text = as_text(document);
  write_object({out, 0, &count, known}, kDocumentObject, &text);
  return out + "\n";
}

std::string mask_text(const Mask& mask) {
  std::string out;
  const MaskText text{mask, {}, {}};
  write_object({out}, kMaskObject, &text);
  return out;
}

std::string_view document_schema() { return asset_named("attnscope.schema.json"); }

}  // namespace attn
