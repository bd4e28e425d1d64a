# cmake -DCOMPILER=... -DINCLUDES=... -DDEFINITIONS=... -DHEADERS=... -DUNIT=... -P unseen.cmake
# What a user of dgraph::compiled includes must reach neither Asio's headers nor cereal's.
cmake_minimum_required(VERSION 3.25)

set(lines "")
foreach(header IN LISTS HEADERS)
  string(APPEND lines "#include <${header}>\n")
endforeach()
file(WRITE "${UNIT}" "${lines}")

list(TRANSFORM INCLUDES PREPEND "-I")
list(TRANSFORM DEFINITIONS PREPEND "-D")
execute_process(COMMAND "${COMPILER}" -std=c++20 -M ${INCLUDES} ${DEFINITIONS} "${UNIT}"
  OUTPUT_VARIABLE seen COMMAND_ERROR_IS_FATAL ANY)
foreach(folder IN ITEMS asio cereal)
  if(seen MATCHES "[^ ]*/${folder}/[^ ]*\\.hpp")
    message(FATAL_ERROR "reached: ${CMAKE_MATCH_0}")
  endif()
endforeach()
