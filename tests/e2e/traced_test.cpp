// System calls of the program: no connection to another machine, and no file written but those that
// were named and its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/desktop.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

bool has_strace() { return run_process({"strace", "-o", "/dev/null", "true"}).exit_code == 0; }

// The first text in quotes of a traced call: the path of those that name one first.
std::string path_in(const std::string& call) {
  const std::size_t begin = call.find('"');
  const std::size_t end = begin == std::string::npos ? begin : call.find('"', begin + 1);
  return end == std::string::npos ? "" : call.substr(begin + 1, end - begin - 1);
}

bool has_any(const std::string& call, const std::vector<std::string>& words) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return call.find(word) != std::string::npos; });
}

bool has_failed(const std::string& call) { return call.find(" = -1 ") != std::string::npos; }

// "openat" of "123 openat(AT_FDCWD, …".
std::string name_of(const std::string& call) {
  const std::size_t end = call.find('(');
  const std::size_t begin = call.rfind(' ', end);
  return end == std::string::npos ? "" : call.substr(begin + 1, end - begin - 1);
}

bool is_internet(const std::string& call) {
  return name_of(call) == "socket" && has_any(call, {"AF_INET", "AF_NETLINK"});
}

bool is_written(const std::string& call) {
  static const std::set<std::string> kChanging = {
      "creat",     "rename", "renameat", "renameat2", "unlink",   "unlinkat", "mkdir",   "mkdirat",
      "symlinkat", "link",   "linkat",   "symlink",   "truncate", "chmod",    "fchmodat"};
  const std::string name = name_of(call);
  if (name == "open" || name == "openat") {
    return has_any(call, {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"});
  }
  return kChanging.contains(name);
}

class Traced : public Desktop {
 protected:
  void SetUp() override {
    Desktop::SetUp();
    if (!has_strace()) GTEST_SKIP() << "strace is not there, or may not trace";
  }

  ProcessOptions own_environment() const {
    ProcessOptions options = environment();
    options.set["HOME"] = folder_.path();
    options.set["XDG_CACHE_HOME"] = file("cache");
    options.set["MESA_SHADER_CACHE_DISABLE"] = "true";
    options.set["TMPDIR"] = folder_.path();
    return options;
  }

  std::vector<std::string> trace_of(std::vector<std::string> arguments) const {
    std::vector<std::string> all{"strace",
                                 "-f",
                                 "-qq",
                                 "-s",
                                 "4096",
                                 "-e",
                                 "trace=%file,%network,fchmod,ftruncate",
                                 "-o",
                                 file("trace"),
                                 program_path()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProcessResult result = run_process(all, own_environment());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> calls;
    std::istringstream text(read_text(file("trace")));
    for (std::string line; std::getline(text, line);) calls.push_back(line);
    EXPECT_FALSE(calls.empty());
    return calls;
  }

  bool is_ours(const std::string& path) const {
    return path.empty() || path.starts_with(folder_.path()) || path.starts_with("/dev/") ||
           path.starts_with("/proc/self/");
  }

  void expect_modest(const std::vector<std::string>& calls) const {
    for (const std::string& call : calls) {
      EXPECT_FALSE(is_internet(call)) << call;
      const bool writes = is_written(call) && !has_failed(call);
      EXPECT_TRUE(!writes || is_ours(path_in(call))) << call;
    }
  }
};

TEST_F(Traced, TheCommandLineWritesItsOutputsAndConnectsToNothing) {
  const std::string document = file("cats.attn.json");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"examples", "i-love-cats", "-o", document},
        {"info", document},
        {"validate", document},
        {"compute", document, "-o", file("out.json")},
        {"export", document, "-o", file("figure.png")},
        {"export", document, "-o", file("figure.pdf")},
        {"export", document, "-o", file("figure.svg")}}) {
    expect_modest(trace_of(arguments));
  }
}

// One call opens a document once for any number of figures, and writes each figure once.
TEST_F(Traced, ACallOfManyFiguresOpensADocumentOnce) {
  const std::string document = file("a.npy");
  trace_of({"compute", "example:four-heads", "--stage", "weights", "-o", document});
  const auto count_of = [](const std::vector<std::string>& calls, const auto& is_counted) {
    return std::ranges::count_if(calls, is_counted);
  };
  const auto opens = [&](const std::string& call) {
    return name_of(call) == "openat" && path_in(call) == document && !has_failed(call);
  };
  const auto places = [](const std::string& call) {
    return (name_of(call) == "rename" || name_of(call) == "link") && has_any(call, {"fig-"});
  };
  const auto one = trace_of({"export", document, "-o", file("fig-0.svg")});
  const auto many = trace_of(
      {"export", document, "-f", "-o", file("fig-{head}.svg"), "--head", "all", "--jobs", "2"});
  EXPECT_EQ(count_of(one, opens), 1);
  EXPECT_EQ(count_of(many, opens), 1);
  EXPECT_EQ(count_of(many, places), 4);
}

TEST_F(Traced, TheWindowWritesItsOwnFilesAndConnectsToTheDisplayAlone) {
  expect_modest(trace_of({"view", "example:i-love-cats", "--screenshot", file("window.png")}));
}

}  // namespace
}  // namespace attn::test
