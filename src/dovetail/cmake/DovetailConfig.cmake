# find_package(Dovetail): compiles sources of a project in C++ as SYCL, whatever its compiler is.
#
#   add_sycl_to_target(TARGET app [SOURCES a.cpp b.cpp])
#
# compiles these sources of the target, or all in C++, with Dovetail, and links the target with the
# project's linker.
get_filename_component(_dovetail_package "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
find_program(Dovetail_COMMAND dovetail HINTS ${Dovetail_BIN} REQUIRED)
execute_process(COMMAND "${Dovetail_COMMAND}" --version OUTPUT_VARIABLE Dovetail_VERSION
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "dovetail " "" Dovetail_VERSION "${Dovetail_VERSION}")

if(NOT TARGET Dovetail::Runtime)
  add_library(Dovetail::Runtime INTERFACE IMPORTED)
  target_link_options(Dovetail::Runtime INTERFACE -Wl,-u,dovetail_start_runtime)
  target_link_libraries(Dovetail::Runtime INTERFACE "${_dovetail_package}/lib/libdovetail.a"
                                                    ${CMAKE_DL_LIBS})
endif()

function(add_sycl_to_target)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "SOURCES")
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "add_sycl_to_target: '${arg_TARGET}' is not a target; name one after TARGET")
  endif()
  if(NOT arg_SOURCES)
    get_target_property(arg_SOURCES ${arg_TARGET} SOURCES)
    list(FILTER arg_SOURCES INCLUDE REGEX "\\.(cpp|cc|cxx|c\\+\\+|C)$")
  endif()
  # The launcher starts Dovetail instead of the project's compiler for commands with -fsycl.
  set_source_files_properties(${arg_SOURCES} TARGET_DIRECTORY ${arg_TARGET} PROPERTIES
                              COMPILE_OPTIONS "-fsycl;-fsycl-any-linker")
  set_target_properties(${arg_TARGET} PROPERTIES
                        CXX_COMPILER_LAUNCHER "${Dovetail_COMMAND};compile")
  target_link_libraries(${arg_TARGET} PRIVATE Dovetail::Runtime)
endfunction()
