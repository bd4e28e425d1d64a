# OpenBLAS through its C interface. Sets CBLAS_FOUND, makes cblas::cblas.

find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas openblas-pthread)
find_library(CBLAS_LIBRARY openblas)
mark_as_advanced(CBLAS_INCLUDE_DIR CBLAS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CBLAS REQUIRED_VARS CBLAS_LIBRARY CBLAS_INCLUDE_DIR)

if(CBLAS_FOUND AND NOT TARGET cblas::cblas)
  add_library(cblas::cblas INTERFACE IMPORTED)
  target_include_directories(cblas::cblas INTERFACE "${CBLAS_INCLUDE_DIR}")
  # As needed: a client calls no kernel and should not load the library.
  target_link_libraries(cblas::cblas INTERFACE
    "-Wl,--push-state,--as-needed,${CBLAS_LIBRARY},--pop-state")
endif()
