# protozero's headers. Sets Protozero_FOUND and Protozero_VERSION, makes protozero::protozero.

find_path(Protozero_INCLUDE_DIR protozero/version.hpp)
mark_as_advanced(Protozero_INCLUDE_DIR)

if(Protozero_INCLUDE_DIR)
  file(STRINGS "${Protozero_INCLUDE_DIR}/protozero/version.hpp" line
    REGEX "^#define PROTOZERO_VERSION_STRING \"[0-9.]+\"")
  string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" Protozero_VERSION "${line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Protozero
  REQUIRED_VARS Protozero_INCLUDE_DIR VERSION_VAR Protozero_VERSION)

if(Protozero_FOUND AND NOT TARGET protozero::protozero)
  add_library(protozero::protozero INTERFACE IMPORTED)
  target_include_directories(protozero::protozero INTERFACE "${Protozero_INCLUDE_DIR}")
endif()
