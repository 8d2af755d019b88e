// Uses the whole window at random, without a display, and says when it crashes, hangs, breaks its
// state, loses what can be undone, or grows: ./dev random [EVENTS] [SEED].
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "bench/frames/frame_loop.h"
#include "document/document.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "figure/text.h"
#include "random/counted_memory.h"
#include "random/random_events.h"
#include "support/examples.h"

namespace attn::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUsualEvents = 20000, kStretches = 20;
constexpr std::size_t kWarmUpEvents = 20000;  // until memos and buffers have the room they need
constexpr double kMaxGrowth = 0.05;
constexpr int kFramesOfLabels = 310;  // after which pictures of labels that are not drawn are gone
constexpr double kTimeout = 120.0;    // seconds for what jobs do at most

std::string allowed_folder;
std::atomic<int> event_number = 0;

// Refuses to write outside of its own folder, wherever the browser of files was led.
int open_below(const char* path, int flags, unsigned mode) {
  const bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
  if (!writes || std::string_view(path).starts_with(allowed_folder)) {
    return ::open(path, flags, mode);
  }
  errno = EACCES;
  return -1;
}

[[noreturn]] void fail(const char* what, const std::string& more = {}) {
  std::fprintf(stderr, "event %d: %s%s\n", event_number.load(), what, more.c_str());
  std::_Exit(1);
}

void say_where(int signal) {
  char text[64];
  const int length =
      std::snprintf(text, sizeof text, "event %d: signal %d\n", event_number.load(), signal);
  [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, text, static_cast<size_t>(length));
  std::_Exit(1);
}

// Memory of the whole process.
std::size_t resident_bytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// The memo of what texts measure fills for long and then begins anew: until it has done so.
void empty_text_extents() {
  constexpr std::size_t kMostTexts = 50000;
  static std::size_t number = 0;
  for (std::size_t texts = 0; texts < kMostTexts; ++texts) {
    const std::size_t before = test::counted_bytes();
    pango_metrics().measure(std::to_string(number++), {1.0, false, false});
    if (test::counted_bytes() < before) return;
  }
  fail("the memo of what texts measure grows for ever");
}

double mebibytes(std::size_t bytes) { return static_cast<double>(bytes) / 1048576.0; }

// Makes files as users have them: documents, tables, other things and damage.
std::vector<std::string> make_files(const std::string& folder) {
  std::vector<std::string> files;
  const auto add = [&](const char* name, std::string_view bytes) {
    files.push_back(folder + "/" + name);
    std::ofstream(files.back(), std::ios::binary) << bytes;
  };
  add("tokens.json", R"({"tokens": ["a", "bc", "中", "", "é\u0301"]})");
  add("broken.json", R"({"tokens": ["a", )");
  add("wrong.json", R"({"tokens": 5, "q": [[1, 2], [3]]})");
  add("extreme.json", R"({"q": [[1e38, -1e38]], "k": [[1e38, 1e-38], [0, -0.0]],
                          "v": [[1], [2]]})");
  add("nothing.json", "");
  add("bytes.bin", std::string_view("\x93NUMPY\x01\0v\0garbage", 18));
  files.push_back(folder);
  files.push_back(folder + "/not there");
  for (const Example& example : test::short_examples()) {
    files.push_back("example:" + std::string(example.name));
  }
  return files;
}

class RandomUse {
 public:
  RandomUse(std::string folder, std::uint64_t seed)
      : random_(seed), place_{{1280, 800}, make_files(folder)} {
    loop_.name_widgets();
    app().autosave_below(folder + "/unsaved");
    app().open_at_start({});
  }

  void act() {
    for (InputEvent& event : test::random_events(random_, loop_.probe(), place_)) {
      loop_.push(std::move(event));
    }
    do loop_.frame();
    while (!loop_.is_fed());
    if (random_.next() % 250 == 0) resize();
    if (random_.next() % 500 == 0) check_state();
  }

  // Opens every window once, as its layout is cached from then on.
  void see_every_window() {
    for (int i = 0; i <= static_cast<int>(Overlay::Sentence); ++i) {
      app().apply(command::ShowOverlay{static_cast<Overlay>(i)});
      settle();
    }
    app().apply(command::ShowOverlay{});
    settle();
  }

