# Asio without Boost, which ships no CMake package. Sets Asio_FOUND and Asio_VERSION, makes asio::asio.

find_path(Asio_INCLUDE_DIR asio/version.hpp PATH_SUFFIXES include asio/include)
mark_as_advanced(Asio_INCLUDE_DIR)

if(Asio_INCLUDE_DIR)
  file(STRINGS "${Asio_INCLUDE_DIR}/asio/version.hpp" asio_version_line REGEX "^#define ASIO_VERSION [0-9]+")
  string(REGEX REPLACE "^#define ASIO_VERSION ([0-9]+).*" "\\1" asio_version_number "${asio_version_line}")
  math(EXPR asio_major "${asio_version_number} / 100000")
  math(EXPR asio_minor "${asio_version_number} / 100 % 1000")
  math(EXPR asio_patch "${asio_version_number} % 100")
  set(Asio_VERSION "${asio_major}.${asio_minor}.${asio_patch}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Asio REQUIRED_VARS Asio_INCLUDE_DIR VERSION_VAR Asio_VERSION)

if(Asio_FOUND AND NOT TARGET asio::asio)
  find_package(Threads REQUIRED)
  add_library(asio::asio INTERFACE IMPORTED)
  target_include_directories(asio::asio INTERFACE "${Asio_INCLUDE_DIR}")
  target_link_libraries(asio::asio INTERFACE Threads::Threads)
endif()
