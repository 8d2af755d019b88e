// A long document in the real window: opened, zoomed, panned, hovered, edited, exported and closed,
// with memory and the times of frames in the log of the test. ATTNSCOPE_LONG_PROGRAM names an
// optimised program, which is then tried with 131,072 tokens: a minute or more of exact maps. Else
// the program under test has 4,096.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "document/json/write.h"
#include "e2e/desktop.h"
#include "support/paths.h"
#include "support/read_png.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kWidth = 64;

const char* long_program() { return std::getenv("ATTNSCOPE_LONG_PROGRAM"); }
std::size_t tokens() { return long_program() != nullptr ? 131072 : 4096; }

// Writes NumPy's format, as models do.
void write_rows(const std::string& path, unsigned seed) {
  std::string head =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(tokens()) + ", 64), }";
  head.append(117 - head.size(), ' ').push_back('\n');
  std::vector<float> numbers(tokens() * kWidth);
  for (float& number : numbers) {
    seed = seed * 1664525U + 1013904223U;
    number = static_cast<float>(seed >> 8U) / 8388608.0F - 1.0F;
  }
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  file.put(static_cast<char>(head.size())).put(0);
  file << head;
  file.write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size() * sizeof(float)));
}

class LongDocument : public Desktop {
 protected:
  std::string write_document() const {
    for (const char* name : {"q", "k", "v"}) {
      write_rows(file(std::string(name) + ".npy"), static_cast<unsigned>(name[0]));
    }
    const std::string path = file("long.attn.json");
    std::ofstream(path) << "{\"tokens\": " << tokens()
                        << R"(, "q": {"file": "q.npy"}, "k": {"file": "k.npy"},
                               "v": {"file": "v.npy"}, "mask": {"causal": true}})";
    return path;
  }

  ProcessResult play(const std::string& script) const {
    const std::string path = file("script.txt");
    std::ofstream(path) << script;
    ProcessOptions options = environment();
    if (long_program() != nullptr) options.timeout_seconds = 1800;
    const std::string program = long_program() != nullptr ? long_program() : program_path();
    return run_process({program, "view", write_document(), "--replay", path}, options);
  }

  Json logged(const std::string& step) const {
    const Json frames = Json::parse(read_text(file(step + ".frames")));
    std::cout << step << ": " << frames.dump() << "\n";
    return frames;
  }

  // A step of the script, and what its frames took.
  std::string step(const std::string& name, const std::string& lines) const {
    return lines + "frames " + file(name + ".frames") + "\n";
  }
};

std::string repeated(int times, const std::string& lines) {
  std::string all;
  for (int i = 0; i < times; ++i) all += lines;
  return all;
}

TEST_F(LongDocument, IsLookedAtEditedAndExported) {
  const std::string picture = file("long.png");
  const std::string script =
      step("opened", "wait\nscreenshot " + file("opened.png") + "\n") +
      step("zoomed", repeated(5, "wheel plot/heatmap 1\n")) +
      step("panned", repeated(2, "drag plot/heatmap -60 40\n")) +
      step("hovered", repeated(3, "hover plot/heatmap\nhover section/Inputs\n")) + "screenshot " +
      file("zoomed.png") + "\n" +
      step("edited", "double-click inputs/grid/cell/1,1\ntype 2\nkey Enter\nwait\n") + "state " +
      file("edited.txt") + "\nkey Ctrl+Z\nwait\n" +
      step("exported", "key Ctrl+E\nwait\nkey Ctrl+A\ntype " + picture + "\nkey Enter\nwait\n") +
      "quit\n";
  const ProcessResult played = play(script);
  ASSERT_EQ(played.exit_code, 0) << played.err;
  const Json opened = logged("opened");
  for (const char* name : {"zoomed", "panned", "hovered", "edited"}) {
    EXPECT_LT(logged(name).at("median_ms").get<double>(), 1000.0) << "far too slow, not just busy";
  }
  const Json exported = logged("exported");
  EXPECT_GT(opened.at("frames").get<int>(), 0);
  // The bound is far below one stored map of this many tokens.
  const double inputs = 3.0 * static_cast<double>(tokens() * kWidth) * 4.0 / 1048576.0;
  EXPECT_LT(exported.at("most_memory_mib").get<double>(), 6.0 * inputs + 768.0);
  EXPECT_TRUE(Json::parse(read_text(file("edited.txt"))).at("unsaved").get<bool>());
  EXPECT_GT(read_png(read_text(picture)).width, 0U);
}

}  // namespace
}  // namespace attn::test
