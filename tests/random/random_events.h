// Random input of the window: clicks, drags, keys, letters, wheels, dropped files.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "gui/platform/input_queue.h"
#include "gui/ui/probe.h"

namespace attn::test {

struct RandomPlace {
  ImVec2 window{1280, 800};        // pixels
  std::vector<std::string> files;  // that are dropped; none: nothing is
};

// One of these, as a hand does it: a press and its release may be far apart. Widgets that the last
// frame drew are met more often than chance would.
std::vector<gui::InputEvent> random_events(Random& random, const gui::Probe& probe,
                                           const RandomPlace& place);

}  // namespace attn::test
