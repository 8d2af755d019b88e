// Knows the folders of the build that the tests belong to.
#include "support/paths.h"

namespace attn::test {

std::string source_folder() { return ATTNSCOPE_SOURCE_DIR; }
std::string program_path() { return ATTNSCOPE_PROGRAM; }
std::string shared_folder() { return ATTNSCOPE_SHARED_DIR; }

}  // namespace attn::test
