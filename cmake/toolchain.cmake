# What holds for the targets built here and is never a requirement on a user: warnings, sanitizers, ccache.

add_library(dgraph_warnings INTERFACE)
if(DGRAPH_WARNINGS)
  target_compile_options(dgraph_warnings INTERFACE -Wall -Wextra -Wshadow
    # GCC 12 warns wrongly about std::string concatenation (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
  if(DGRAPH_WERROR)
    target_compile_options(dgraph_warnings INTERFACE -Werror)
  endif()
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_EXTENSIONS OFF)
  if(DGRAPH_SANITIZE)
    add_compile_options(-fsanitize=${DGRAPH_SANITIZE} -fno-omit-frame-pointer
      $<$<CONFIG:Debug>:-fno-sanitize-recover=all>)
    add_link_options(-fsanitize=${DGRAPH_SANITIZE})
  endif()

  find_program(CCACHE_PROGRAM ccache)
  mark_as_advanced(CCACHE_PROGRAM)
  if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # ccache caches nothing built with a precompiled header unless it is told these two.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  endif()
endif()
