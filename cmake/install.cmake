# Install rules and the CMake package.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(dgraph_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dgraph")

install(TARGETS dgraph EXPORT dgraphTargets FILE_SET HEADERS)
if(DGRAPH_COMPILED)
  install(TARGETS dgraph_compiled EXPORT dgraphTargets)
endif()
install(EXPORT dgraphTargets NAMESPACE dgraph:: DESTINATION "${dgraph_cmake_dir}")

set(dgraph_config_cblas OFF)
if(TARGET cblas::cblas)
  set(dgraph_config_cblas ON)
endif()
configure_package_config_file(cmake/dgraphConfig.cmake.in "${PROJECT_BINARY_DIR}/dgraphConfig.cmake"
  INSTALL_DESTINATION "${dgraph_cmake_dir}")
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/dgraphConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/dgraphConfig.cmake" "${PROJECT_BINARY_DIR}/dgraphConfigVersion.cmake"
  cmake/FindAsio.cmake cmake/Findcereal.cmake cmake/FindCBLAS.cmake cmake/dgraph_add_server.cmake
  DESTINATION "${dgraph_cmake_dir}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/dgraph")
