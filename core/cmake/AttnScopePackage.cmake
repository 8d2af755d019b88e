# Packages of the installed files, made by `./dev package`: one for Debian, and an archive to unpack anywhere.

# Licences of what is compiled into the program, for systems that do not have these packages. THIRD_PARTY.md
# lists them all.
foreach(library libimgui-dev libhwy-dev libeigen3-dev nlohmann-json3-dev libcli11-dev)
  if(EXISTS /usr/share/doc/${library}/copyright)
    file(REAL_PATH /usr/share/doc/${library}/copyright licence)
    install(FILES ${licence} DESTINATION share/doc/attnscope/libraries RENAME ${library}.txt)
  endif()
endforeach()
install(FILES LICENSE docs/THIRD_PARTY.md DESTINATION share/doc/attnscope)

# The author of CITATION.cff, with the address of the last commit's author.
file(STRINGS CITATION.cff attnscope_author REGEX "^  - name: " LIMIT_COUNT 1)
string(REPLACE "  - name: " "" attnscope_author "${attnscope_author}")
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 --format=%ae
                OUTPUT_VARIABLE attnscope_address OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT attnscope_address)
  set(attnscope_address attnscope@users.noreply.example)
endif()

set(CPACK_PACKAGE_CONTACT "${attnscope_author} <${attnscope_address}>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "visualizer that computes attention from numbers you can edit")
set(CPACK_PACKAGE_DESCRIPTION
"AttnScope shows every step of attention from queries, keys and values to the
output, for documents in JSON and for weights that NumPy saved, of any number
of layers and heads. Any number can be edited, and what follows from it is
computed at once.
.
Figures are PNG, SVG and PDF, the same from the window and from the command
line. The program works offline and opens no connection. The module attnscope
for Python, which needs NumPy, takes arrays of a model to it.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_SOURCE_DIR}/build/package)
set(CPACK_PACKAGE_FILE_NAME attnscope-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
# Permissions by Debian's policy, independent of the umask.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Text is drawn with whatever fonts there are, but there must be some. GLFW loads OpenGL when it runs, and
# depends on it itself.
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-noto-core, fonts-noto-color-emoji, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS fonts-wqy-microhei)
# Removes the bytecode that Python wrote when root used the module.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/assets/desktop/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/assets/desktop/debian.cmake)
include(CPack)
