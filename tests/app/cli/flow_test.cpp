// Frames of a flow from the command line: files, pages, and an animation read independently.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

// A frame of a GIF: its rectangle, hundredths of a second, and indices of pixels.
struct GifFrame {
  std::size_t left, top, width, height, hundredths;
  std::vector<std::uint8_t> pixels;
};

struct Gif {
  std::size_t width = 0, height = 0;
  bool loops = false, ended = false;
  std::string comment;
  std::vector<GifFrame> frames;
};

class GifReader {
 public:
  explicit GifReader(const std::string& bytes) : bytes_(bytes) {}

  Gif read() {
    Gif gif;
    EXPECT_EQ(bytes_.substr(0, 6), "GIF89a");
    at_ = 6;
    gif.width = number();
    gif.height = number();
    EXPECT_EQ(byte() & 0x80U, 0U) << "no global palette";
    at_ += 2;
    std::size_t hundredths = 0;
    while (at_ < bytes_.size() && !gif.ended) {
      const std::size_t kind = byte();
      if (kind == ';') gif.ended = at_ == bytes_.size();
      if (kind == '!') {
        const std::size_t label = byte();
        const std::string blocks = sub_blocks();
        if (label == 0xFF) gif.loops = blocks.starts_with("NETSCAPE2.0");
        if (label == 0xFE) gif.comment = blocks;
        if (label == 0xF9) {
          hundredths =
              static_cast<std::uint8_t>(blocks[1]) + 256U * static_cast<std::uint8_t>(blocks[2]);
        }
      }
      if (kind == ',') gif.frames.push_back(frame(hundredths));
    }
    return gif;
  }

