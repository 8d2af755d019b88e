// Runs programs as a user's shell would, and catches what they print.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace attn::test {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal when one ended it
  std::string out;
  std::string err;
};

struct ProcessOptions {
  std::string input;                       // on standard input
  std::string folder;                      // working folder; empty: ours
  std::map<std::string, std::string> set;  // environment
  std::vector<std::string> unset;
  bool close_output = false;  // start without a standard output
  int timeout_seconds = 120;  // then it is killed, which is a failure
};

// Waits for the end. The first of `arguments` is the program.
ProcessResult run_process(const std::vector<std::string>& arguments,
                          const ProcessOptions& options = {});

// The program under test.
ProcessResult run_attnscope(std::vector<std::string> arguments, const ProcessOptions& options = {});

// Runs the program with `input` on standard input.
ProcessResult run_attnscope_on(const std::string& input, std::vector<std::string> arguments);

// Starts without waiting; its output goes nowhere.
pid_t start_process(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

// Sends SIGTERM, kills after a second, and collects the process. Returns its exit code.
int stop_process(pid_t process);

// Overwrites an existing file in place, as most programs do, with a later time of change than all
// others.
void write_in_place(const std::string& path, const std::string& bytes);

// A folder of its own for a test, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace attn::test
