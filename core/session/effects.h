// Carries out effects that need no window: files, figures, numbers. Shared by window and tests.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "base/progress.h"
#include "plot/all_plots.h"
#include "session/effect.h"

namespace attn {

// Blocking; call it from a worker for anything that may exceed a frame. Reads and writes files,
// never the state. What is read, computed and derived may take so much memory. Nothing comes back
// from StorePreferences, StopDeriving, ForgetUnsaved and Leave. No exception leaves it: it comes
// back as the command that says that the effect failed.
std::optional<Command> run_effect(const Effect& effect, Progress* progress,
                                  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

// What that command says of an exception thrown by `effect`: OverMemoryLimit for memory that was
// not to be had, Internal for all else.
Error error_of(const Effect& effect, const std::exception_ptr& thrown);

// Keeps, forgets or finds unsaved work: in this order, and never behind anything else.
bool is_of_unsaved_work(const Effect& effect);

// Writes what is to last, the user's documents and preferences: behind nothing that reads, computes
// or keeps.
bool is_of_saving(const Effect& effect);

// True when the effect is so small that running it at once beats a frame's delay.
bool is_quick(const Effect& effect);

// How long an effect lets others go first, as the job queue asks: 0, but more with the time that is
// predicted of what plots need, in steps of twice as long. What a picture waits for has less.
unsigned patience_of(const Effect& effect);

// Whether an effect answers that it was stopped, and may be carried out again.
bool was_stopped(const Command& answer);

}  // namespace attn