 private:
  std::size_t byte() { return static_cast<std::uint8_t>(bytes_.at(at_++)); }
  std::size_t number() {
    const std::size_t low = byte();
    return low + 256U * byte();
  }
  std::string sub_blocks() {
    std::string all;
    for (std::size_t size = byte(); size > 0; size = byte()) {
      all += bytes_.substr(at_, size);
      at_ += size;
    }
    return all;
  }
  GifFrame frame(std::size_t hundredths) {
    GifFrame frame{number(), number(), number(), number(), hundredths, {}};
    const std::size_t flags = byte();
    at_ += 3U * (std::size_t{2} << (flags & 7U));
    const std::size_t bits = byte();
    frame.pixels = unpacked(sub_blocks(), bits);
    return frame;
  }
  // LZW as a reader does it: by a table of texts.
  static std::vector<std::uint8_t> unpacked(const std::string& packed, std::size_t bits) {
    const std::size_t clear = std::size_t{1} << bits;
    std::vector<std::string> table;
    std::string out, before;
    std::size_t width = bits + 1, held = 0, count = 0;
    const auto reset = [&] {
      table.clear();
      for (std::size_t i = 0; i < clear + 2; ++i) table.emplace_back(1, static_cast<char>(i));
      width = bits + 1;
      before.clear();
    };
    reset();
    for (const char byte : packed) {
      held |= std::size_t{static_cast<std::uint8_t>(byte)} << count;
      count += 8;
      if (count < width) continue;
      const std::size_t code = held & ((std::size_t{1} << width) - 1);
      held >>= width;
      count -= width;
      if (code == clear) {
        reset();
        continue;
      }
      if (code == clear + 1) return {out.begin(), out.end()};
      EXPECT_LE(code, table.size());
      const std::string text = code < table.size() ? table[code] : before + before[0];
      out += text;
      if (!before.empty()) table.push_back(before + text[0]);
      before = text;
      if (table.size() == std::size_t{1} << width && width < 12) ++width;
    }
    ADD_FAILURE() << "no end of the pixels";
    return {};
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

TEST(Flow, EveryStepIsAFileOrAPage) {
  const TemporaryFolder folder;
  const ProcessResult all = run_attnscope({"export", "example:i-love-cats", "--plot", "flow",
                                           "--step", "all", "-o", folder.file("f{step}.svg")});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  for (const int step : {1, 4, 7}) {
    const std::string number = std::to_string(step), own = folder.file("own.svg");
    run_attnscope(
        {"export", "example:i-love-cats", "--plot", "flow", "--step", number, "-f", "-o", own});
    EXPECT_EQ(test::read_text(folder.file("f" + number + ".svg")), test::read_text(own));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("f8.svg")));
  const ProcessResult none = run_attnscope({"export", "example:i-love-cats", "--plot", "flow",
                                            "--step", "8", "-o", folder.file("none.svg")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("there is no step 8; the steps are 1 to 7"), none.err.npos) << none.err;
  const ProcessResult some = run_attnscope({"export", "example:i-love-cats", "--plot", "flow",
                                            "--step", "2-3,7", "-o", folder.file("g{step}.svg")});
  EXPECT_EQ(some.exit_code, 0) << some.err;
  EXPECT_TRUE(std::filesystem::exists(folder.file("g3.svg")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("g4.svg")));
  const ProcessResult pages = run_attnscope({"export", "example:i-love-cats", "--plot", "flow",
                                             "--step", "all", "-o", folder.file("all.pdf")});
  EXPECT_EQ(pages.exit_code, 0) << pages.err;
  EXPECT_TRUE(test::read_text(folder.file("all.pdf")).starts_with("%PDF"));
}

TEST(Flow, AnAnimationIsReadByAnyReader) {
  const TemporaryFolder folder;
  const std::string path = folder.file("flow.gif");
  const ProcessResult made = run_attnscope(
      {"export", "example:the-animal-was-tired", "--plot", "flow", "--pin", "7,1", "-o", path});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string bytes = test::read_text(path);
  EXPECT_LT(bytes.size(), 2'000'000U);
  const Gif gif = GifReader(bytes).read();
  EXPECT_TRUE(gif.loops);
  EXPECT_TRUE(gif.ended);
  EXPECT_NE(gif.comment.find("--plot flow"), std::string::npos);
  EXPECT_EQ(gif.frames.size(), 7U * 10U) << "nine glide to each of seven steps";
  std::size_t hundredths = 0;
  for (const GifFrame& frame : gif.frames) {
    EXPECT_EQ(frame.pixels.size(), frame.width * frame.height);
    EXPECT_LE(frame.left + frame.width, gif.width);
    EXPECT_LE(frame.top + frame.height, gif.height);
    hundredths += frame.hundredths;
  }
  EXPECT_EQ(gif.frames.front().width, gif.width);
  EXPECT_NEAR(static_cast<double>(hundredths), 7.0 * (240.0 + 9.0 * 8.0), 1.0);
}

TEST(Flow, OneStepIsAGifOfOneFrame) {
  const TemporaryFolder folder;
  const std::string path = folder.file("one.gif");
  const ProcessResult made = run_attnscope({"export", "example:i-love-cats", "--plot", "flow",
                                            "--step", "3", "-o", path, "--dpi", "72"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Gif gif = GifReader(test::read_text(path)).read();
  ASSERT_EQ(gif.frames.size(), 1U);
  EXPECT_EQ(gif.width, 576U);
  EXPECT_EQ(gif.frames.front().width, 576U);
}

TEST(Flow, HeadsAreFramesToo) {
  const TemporaryFolder folder;
  const std::string path = folder.file("heads.gif");
  const ProcessResult made = run_attnscope(
      {"export", "example:four-heads", "--head", "all", "--height", "300", "-o", path});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(GifReader(test::read_text(path)).read().frames.size(), 4U);
}

TEST(Flow, APinThatIsNotThereIsRefused) {
  const TemporaryFolder folder;
  const ProcessResult made = run_attnscope({"export", "example:i-love-cats", "--plot", "flow",
                                            "--pin", "9,9", "-o", folder.file("x.svg")});
  EXPECT_NE(made.exit_code, 0);
  EXPECT_NE(made.err.find("there is no cell 9,9"), std::string::npos) << made.err;
}

}  // namespace
}  // namespace attn
