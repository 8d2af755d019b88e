# Compiler settings of our own targets, in one place.

find_program(ATTNSCOPE_CCACHE ccache)
if(ATTNSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache skips compilations with precompiled headers unless this allows them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${ATTNSCOPE_CCACHE})
endif()

find_package(Threads REQUIRED)

# Warnings, sanitizers and reproducible arithmetic for one of our targets. Contraction is off so that
# the same input gives the same bits on machines with and without fused multiply-add.
function(attnscope_configure target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
  # Pango requires it of its users, and targets that share a precompiled header must have equal flags.
  target_compile_options(${target} PRIVATE -pthread)
  # GCC 12 reports these in std::string and std::variant when it optimises, without cause (GCC bugs
  # 105651 and 105562). 14 still does of variants, in the optimised program only.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized
                           "$<$<CONFIG:Release>:-Wno-stringop-overflow;-Wno-array-bounds>")
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
  endif()
  # Shows ccache which precompiled header a source read.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(ATTNSCOPE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  attnscope_harden(${target})
  if(ATTNSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ATTNSCOPE_SANITIZE}
                           -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${ATTNSCOPE_SANITIZE})
  endif()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/core)
endfunction()

# For the tests' own sources: beside the optimised program they are not optimised, and not checked for
# undefined behaviour, which would both take longer than it saves.
function(attnscope_configure_test target)
  attnscope_configure(${target})
  if(ATTNSCOPE_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
  attnscope_quicken_debug(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0> $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>)
endfunction()

# Hardening, by which an error of memory ends the program instead of being exploited by a file: stack
# protection, checked calls of the C library, and tables that are read-only once the program runs.
# Sanitizers check more, and need the plain calls.
function(attnscope_harden target)
  if(ATTNSCOPE_SANITIZE)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fPIE -fstack-protector-strong
                         $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
  target_link_options(${target} PRIVATE -pie LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endfunction()

# Compiles the standard library's usual headers and those named after the target once for all of its
# sources; other targets take them over with target_precompile_headers(… REUSE_FROM target). Sources
# include what they use all the same: `./dev check` builds without this, and so does the release, where
# GCC 12 finds fault with the standard library's own headers once they are precompiled.
function(attnscope_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <charconv> <cmath> <cstddef> <cstdint> <cstring>
    <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <string>
    <string_view> <thread> <utility> <variant> <vector> ${ARGN})
endfunction()

# Optimises the libraries under test as far as debugging allows: plain debug code takes most of their time.
# Under sanitizers only the program itself, whose tests then take a quarter of the time: optimising
# the tests, too, would take longer to build than it saves.
function(attnscope_quicken_debug target)
  if(NOT ATTNSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-Og>)
  elseif(ATTNSCOPE_SANITIZE MATCHES address AND target MATCHES "^attnscope_(core|cli|gui|platform)$")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O1>)
  endif()
endfunction()
