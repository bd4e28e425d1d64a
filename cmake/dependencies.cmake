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
