// Requests, stores, cancels and drops derivations of plots.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "plot/all_plots.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

constexpr std::uint64_t kBudgetBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t kWorthFinishingNanoseconds = 500'000'000;  // about half a second

// Calls each(plot, pane) for the visible panes.
template <class Each>
void for_shown_plots(const AppState& state, const Each& each) {
  const bool alone = shows_one_pane(state);
  for (const Pane* pane : panes_of(state.layout)) {
    if (alone && pane->id != state.focus) continue;
    const PlotEntry* plot = plot_named(pane->view.plot);
    if (plot != nullptr) each(*plot, *pane);
  }
}

// Needs of all visible panes without duplicates.
std::vector<Need> shown_needs(const AppState& state) {
  std::vector<Need> needs;
  if (!state.result) return needs;
  const PlotInput input{*state.result_document, *state.result, &state.derivations};
  for_shown_plots(state, [&](const PlotEntry& plot, const Pane& pane) {
    if (!has_layers(plot, *state.result, pane.view.options)) return;  // they are being computed
    for (Need& need : needs_of(plot, input, plot_options(state, pane))) {
      if (need.only_for_files) continue;
      const bool known = std::ranges::find(needs, need.key, &Need::key) != needs.end();
      if (!known) needs.push_back(std::move(need));
    }
  });
  return needs;
}

// Sum of the predicted nanoseconds; saturates.
std::uint64_t nanoseconds_of(const std::vector<Need>& needs) {
  std::uint64_t sum = 0;
  for (const Need& need : needs) sum += std::min(need.nanoseconds, UINT64_MAX - sum);
  return sum;
}

bool is_under_way(const AppState& state, const Need& need) {
  return std::ranges::find(state.deriving, need.key) != state.deriving.end();
}

void cancel_unwanted(Step& step, const std::vector<std::string>& wanted) {
  std::erase_if(step.deriving, [&](const std::string& key) {
    if (std::ranges::find(wanted, key) != wanted.end()) return false;
    step.effects.push_back(effect::StopDeriving{key});
    return true;
  });
}

// True if derivations of an older result are worth finishing: they end soon and show something
// during a drag, without delaying the present ones for long.
bool is_worth_finishing(const AppState& state, std::vector<Need> needs) {
  if (!state.result) return false;
  if (state.result_revision == state.revision && state.deriving_from.result == state.result) {
    return true;
  }
  std::erase_if(needs, [&](const Need& need) { return !is_under_way(state, need); });
  return nanoseconds_of(needs) <= kWorthFinishingNanoseconds;
}

// Marks running derivations as those of an older result.
void follow_result(AppState& state) {
  if (state.derived_from == state.result) return;
  const bool waiting = !state.deriving.empty() && state.deriving_from.result == state.derived_from;
  if (waiting) {
    state.older = state.deriving_from;
    state.older->derivations = std::move(state.derivations);
  }
  if (!state.result) state.older.reset();
  state.derivations = {};
  state.derived_from = state.result;
}

void forget_older(OpenDocument& document) {
  document.older.reset();
  document.deriving_from = {};
}

// Cancels derivations of background documents; they are requested again when shown.
void cancel_in_background(Step& step) {
  for (OpenDocument& document : step.background) {
    for (std::string& key : document.deriving) {
      step.effects.push_back(effect::StopDeriving{std::move(key)});
    }
    document.deriving.clear();
    forget_older(document);
  }
}

void ask_for(Step& step, std::vector<Need> needs) {
  if (needs.empty()) return;
  std::ranges::stable_sort(needs, {}, [](const Need& need) {
    return std::pair(!need.awaited, need.nanoseconds);  // awaited needs first, then the cheapest
  });
  step.deriving_from = {step.result, step.result_document, step.result_revision};
  const std::uint64_t nanoseconds = nanoseconds_of(needs);
  for (Need& need : needs) {
    step.deriving.push_back(need.key);
    step.effects.push_back(
        effect::Derive{step.result_document, step.result, std::move(need), nanoseconds});
  }
}

}  // namespace

std::size_t layers_in_view(const AppState& state) {
  // Texts have formulas over all layers, and an export shows any.
  if (is_in_lesson(state) || state.dialog) return kAllLayers;
  // The inspector and the stages are about the focused head.
  std::size_t layers = focused_view(state).options.at.layer + 1;
  for_shown_plots(state, [&](const PlotEntry& plot, const Pane& pane) {
    layers = std::max(layers, layers_read(plot, pane.view.options));
  });
  return layers;
}

void request_derivations(Step& step) {
  cancel_in_background(step);
  follow_result(step);
  std::vector<Need> needs = shown_needs(step);
  std::vector<std::string> wanted;
  wanted.reserve(needs.size());
  for (const Need& need : needs) wanted.push_back(need.key);
  cancel_unwanted(step, is_worth_finishing(step, needs) ? wanted : std::vector<std::string>());
  step.derivations.mark_shown(wanted, kBudgetBytes);
  if (step.result_revision != step.revision) return;  // a newer result is being computed
  const bool older = !step.deriving.empty() && step.deriving_from.result != step.result;
  if (older) return;  // wait until the older one's are done
  std::erase_if(needs, [&](const Need& need) {
    return is_under_way(step, need) || step.derivations.find(need.key) != nullptr;
  });
  ask_for(step, std::move(needs));
  if (step.deriving.empty()) forget_older(step);
}

// Derivations under way are requested again in another order.
void apply(Step& step, const command::PointAtLayer& c) {
  if (step.pointed_layer == c.value) return;
  step.pointed_layer = c.value;
  cancel_unwanted(step, {});
}

// Answers of cancelled derivations, or of results that are gone, are dropped.
void apply(OpenDocument& open, const command::DerivationDone& c) {
  const auto& [document, result, need, nanoseconds] = c.job;
  const auto waiting = std::ranges::find(open.deriving, need.key);
  if (waiting == open.deriving.end() || result != open.deriving_from.result) return;
  open.deriving.erase(waiting);
  if (result == open.result) {
    open.derivations.keep(need.key, c.made);
  } else if (open.older && open.older->result == result) {
    open.older->derivations.keep(need.key, c.made);
  }
}

}  // namespace attn
