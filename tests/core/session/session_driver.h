// Driver of a session: sends commands like the window; effects can be inspected or run.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "document/load/read.h"
#include "session/command.h"
#include "support/opened_files.h"

namespace attn::test {

// A document of two heads and one sample, read from JSON.
inline Document two_heads() {
  const char* text = R"({"title": "Two heads", "tokens": ["a", "b", "c"],
    "q": [[[1, 0], [0, 1], [1, 1]], [[2, 0], [0, 2], [1, 0]]],
    "k": [[[1, 0], [0, 1], [0.5, 0.5]], [[1, 1], [0, 1], [1, 0]]],
    "v": [[[1, 0], [0, 1], [0.5, 0.5]], [[3, 0], [0, 3], [1, 2]]]})";
  return read_document(text, "two_heads").value().document;
}

// Answer that a document was written.
inline command::Stored stored(const std::string& path, std::uint64_t revision,
                              std::uint64_t of = 0) {
  auto written = std::make_shared<const Document>();
  return {{path, std::move(written), revision, true, std::nullopt, of}, FileVersion{}};
}

struct SessionDriver {
  AppState state = initial_state();
  std::vector<Effect> effects;  // of the last command

  // Replaces the state by the next one, and expects that reduce opens no file for it.
  void send(const Command& command) {
    const unsigned opened = opened_files();
    Step step = reduce(std::move(state), command);
    EXPECT_EQ(opened_files(), opened) << "reduce opens a file";
    state = static_cast<AppState&&>(step);
    effects = std::move(step.effects);
  }

  // Opens a document as if read from `path`, and computes it.
  void open(Document document, const std::string& path = "/tmp/two_heads.attn.json") {
    Reading report;
    report.document = std::move(document);
    send(command::Opened{{path}, std::move(report)});
    settle();
  }

  // Runs the effects of the last command and all effects that follow.
  void settle() {
    std::vector<Effect> todo = std::exchange(effects, {});
    std::vector<Effect> left;
    for (std::size_t i = 0; i < todo.size(); ++i) {
      const Effect effect = todo[i];
      if (std::holds_alternative<effect::StorePreferences>(effect)) continue;
      if (std::holds_alternative<effect::StopDeriving>(effect)) continue;
      const std::optional<Command> answer = run_effect(effect, nullptr);
      if (!answer) {
        left.push_back(effect);
        continue;
      }
      send(*answer);
      todo.insert(todo.end(), effects.begin(), effects.end());
    }
    effects = std::move(left);
  }

  template <class Kind>
  const Kind* effect() const {
    for (const Effect& candidate : effects) {
      if (const auto* found = std::get_if<Kind>(&candidate)) return found;
    }
    return nullptr;
  }

  std::string last_notice() const { return state.notices.empty() ? "" : state.notices.back().text; }

  template <class Kind>
  bool asks() const {
    return state.question && std::holds_alternative<Kind>(*state.question);
  }
};

inline command::SetCell set_cell(std::size_t row, std::size_t col, float value,
                                 std::uint64_t gesture = 0) {
  return {{"/q", {}}, row, col, value, gesture};
}

// A session with a document saved under `path` and edited since.
inline SessionDriver saved_and_edited(const std::string& path) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SaveAs{path});
  session.settle();
  session.send(set_cell(0, 0, 5.0F));
  return session;
}

}  // namespace attn::test
