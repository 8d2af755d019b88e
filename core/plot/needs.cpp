// Finding, computing and reading what plots need.
#include "plot/needs.h"

#include <new>
#include <utility>

#include "base/number_text.h"

namespace attn {
namespace {

// The need of one attention, asked of the whole result.
Need of_whole(Need need, AttentionPart part) {
  auto derive_own = std::move(need.derive);
  need.derive = [part, derive_own](const Document& document, const ResultPtr& result,
                                   Progress* progress) {
    const ResultPtr own(result, &result->attended(part));
    return derive_own(attended(document, part), own, progress);
  };
  return need;
}

Error out_of_memory(const std::string& label) {
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.message = label + " needs more memory than there is";
  error.hint = "use fewer tokens, or close other programs";
  return error;
}

std::string in_all(std::uint64_t bytes) {
  return bytes_text(bytes) + " (" + std::to_string(bytes) + " bytes)";
}

Status check_memory(const Need& need, const AttentionResult& result, const DerivingOptions& how) {
  const std::uint64_t limit = how.memory_limit_bytes;
  const std::uint64_t used = kept_bytes(result.problem()) + how.in_use_bytes;
  if (need.bytes == 0 || (used <= limit && need.bytes <= limit - used)) return ok_status();
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.message =
      need.label + " needs " + in_all(need.bytes) + ", more than the memory limit allows";
  error.found = bytes_text(used) + " in use already";
  error.expected = "at most " + in_all(limit) + " in all";
  error.hint = "use fewer tokens, or raise the memory limit";
  return error;
}

}  // namespace

std::vector<Need> needs_of(const PlotEntry& plot, const PlotInput& input,
                           const PlotOptions& options) {
  if (plot.needs == nullptr) return {};
  const AttentionPart part = options.attention;
  const PlotOptions fitted = fitted_to(options, input.result);
  if (attentions_of(input.document).size() == 1) return plot.needs(input, fitted);
  const PlotInput own{attended(input.document, part), input.result.attended(part),
                      input.derivations};
  std::vector<Need> needs;
  for (Need& need : plot.needs(own, fitted)) needs.push_back(of_whole(std::move(need), part));
  return needs;
}

Result<DerivationPtr> derive(const Need& need, const Document& document, const ResultPtr& result,
                             const DerivingOptions& how) {
  if (const Status fits = check_memory(need, *result, how); !fits) return fits.error();
  try {
    return need.derive(document, result, how.progress);
  } catch (const std::bad_alloc&) {
    return out_of_memory(need.label);
  }
}

Derivations derive_all(const PlotEntry& plot, const Document& document, const ResultPtr& result,
                       const PlotOptions& options, const DerivingOptions& how) {
  const std::vector<Need> needs = needs_of(plot, {document, *result}, options);
  const float share = needs.empty() ? 1.0F : 1.0F / static_cast<float>(needs.size());
  Derivations all;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const ProgressPart part(how.progress, share * static_cast<float>(i), share);
    DerivingOptions next = how;
    next.in_use_bytes += all.bytes();
    all.keep(needs[i].key, derive(needs[i], document, result, next));
  }
  return all;
}

Result<Figure> draw_complete(const PlotEntry& plot, const Document& document,
                             const ResultPtr& result, const PlotOptions& options,
                             const TextMetrics& metrics) {
  const Derivations all = derive_all(plot, document, result, options);
  return draw_plot(plot, {document, *result, &all}, options, metrics);
}

MatrixPtr matrix_in(const PlotInput& input, const MatrixId& id) {
  if (is_computed(id)) return stage_matrix(borrowed(input.result), id);
  return input.derivations != nullptr ? input.derivations->get<Matrix>(text_of(id)) : nullptr;
}

Error why_missing(const PlotInput& input, std::string_view key) {
  const Result<DerivationPtr>* made =
      input.derivations != nullptr ? input.derivations->find(key) : nullptr;
  return made != nullptr && !*made ? made->error() : usage_error("This is not computed yet");
}

Error why_missing(const PlotInput& input, const MatrixId& id) {
  return why_missing(input, text_of(id));
}

Need need_for(const MatrixId& id, std::string label, std::uint64_t steps, std::uint64_t bytes,
              std::function<Result<MatrixPtr>(const Document&, const ResultPtr&, Progress*)> make) {
  Need need{text_of(id), std::move(label), steps, {}, bytes};
  need.derive = [make = std::move(make)](const Document& document, const ResultPtr& result,
                                         Progress* progress) -> Result<DerivationPtr> {
    Result<MatrixPtr> made = make(document, result, progress);
    if (!made) return made.error();
    return DerivationPtr(*std::move(made));
  };
  return need;
}

}  // namespace attn
