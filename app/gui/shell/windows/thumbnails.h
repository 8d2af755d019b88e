// Small pictures of the built-in examples: of each the plot that it opens with, without words.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/open.h"
#include "engine/job_queue.h"
#include "figure/figure.h"

namespace attn::gui {

struct Thumbnail {
  Figure figure;  // without texts
  Rect part;      // that is worth showing, in units; empty: nothing is
};

// Opens, computes and draws it, which takes milliseconds. On any thread.
Thumbnail thumbnail_of(const Example& example, ThemeKind theme);

// Draws those that are asked for on a thread of its own, one after the other, and keeps them for
// the run. UI thread only.
class Thumbnails {
 public:
  // Null until it is drawn. Only those of one theme are kept.
  const Thumbnail* of(const Example& example, ThemeKind theme);

  bool is_drawing() const;

 private:
  struct Drawn {
    ThemeKind theme;
    std::string_view name;
    Thumbnail thumbnail;
  };
  struct Inbox {
    std::mutex mutex;
    std::vector<Drawn> drawn;
    std::size_t asked = 0;  // that have not been drawn yet
  };
  void ask(const Example& example, ThemeKind theme);
  void take_what_was_drawn();

  ThemeKind theme_ = ThemeKind::Dark;
  std::unordered_map<std::string_view, std::optional<Thumbnail>> by_name_;  // empty: asked for
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  std::unique_ptr<JobQueue> jobs_;  // made when it is needed; last, so that it stops first
};

}  // namespace attn::gui
