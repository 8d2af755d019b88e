// One executable: a bare file or no argument opens the window, a subcommand does not.
#include "cli/cli.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return attn::cli::run(arguments, nullptr);
}
