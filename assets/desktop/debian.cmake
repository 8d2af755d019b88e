# Run by CPack before it closes a package: for Debian's, adds the files that its policy asks for.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${share}/doc/attnscope)
set(sources ${CMAKE_CURRENT_LIST_DIR}/../..)

# The licence in the form that tools read, instead of LICENSE.
file(READ ${sources}/LICENSE licence)
string(REGEX REPLACE "^MIT License\n\n([^\n]*)\n\n" "" licence "${licence}")
string(REGEX REPLACE "^Copyright \\(c\\) " "" holder "${CMAKE_MATCH_1}")
string(STRIP "${licence}" licence)
string(REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REPLACE "\n" "\n " licence "${licence}")
file(WRITE ${doc}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: AttnScope
Comment: The libraries compiled into the program are listed in THIRD_PARTY.md, their
 licences are in the folder libraries.

Files: *
Copyright: ${holder}
License: Expat
 ${licence}
")
file(REMOVE ${doc}/LICENSE)

# RFC 5322 wants the names of days and months in English, whatever the language is here.
set(ENV{LC_ALL} C)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog.Debian
"attnscope (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packaged by ./dev package; changelog.gz says what is new in the program.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(COPY_FILE ${sources}/CHANGELOG.md ${doc}/changelog)
file(GLOB pages ${share}/man/man*/*)
foreach(file ${doc}/changelog ${doc}/changelog.Debian ${pages})
  execute_process(COMMAND gzip --best --no-name --force ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB written ${doc}/copyright ${doc}/*.gz)
file(CHMOD ${written} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
