// Independent jobs over a few threads. Internal to the engine.
#pragma once

#include <cstddef>
#include <functional>

#include "base/progress.h"

namespace attn {

// The most threads that work on one call: the caller and its helpers.
inline constexpr unsigned kMostThreads = 256;

// How many threads "as many as the machine has" means from now on; 0: as many as it has. Not while
// anything computes.
void use_threads(unsigned threads);
unsigned threads_in_use();

// Calls body(job) once for every job in [0, count), on at most `threads` threads of which the
// caller's is one (0: as many as the machine has, see use_threads). Reports the share done to
// `progress` (may be null), of its present part. Returns false when it was cancelled before all
// jobs had run. The first exception of a body stops the rest and is thrown again here. The other
// threads are kept for the next call; bodies may call this again, and so may several threads at
// once: whoever calls works itself, and is helped by those that are free.
bool parallel_for(std::size_t count, unsigned threads, Progress* progress,
                  const std::function<void(std::size_t)>& body);

}  // namespace attn
