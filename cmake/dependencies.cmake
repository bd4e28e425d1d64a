# What dgraph needs: found on the system first, fetched otherwise. Nothing is vendored.

include(FetchContent)

# GLOBAL: a parent project that uses dgraph by add_subdirectory links these targets, too.
find_package(Threads REQUIRED GLOBAL)

# The sub-folder does not exist: Asio's own build is not wanted, only its headers.
FetchContent_Declare(Asio
  GIT_REPOSITORY https://github.com/chriskohlhoff/asio.git
  GIT_TAG asio-1-30-2
  GIT_SHALLOW TRUE
  SYSTEM
  SOURCE_SUBDIR headers-only
  FIND_PACKAGE_ARGS 1.22 GLOBAL)

# The projects fetched are older than the policy that lets these variables set their options.
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
set(JUST_INSTALL_CEREAL ON)
set(CEREAL_INSTALL ${DGRAPH_INSTALL})
FetchContent_Declare(cereal
  GIT_REPOSITORY https://github.com/USCiLab/cereal.git
  GIT_TAG v1.3.2
  GIT_SHALLOW TRUE
  SYSTEM
  FIND_PACKAGE_ARGS 1.3 GLOBAL)

FetchContent_Declare(xtl
  GIT_REPOSITORY https://github.com/xtensor-stack/xtl.git
  GIT_TAG 0.7.7
  GIT_SHALLOW TRUE
  SYSTEM
  FIND_PACKAGE_ARGS 0.7 GLOBAL)

# 0.27 does not compile with clang 14.
FetchContent_Declare(xtensor
  GIT_REPOSITORY https://github.com/xtensor-stack/xtensor.git
  GIT_TAG 0.25.0
  GIT_SHALLOW TRUE
  SYSTEM
  FIND_PACKAGE_ARGS 0.24 GLOBAL)

# Reads the command lines of server mains.
FetchContent_Declare(CLI11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git
  GIT_TAG v2.4.2
  GIT_SHALLOW TRUE
  SYSTEM
  FIND_PACKAGE_ARGS 2.1 GLOBAL)

FetchContent_MakeAvailable(Asio cereal xtl xtensor CLI11)
if(NOT TARGET asio::asio)
  find_path(Asio_INCLUDE_DIR asio/version.hpp
    PATHS "${asio_SOURCE_DIR}/asio/include" "${asio_SOURCE_DIR}/include" NO_DEFAULT_PATH)
  include(FindAsio)
endif()

unset(CMAKE_POLICY_DEFAULT_CMP0077)

# Optional: nothing here is needed to build, test or run.
find_package(nlohmann_json 3 QUIET GLOBAL)
if(DGRAPH_CBLAS)
  find_package(CBLAS QUIET GLOBAL)
endif()
# Reads and writes TensorFlow's GraphDef. Fetched only where the network is there: a build without it is complete otherwise.
if(DGRAPH_PROTOZERO)
  find_package(Protozero 1.6 QUIET GLOBAL)
  if(NOT Protozero_FOUND AND NOT FETCHCONTENT_FULLY_DISCONNECTED)
    find_package(Git QUIET)
    set(dgraph_protozero_url https://github.com/mapbox/protozero.git)
    if(GIT_FOUND)
      execute_process(COMMAND "${GIT_EXECUTABLE}" ls-remote --exit-code "${dgraph_protozero_url}" v1.7.1
        TIMEOUT 20 RESULT_VARIABLE dgraph_protozero_missing OUTPUT_QUIET ERROR_QUIET)
      if("${dgraph_protozero_missing}" STREQUAL "0")
        FetchContent_Declare(protozero
          GIT_REPOSITORY "${dgraph_protozero_url}"
          GIT_TAG v1.7.1
          GIT_SHALLOW TRUE
          SYSTEM
          SOURCE_SUBDIR headers-only)
        FetchContent_MakeAvailable(protozero)
        find_path(Protozero_INCLUDE_DIR protozero/version.hpp PATHS "${protozero_SOURCE_DIR}/include" NO_DEFAULT_PATH)
        find_package(Protozero 1.6 QUIET GLOBAL)
      endif()
    endif()
  endif()
endif()
if(NOT TARGET protozero::protozero)
  message(STATUS "protozero was not found: TensorFlow's GraphDef is neither read nor tested")
endif()
