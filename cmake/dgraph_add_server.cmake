# dgraph_add_server(<name>
#   [OPS <header> <type>]          the op set, by default dgraph::StandardOps
#   [TRANSPORT <header> <type>]    the transport, by default dgraph::transport::Tcp
#   [SOURCES <file>...]            more sources of the program
#   [HEADER_ONLY])                 even where dgraph::compiled is there
#
# Adds a server program: a main is generated in the build folder. Headers are named as in #include <...>;
# a relative one is found beside the calling CMakeLists.txt, too.
function(dgraph_add_server name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER_ONLY" "" "OPS;TRANSPORT;SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dgraph_add_server(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()

  set(includes "#include <dgraph/server_main.hpp>\n")
  set(type_TRANSPORT "dgraph::transport::Tcp")
  set(type_OPS "dgraph::StandardOps")
  foreach(part IN ITEMS TRANSPORT OPS)
    if(DEFINED arg_${part})
      list(LENGTH arg_${part} count)
      if(NOT count EQUAL 2)
        message(FATAL_ERROR "dgraph_add_server(${name}): ${part} takes a header and a type")
      endif()
      list(GET arg_${part} 0 header)
      list(GET arg_${part} 1 type_${part})
      string(APPEND includes "#include <${header}>\n")
    endif()
  endforeach()

  set(main "${CMAKE_CURRENT_BINARY_DIR}/${name}_main.cpp")
  file(CONFIGURE OUTPUT "${main}" @ONLY CONTENT [[
@includes@
int main(int argc, char** argv) { return dgraph::server_main<@type_TRANSPORT@, @type_OPS@>(argc, argv); }
]])
  add_executable(${name} "${main}" ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  if(TARGET dgraph::compiled AND NOT arg_HEADER_ONLY)
    target_link_libraries(${name} PRIVATE dgraph::compiled)
  else()
    target_link_libraries(${name} PRIVATE dgraph::dgraph)
  endif()
endfunction()
