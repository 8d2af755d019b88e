// Where the things lie that tests read and start, as absolute paths known when the tests were
// built.
#pragma once

#include <string>

namespace attn::test {

// The folder of the sources.
std::string source_folder();

// The program under test.
std::string program_path();

// Reference cases and real data; the folder may be missing.
std::string shared_folder();

}  // namespace attn::test
