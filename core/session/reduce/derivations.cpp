// What plots need beyond the result: asked for, taken, called off and forgotten.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "plot/all_plots.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

constexpr std::uint64_t kBudgetBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t kWorthFinishingSteps = 500'000'000;  // about half a second

// The panes that are on screen.
std::vector<const Pane*> shown_panes(const AppState& state) {
  if (state.maximised || state.plot_alone) return {pane_of(state.layout, state.focus)};
  return panes_of(state.layout);
}

// Panes may need the same.
std::vector<Need> shown_needs(const AppState& state) {
  std::vector<Need> needs;
  if (!state.result) return needs;
  const PlotInput input{*state.result_document, *state.result, &state.derivations};
  for (const Pane* pane : shown_panes(state)) {
    const PlotEntry* plot = plot_named(pane->view.plot);
    if (plot == nullptr) continue;
    for (Need& need : needs_of(*plot, input, plot_options(state, *pane))) {
      if (need.only_for_files) continue;
      const bool known = std::ranges::find(needs, need.key, &Need::key) != needs.end();
      if (!known) needs.push_back(std::move(need));
    }
  }
  return needs;
}

// Saturates.
std::uint64_t steps_of(const std::vector<Need>& needs) {
  std::uint64_t sum = 0;
  for (const Need& need : needs) sum += std::min(need.nanoseconds, UINT64_MAX - sum);
  return sum;
}

bool is_under_way(const AppState& state, const Need& need) {
  return std::ranges::find(state.deriving, need.key) != state.deriving.end();
}

void call_off(Step& step, const std::vector<std::string>& wanted) {
  std::erase_if(step.state.deriving, [&](const std::string& key) {
    if (std::ranges::find(wanted, key) != wanted.end()) return false;
    step.effects.push_back(effect::StopDeriving{key});
    return true;
  });
}

// Numbers that were dragged on since are still worth showing when they are there soon; the present
// ones are not to wait long for them.
bool is_worth_finishing(const AppState& state, std::vector<Need> needs) {
  if (!state.result) return false;
  if (state.result_revision == state.revision && state.deriving_from.result == state.result) {
    return true;
  }
  std::erase_if(needs, [&](const Need& need) { return !is_under_way(state, need); });
  return steps_of(needs) <= kWorthFinishingSteps;
}

// What is under way is of an older result from now on.
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

// What documents aside were waiting for is asked for again when they are looked at.
void call_off_aside(Step& step) {
  for (OpenDocument& document : step.state.aside) {
    for (std::string& key : document.deriving) {
      step.effects.push_back(effect::StopDeriving{std::move(key)});
    }
    document.deriving.clear();
    forget_older(document);
  }
}

// What pictures wait for comes first, then what is there soonest.
bool comes_before(const Need& a, const Need& b) {
  return a.awaited != b.awaited ? a.awaited : a.nanoseconds < b.nanoseconds;
}

void ask_for(Step& step, std::vector<Need> needs) {
  AppState& state = step.state;
  if (needs.empty()) return;
  std::ranges::stable_sort(needs, comes_before);
  state.deriving_from = {state.result, state.result_document, state.result_revision};
  const std::uint64_t steps = steps_of(needs);
  for (Need& need : needs) {
    state.deriving.push_back(need.key);
    step.effects.push_back(
        effect::Derive{state.result_document, state.result, std::move(need), steps});
  }
}

}  // namespace

void request_derivations(Step& step) {
  AppState& state = step.state;
  call_off_aside(step);
  follow_result(state);
  std::vector<Need> needs = shown_needs(state);
  std::vector<std::string> wanted;
  wanted.reserve(needs.size());
  for (const Need& need : needs) wanted.push_back(need.key);
  call_off(step, is_worth_finishing(state, needs) ? wanted : std::vector<std::string>());
  state.derivations.look_at(wanted, kBudgetBytes);
  if (state.result_revision != state.revision) return;  // other numbers are on their way
  const bool older = !state.deriving.empty() && state.deriving_from.result != state.result;
  if (older) return;  // one result after the other
  std::erase_if(needs, [&](const Need& need) {
    return is_under_way(state, need) || state.derivations.find(need.key) != nullptr;
  });
  ask_for(step, std::move(needs));
  if (state.deriving.empty()) forget_older(state);
}

// What nobody waits for was called off, or is of a result that is gone.
void apply(OpenDocument& open, const command::DerivationDone& c) {
  const auto waiting = std::ranges::find(open.deriving, c.key);
  if (waiting == open.deriving.end() || c.result != open.deriving_from.result) return;
  open.deriving.erase(waiting);
  if (c.result == open.result) {
    open.derivations.keep(c.key, c.made);
  } else if (open.older && open.older->result == c.result) {
    open.older->derivations.keep(c.key, c.made);
  }
}

}  // namespace attn
