// One executable: a bare file or no argument opens the window, a subcommand does not.
#include "cli/cli.h"

#ifdef ATTNSCOPE_WITH_GUI
#include "gui/shell/run.h"
#endif

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
#ifdef ATTNSCOPE_WITH_GUI
  return attn::cli::run(arguments, attn::gui::run_window);
#else
  return attn::cli::run(arguments, nullptr);
#endif
}
