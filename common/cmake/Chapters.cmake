# Functions that declare a chapter's programs and tests.
#
#   lanescope_chapter_program(global_symbol TOUR "Six threads add to one variable." global_symbol.cu)
#   lanescope_chapter_test(global_symbol PROGRAMS global_symbol SOURCES global_symbol_test.cpp)
#
# Called from chapters/NN_title/CMakeLists.txt; targets are chNN.program and chNN.program.test. Tests run
# on the simulated GPU, or on the real one when LANESCOPE_RUN_ON_GPU is set (preset gpu).
include_guard(GLOBAL)

option(LANESCOPE_RUN_ON_GPU "Run chapter programs and tests on a real GPU" OFF)
add_custom_target(chapters.all)   # programs and tests
add_custom_target(programs)       # what `./lab tour` needs

# chNN for the folder of the caller.
function(lanescope_chapter_name variable)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  if(NOT folder MATCHES "^([0-9][0-9])_")
    message(FATAL_ERROR "A chapter's folder is named NN_title; this is ${folder}.")
  endif()
  set(${variable} ch${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# Settings that chapter programs and tests share.
function(lanescope_chapter_target target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/common)
  # No path to a libcudart inside the program: the environment decides which one it runs on.
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
  add_dependencies(chapters.all ${target})
  add_dependencies(${target} lanescope_cudart)   # not linked, but needed to run it
endfunction()

# Registers a test that needs a GPU, simulated or real.
function(lanescope_gpu_test name chapter)
  if(LANESCOPE_RUN_ON_GPU)
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/common/cmake/on_gpu.sh ${ARGN})
    set_tests_properties(${name} PROPERTIES
      LABELS "program;${chapter};gpu"
      SKIP_RETURN_CODE 77
      RUN_SERIAL ON
      ENVIRONMENT_MODIFICATION LD_LIBRARY_PATH=path_list_prepend:${CUDAToolkit_LIBRARY_DIR})
  else()
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES
      LABELS "program;${chapter}"
      ENVIRONMENT_MODIFICATION LD_LIBRARY_PATH=path_list_prepend:${LANESCOPE_DROP_IN_DIR})
  endif()
endfunction()

# lanescope_chapter_program(NAME [TOUR line...] sources...)
# A program that a reader runs. Its own test is that it runs and exits with 0; and that it prints what is recorded, where
# recorded/NAME.simulated.txt holds its output without arguments. TOUR is what `./lab tour` says before it runs the program;
# without it the tour leaves the program out.
function(lanescope_chapter_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TOUR" "")
  lanescope_chapter_name(chapter)
  set(target ${chapter}.${name})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  lanescope_chapter_target(${target})
  add_dependencies(programs ${target})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  set(recorded ${CMAKE_CURRENT_SOURCE_DIR}/recorded/${name}.simulated.txt)
  set(first_line "")
  if(EXISTS ${recorded} AND NOT LANESCOPE_RUN_ON_GPU)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${recorded})
    file(STRINGS ${recorded} first_line LIMIT_COUNT 1)
  endif()
  if(first_line STREQUAL "# command: build/bin/lanescope run build/chapters/${folder}/${name}")
    # One run for both: tests/docs/recorded_test.cpp.
    set(filter Chapters/SimulatedOutput.IsWhatTheCommandPrintsNow/${folder}_${name})
    add_test(NAME ${target} COMMAND docs.recorded.test --gtest_filter=${filter})
    set_tests_properties(${target} PROPERTIES LABELS "program;${chapter};docs" FAIL_REGULAR_EXPRESSION "Running 0 tests")
    set_property(GLOBAL APPEND PROPERTY LANESCOPE_RECORDED_PROGRAMS ${filter})
  else()
    lanescope_gpu_test(${target} ${chapter} $<TARGET_FILE:${target}>)
  endif()
  if(arg_TOUR)
    set_property(GLOBAL APPEND_STRING PROPERTY LANESCOPE_TOUR "chapters/${folder}/${name}|${arg_TOUR}\n")
  endif()
endfunction()

# lanescope_chapter_test(NAME SOURCES sources... [PROGRAMS programs of this chapter...] [GPU name])
# A GoogleTest executable. For each program, PROGRAM_<name> is its path. With GPU the test is about that simulated GPU, and
# does not exist where LANESCOPE_RUN_ON_GPU is set.
function(lanescope_chapter_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GPU" "SOURCES;PROGRAMS")
  if(arg_GPU AND LANESCOPE_RUN_ON_GPU)
    return()
  endif()
  lanescope_chapter_name(chapter)
  set(target ${chapter}.${name}.test)
  add_executable(${target} ${arg_SOURCES})
  lanescope_chapter_target(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE GTest::gmock_main)
  foreach(program IN LISTS arg_PROGRAMS)
    target_compile_definitions(${target} PRIVATE "PROGRAM_${program}=\"$<TARGET_FILE:${chapter}.${program}>\"")
    add_dependencies(${target} ${chapter}.${program})
  endforeach()
  lanescope_gpu_test(${target} ${chapter} $<TARGET_FILE:${target}>)
  if(arg_GPU)
    set_property(TEST ${target} APPEND PROPERTY ENVIRONMENT LANESCOPE_GPU=${arg_GPU})
  endif()
endfunction()

# Writes what `./lab tour` reads: one line `program|explanation` for each program, in chapter order.
function(lanescope_write_tour)
  get_property(tour GLOBAL PROPERTY LANESCOPE_TOUR)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tour.txt CONTENT "${tour}" @ONLY)
endfunction()
