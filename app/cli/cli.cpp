#include "cli/cli.h"

namespace attn::cli {

int run(const std::vector<std::string>& /*arguments*/, const OpenWindow& open_window) {
  return open_window ? open_window({}) : 0;
}

}  // namespace attn::cli
