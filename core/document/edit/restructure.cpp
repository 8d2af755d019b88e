// Changes the structure of a document: the kind, then extents, then rules.
#include <algorithm>
#include <set>
#include <utility>

#include "attention/problem.h"
#include "base/joined.h"
#include "document/cost.h"
#include "document/edit.h"
#include "document/edit/rebuilding.h"
#include "document/edit/structure.h"
#include "document/problem.h"
#include "engine/matrix/matrix.h"

namespace attn {

void add_label(std::vector<std::string>& labels, const std::string& label) {
  if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
}

namespace {

// Returns the reason against a field that changes; the others are valid as they are.
std::string reason_against_fields(const Structure& before, const Structure& wanted) {
  for (const StructureField& field : all_structure_fields()) {
    const std::size_t value = field.get(wanted);
    const bool stays = value == field.get(before);
    if (!field.applies(*wanted.kind) || stays) continue;
    if (value >= field.least && value <= field.most) continue;
    return std::string(field.label) + " must be from " + std::to_string(field.least) + " to " +
           std::to_string(field.most);
  }
  if (wanted.heads % wanted.key_value_heads == 0) return "";
  return counted(wanted.key_value_heads, "key-value head") + " cannot be shared by " +
         counted(wanted.heads, "head") + ": their number must divide it";
}

std::string reason_against_cells(const Document& document, const Structure& wanted) {
  const auto* model = std::get_if<RecurrentModel>(&document.model);
  if (model == nullptr || !is_bidirectional(model->recurrent)) return "";
  const bool same = wanted.d_k == encoder_width(model->recurrent);
  if (same || wanted.d_k % 2 == 0) return "";
  return "An encoder in both directions has states of an even width, half of each direction";
}

}  // namespace

std::string reason_against(const Document& document, const Structure& requested,
                           std::uint64_t memory_limit_bytes) {
  const Structure wanted = normalised(document, requested);
  const Structure before = structure_of(document);
  if (wanted == before) return "";
  std::string reason = reason_against_fields(before, wanted);
  if (!reason.empty()) return reason;
  if (wanted.kind->has_steps) reason = reason_against_cells(document, wanted);
  if (!reason.empty()) return reason;
  const Status fits = fits_in_memory(predicted_bytes(document, wanted), memory_limit_bytes);
  return fits ? "" : describe(fits.error());
}

std::size_t next_value(const Document& document, const Structure& wanted,
                       const StructureField& field, bool up, std::uint64_t memory_limit_bytes) {
  const std::size_t value = field.get(wanted);
  const std::size_t bound = up ? field.most : field.least;
  if (value == bound) return value;
  const auto stepped = [&](std::size_t by) { return up ? value + by : value - by; };
  const std::size_t room = up ? bound - value : value - bound;
  // The next divisor of the heads is at most this far away.
  for (std::size_t by = 1; by <= std::min(room, wanted.heads); ++by) {
    Structure tried = wanted;
    field.set(tried, stepped(by));
    if (reason_against(document, tried, memory_limit_bytes).empty()) return stepped(by);
  }
  return stepped(1);
}

bool needs_result(const Document& document, const Structure& requested) {
  const Structure wanted = normalised(document, requested);
  return wanted.kind != &info_of(document.model) && !wanted.kind->is_embedded() &&
         has_scores(document.model);
}

namespace {

// Begins a change; a decoder that loses its second sequence becomes its self-attention blocks.
Rebuilding begun(const Document& document, const Structure& wanted,
                 const AttentionResult* computed) {
  const ResultPtr result = computed == nullptr ? nullptr : borrowed(*computed);
  Rebuilding rebuilding{document, result, {}, wanted, document};
  if (!wanted.cross && attentions_of(document).size() > 1) keep_self_attention(rebuilding);
  rebuilding.layout = shape_of(rebuilding.document.model);
  return rebuilding;
}

// Drops masks of attentions that no longer exist.
void drop_masks(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  for (const MaskPlace& place : all_masks()) {
    if (has(attentions_of(document), place.at) || document.*place.mask == Mask{}) continue;
    document.*place.mask = {};
    rebuilding.sentences.push_back("Dropped the mask of the " + std::string(place.prefix) +
                                   "attention");
  }
}

void finish(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  const bool is_other = &info_of(document.model) != &info_of(rebuilding.before.model);
  if (is_other) document.kept.stack = {};
  const Interventions before = document.what_if;
  drop_what_is_gone(document);
  if (document.what_if.gates.size() < before.gates.size()) {
    rebuilding.sentences.emplace_back("Dropped gates of heads that are gone");
  }
  if (document.what_if.patterns.size() < before.patterns.size()) {
    rebuilding.sentences.emplace_back("Dropped patterns of heads that are gone or changed");
  }
  if (document.what_if.edges.size() < before.edges.size()) {
    rebuilding.sentences.emplace_back("Dropped cut edges of heads that are gone or changed");
  }
  // Layers that were generated have no numbers.
  const bool generated = is_other && info_of(document.model).is_embedded();
  const std::size_t layers = rebuilding.wanted.layers, numbers = document.layer_numbers.size();
  document.layer_numbers.resize(generated || layers > numbers ? 0 : layers);
  if (numbers > 0 && document.layer_numbers.empty()) {
    rebuilding.sentences.emplace_back("Dropped the numbers of the layers");
  }
  if (!document.panes) return;
  for (Pane* pane : panes_of(document.panes->layout)) {
    pane->view.options.at = nearest_head(document, pane->view.options.at);
  }
}

std::vector<std::string> labels_that_are_there(const Document& document) {
  std::vector<std::string> labels;
  std::set<std::string> known;  // there may be ten thousand blocks
  for (const TensorInfo& info : tensors_of(document)) {
    if (info.is_there() && known.insert(info.label).second) labels.push_back(info.label);
  }
  return labels;
}

std::vector<std::string> dropped_labels(const Document& before, const Document& after) {
  std::vector<std::string> gone = labels_that_are_there(before);
  const std::vector<std::string> left = labels_that_are_there(after);
  std::erase_if(
      gone, [&](const std::string& label) { return std::ranges::find(left, label) != left.end(); });
  return gone;
}

std::vector<std::string> words_of_remarks(const Rebuilding& rebuilding) {
  const std::string seed = "seed " + std::to_string(rebuilding.document.seed);
  std::vector<std::string> words = rebuilding.sentences;
  constexpr std::size_t kMostListed = 8;
  const auto add = [&](const std::string& what, const std::vector<std::string>& labels) {
    if (!labels.empty()) words.push_back(what + " " + joined_first(labels, kMostListed));
  };
  add("Generated from " + seed + ":", rebuilding.generated);
  add("New rows and columns generated from " + seed + ":", rebuilding.extended);
  add("Shortened:", rebuilding.cut);
  add("Dropped:", dropped_labels(rebuilding.before, rebuilding.document));
  return words;
}

}  // namespace

Result<Restructured> with_structure(const Document& document, const Structure& requested,
                                    const AttentionResult* computed, Progress* progress,
                                    std::uint64_t memory_limit_bytes) {
  const Structure wanted = normalised(document, requested);
  if (wanted == structure_of(document)) return Restructured{document, {}};
  if (std::string reason = reason_against(document, wanted, memory_limit_bytes); !reason.empty()) {
    return usage_error(std::move(reason));
  }
  StepCount count(progress, predicted_numbers(document, wanted));
  Rebuilding rebuilding = begun(document, wanted, computed);
  rebuilding.count = &count;
  if (const Status changed = adopt_kind(rebuilding); !changed) return changed.error();
  drop_masks(rebuilding);
  for (TokenLists* lists : {&rebuilding.document.query_tokens, &rebuilding.document.key_tokens}) {
    // New samples get the tokens of the first.
    const bool shared = rebuilding.layout.samples > 1 && lists->size() == 1;
    if (!lists->empty() && !shared) lists->resize(wanted.samples, TokenList(lists->front()));
  }
  resize_rules(rebuilding, resize_model(rebuilding));
  if (!count.add(0)) return stopped();
  finish(rebuilding);
  rebuilding.document.source_model.reset();  // its model has the structure from before
  Result<Document> checked = if_consistent(rebuilding.document);
  if (!checked) return checked.error();
  if (const Status fits = fits_in_memory(*checked, shape_of(*checked), memory_limit_bytes); !fits)
    return fits.error();
  return Restructured{*std::move(checked), words_of_remarks(rebuilding)};
}

}  // namespace attn
