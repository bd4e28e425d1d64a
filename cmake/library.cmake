# dgraph::dgraph (header-only) and dgraph::compiled (the same bodies compiled once).

file(GLOB_RECURSE dgraph_headers CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/include/dgraph/*.hpp" "${PROJECT_SOURCE_DIR}/include/dgraph/*.ipp")
file(GLOB_RECURSE dgraph_bodies CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/dgraph/*.ipp")
list(FILTER dgraph_bodies INCLUDE REGEX "/impl/[^/]*\\.ipp$")

# What both targets ask of their users.
function(dgraph_usage_requirements target scope)
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} xtensor Threads::Threads
    $<TARGET_NAME_IF_EXISTS:CLI11::CLI11>
    $<TARGET_NAME_IF_EXISTS:nlohmann_json::nlohmann_json>)
  if(TARGET cblas::cblas)
    target_compile_definitions(${target} ${scope} DGRAPH_HAS_CBLAS=1)
    target_link_libraries(${target} ${scope} cblas::cblas)
  endif()
endfunction()

add_library(dgraph INTERFACE)
add_library(dgraph::dgraph ALIAS dgraph)
target_sources(dgraph INTERFACE FILE_SET HEADERS
  BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${dgraph_headers})
dgraph_usage_requirements(dgraph INTERFACE)
target_link_libraries(dgraph INTERFACE asio::asio cereal::cereal $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:protozero::protozero>>)

# One unit for a few bodies of a folder, so that headers are read once for all of them. Bodies with large headers stay alone,
# and so does what brings the kernels into a program.
set(dgraph_alone "transport/impl/asio|cluster/impl/(embedded|server_main_options|cluster_json)|wire/impl/archive")
set(dgraph_unit_size 12)
set(dgraph_unit_size_kernels 5)
set(dgraph_units "")
set(dgraph_folders "")
foreach(body IN LISTS dgraph_bodies)
  cmake_path(RELATIVE_PATH body BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/include" OUTPUT_VARIABLE relative)
  string(REGEX REPLACE "^dgraph/(.*)/impl/(.*)\\.ipp$" "\\1;\\2" parts "${relative}")
  list(GET parts 0 folder)
  list(GET parts 1 name)
  if(relative MATCHES "${dgraph_alone}")
    set(unit "${PROJECT_BINARY_DIR}/compiled/${folder}/${name}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include <${relative}>\n")
    list(APPEND dgraph_units "${unit}")
  else()
    list(APPEND dgraph_folders ${folder})
    list(APPEND dgraph_bodies_${folder} "${relative}")
  endif()
endforeach()
list(REMOVE_DUPLICATES dgraph_folders)
foreach(folder IN LISTS dgraph_folders)
  set(size ${dgraph_unit_size})
  if(DEFINED dgraph_unit_size_${folder})
    set(size ${dgraph_unit_size_${folder}})
  endif()
  set(number 0)
  set(count 0)
  set(content "")
  foreach(relative IN LISTS dgraph_bodies_${folder} ITEMS end)
    if(relative STREQUAL "end" OR count EQUAL size)
      set(unit "${PROJECT_BINARY_DIR}/compiled/${folder}/unit_${number}.cpp")
      file(CONFIGURE OUTPUT "${unit}" CONTENT "${content}")
      list(APPEND dgraph_units "${unit}")
      math(EXPR number "${number} + 1")
      set(count 0)
      set(content "")
    endif()
    string(APPEND content "#include <${relative}>\n")
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()

add_library(dgraph_compiled STATIC)
if(NOT DGRAPH_COMPILED)
  set_target_properties(dgraph_compiled PROPERTIES EXCLUDE_FROM_ALL TRUE)
endif()
add_library(dgraph::compiled ALIAS dgraph_compiled)
set_target_properties(dgraph_compiled PROPERTIES
  EXPORT_NAME compiled OUTPUT_NAME dgraph POSITION_INDEPENDENT_CODE ON)
target_sources(dgraph_compiled PRIVATE ${dgraph_units})
target_include_directories(dgraph_compiled PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_definitions(dgraph_compiled PUBLIC DGRAPH_COMPILED=1)
dgraph_usage_requirements(dgraph_compiled PUBLIC)
# Asio and cereal stop here: users of the compiled target need neither's headers.
target_link_libraries(dgraph_compiled PRIVATE
  $<BUILD_INTERFACE:asio::asio> $<BUILD_INTERFACE:cereal::cereal> $<BUILD_INTERFACE:dgraph_warnings>
  $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:protozero::protozero>>)