  // Bytes of the state after the start, without caches that should be dropped.
  std::size_t bytes_at_rest() {
    check_state();
    for (std::size_t tabs = open_documents(state()).size(); tabs > 0; --tabs) close_tab();
    for (std::size_t i = 0; i < 12; ++i) {
      app().apply(command::Open{"example:i-love-cats"});
      app().wait_until_idle();
      close_tab();
    }
    settle();
    for (int frame = 0; frame < kFramesOfLabels; ++frame) loop_.frame();
    loop_.forget_drawing();
    loop_.forget_names();
    empty_text_extents();
    return test::counted_bytes();
  }

  std::size_t textures() const { return loop_.live_textures(); }

 private:
  App& app() { return loop_.app(); }
  const AppState& state() { return app().state(); }

  void settle() {
    if (!loop_.settle(kTimeout)) fail("something is computed for ever");
  }

  void close_tab() {
    app().apply(command::CloseTab{0});
    if (state().question) app().apply(command::AnswerQuestion{command::Answer::Discard});
  }

  void resize() {
    const ImVec2 kSizes[] = {{1280, 800}, {900, 600}, {2560, 1440}, {640, 400}};
    place_.window = kSizes[random_.next() % std::size(kSizes)];
    loop_.resize(place_.window);
  }

  void check_state() {
    loop_.push(MouseButton{0, false});
    settle();
    const Status sound = check(state().document);
    if (!sound) fail("the document is not sound: ", describe(sound.error()));
    if (!state().result && !state().result_error) fail("there is neither result nor reason");
    check_text();
    check_undo();
  }

  // Checks that the saved document reads back equal.
  void check_text() {
    const Result<Reading> read = read_document(write_document(state().document), "saved");
    if (!read) fail("the saved text is refused: ", describe(read.error()));
    if (read->document != state().document) fail("the saved text is another document");
  }

  // Checks that all steps back and forth restore the document.
  void check_undo() {
    const Document before = state().document;
    std::size_t steps = 0;
    for (; !state().history.past.empty() && steps < 200; ++steps)
      app().apply(command::StepEdit{-1});
    for (; steps > 0; --steps) app().apply(command::StepEdit{1});
    if (state().document != before) fail("undo and redo lead elsewhere");
  }

  FrameLoop loop_;
  Random random_;
  test::RandomPlace place_;
};

int use(std::size_t events, std::uint64_t seed, const std::string& folder) {
  test::count_imgui();
  RandomUse use(folder, seed);
  std::size_t before = 0, after = 0;  // the most in use, in both halves
  use.see_every_window();
  for (std::size_t i = 0; i < kWarmUpEvents; ++i, ++event_number) use.act();
  for (std::size_t stretch = 0; stretch < kStretches; ++stretch) {
    for (std::size_t i = 0; i < events / kStretches; ++i, ++event_number) use.act();
    const std::size_t bytes = use.bytes_at_rest();
    std::size_t& most = stretch < kStretches / 2 ? before : after;
    most = std::max(most, bytes);
    std::printf("%9d events: %6.2f MiB of its own, %6.1f MiB in all, %zu textures\n",
                event_number.load(), mebibytes(bytes), mebibytes(resident_bytes()), use.textures());
    std::fflush(stdout);
  }
  const double growth = static_cast<double>(after) / static_cast<double>(before) - 1.0;
  std::printf("seed %llu: memory changed by %+.1f %% in the second half\n",
              static_cast<unsigned long long>(seed), 100.0 * growth);
  return growth <= kMaxGrowth ? 0 : 1;
}

std::string make_folder() {
  std::string folder = (fs::temp_directory_path() / "attnscope-random-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) fail("there is no folder for files");
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"}) {
    ::setenv(name, folder.c_str(), 1);
  }
  fs::current_path(folder);
  return folder;
}

}  // namespace
}  // namespace attn::gui

int main(int argc, char** argv) {
  using namespace attn::gui;  // NOLINT(google-build-using-namespace)
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
    std::signal(signal, say_where);
  allowed_folder = make_folder();
  attn::file_calls().open = open_below;
  const std::size_t events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kUsualEvents;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const int status = use(events, seed, allowed_folder);
  std::error_code ignored;
  std::filesystem::remove_all(allowed_folder, ignored);
  return status;
}
