# The function that declares an exercise. Called from exercises/NN_topic/name/CMakeLists.txt, without arguments:
#
#   lanescope_exercise()
#
# The folder says the rest: tests.cu grades what starter.cu, solution.cu or a file of wrong/ defines. Each of
# these is a program of its own, exercise.NAME.starter and so on, which no other target builds: a learner's
# error fails its own build only. `lanescope grade` builds them when it needs them (common/grading).
#
#   ctest -L '^exercise$'    grades the starters: what the learner wrote
#   ctest -L '^solution$'    the solutions get all points
#   ctest -L '^self_test$'   the exercises keep what CONTRIBUTING.md asks of them
include_guard(GLOBAL)

# Solutions and wrong variants: what the self-test needs, so that it finds them built.
add_custom_target(exercises.all)

# lanescope_exercise_variant(NAME VARIANT source)
function(lanescope_exercise_variant name variant source)
  set(target exercise.${name}.${variant})
  add_executable(${target} EXCLUDE_FROM_ALL ${source})
  string(REPLACE "." "/" output ${variant})   # wrong.lock: wrong/lock
  cmake_path(GET output PARENT_PATH folder)
  cmake_path(GET output FILENAME file)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${file}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder}
    SKIP_BUILD_RPATH ON)   # the environment decides which libcudart it runs on
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/common)
  target_link_libraries(${target} PRIVATE exercise.${name}.tests lanescope_graded_main GTest::gtest)
endfunction()

function(lanescope_exercise)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH topic)
  cmake_path(GET topic FILENAME topic)
  if(NOT topic MATCHES "^([0-9][0-9])_")
    message(FATAL_ERROR "An exercise's folder is exercises/NN_topic/name; this is ${topic}/${name}.")
  endif()
  set(chapter ch${CMAKE_MATCH_1})

  add_library(exercise.${name}.tests OBJECT EXCLUDE_FROM_ALL tests.cu)
  target_include_directories(exercise.${name}.tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/common)
  target_compile_options(exercise.${name}.tests PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
  target_link_libraries(exercise.${name}.tests PRIVATE GTest::gtest)

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/starter.cu)   # grading says so if it is gone
    lanescope_exercise_variant(${name} starter starter.cu)
  endif()
  lanescope_exercise_variant(${name} solution solution.cu)
  add_dependencies(exercises.all exercise.${name}.solution)
  file(GLOB wrong CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/wrong/*.cu)
  foreach(source IN LISTS wrong)
    cmake_path(GET source STEM variant)
    lanescope_exercise_variant(${name} wrong.${variant} ${source})
    add_dependencies(exercises.all exercise.${name}.wrong.${variant})
  endforeach()

  set(where "")
  if(LANESCOPE_RUN_ON_GPU)
    set(where --gpu)
  endif()
  add_test(NAME exercise.${name} COMMAND lanescope grade ${where} ${name})
  set_tests_properties(exercise.${name} PROPERTIES LABELS "exercise;${chapter}")
  add_test(NAME solution.${name} COMMAND lanescope grade ${where} --solution ${name})
  set_tests_properties(solution.${name} PROPERTIES LABELS "solution;${chapter}")
  if(LANESCOPE_RUN_ON_GPU)
    set_tests_properties(exercise.${name} solution.${name} PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL ON)
    set_tests_properties(solution.${name} PROPERTIES LABELS "solution;${chapter};gpu")
  else()
    add_test(NAME self_test.${name} COMMAND lanescope grade --self-test ${name})
    set_tests_properties(self_test.${name} PROPERTIES LABELS "self_test;${chapter}")
  endif()
endfunction()
