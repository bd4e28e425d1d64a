# cmake -DCOMPILER=... -DCASE=... -DINCLUDES=... -DDEFINITIONS=... -P run_case.cmake
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${CASE}" expected REGEX "^// expect: ")
list(TRANSFORM expected REPLACE "^// expect: " "")
if(NOT expected)
  message(FATAL_ERROR "${CASE} has no line '// expect: ...'")
endif()

list(TRANSFORM INCLUDES PREPEND "-I")
list(TRANSFORM DEFINITIONS PREPEND "-D")
set(ENV{LC_ALL} C)
execute_process(
  COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${INCLUDES} ${DEFINITIONS} "${CASE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "${CASE} compiles")
endif()
foreach(sentence IN LISTS expected)
  string(FIND "${output}" "${sentence}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "The compiler did not say\n  ${sentence}\nbut\n${output}")
  endif()
endforeach()
