# Settings and functions that every folder of the project uses.
include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)   # every layer ends up in the drop-in libcudart.so
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Warps are executed in loops over 32 lanes: AVX2 and FMA halve their time. The machine that builds is
# the machine that runs, so they are used where it has them.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS -march=x86-64-v3)
check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
  LANESCOPE_HAS_X86_64_V3)
unset(CMAKE_REQUIRED_FLAGS)

# Sanitizers apply to host code everywhere, also to chapter programs: they load the drop-in library.
set(LANESCOPE_SANITIZE "" CACHE STRING "Sanitizers for host code, as in address;undefined")
foreach(sanitizer IN LISTS LANESCOPE_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${sanitizer}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fsanitize=${sanitizer}>")
  add_link_options(-fsanitize=${sanitizer})
endforeach()
if(LANESCOPE_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)   # g++ 12: false alarms inside <regex>
endif()

# Options that every C++ target of the project gets.
add_library(lanescope_options INTERFACE)
target_compile_options(lanescope_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>   # g++ 12 sees overlaps in std::string's operator+ that are none
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${LANESCOPE_HAS_X86_64_V3}>>:-march=x86-64-v3>
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)   # a*b+c rounds twice unless a kernel says fma

# lanescope_layer(NAME [DEPENDS other layers...] [LIBRARIES external targets...] [OPTIONS compiler options...])
# The library lanescope::NAME: every .cpp below this folder but main.cpp (a program's). The options also apply to what uses the layer.
function(lanescope_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES;OPTIONS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  list(TRANSFORM arg_DEPENDS PREPEND lanescope::)
  if(sources)
    add_library(lanescope_${name} STATIC ${sources})
    target_link_libraries(lanescope_${name} PUBLIC ${arg_DEPENDS} ${arg_LIBRARIES} PRIVATE lanescope_options)
    target_include_directories(lanescope_${name} PUBLIC ${PROJECT_SOURCE_DIR}/common)
    target_compile_options(lanescope_${name} PUBLIC ${arg_OPTIONS})
  else()
    add_library(lanescope_${name} INTERFACE)
    target_link_libraries(lanescope_${name} INTERFACE ${arg_DEPENDS} ${arg_LIBRARIES})
    target_include_directories(lanescope_${name} INTERFACE ${PROJECT_SOURCE_DIR}/common)
    target_compile_options(lanescope_${name} INTERFACE ${arg_OPTIONS})
  endif()
  add_library(lanescope::${name} ALIAS lanescope_${name})
endfunction()

# lanescope_unit_test(NAME LAYERS layers...)
# The tests of one layer: every *_test.cpp of this folder in one executable, labelled `unit`.
function(lanescope_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LAYERS;LIBRARIES")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  list(TRANSFORM arg_LAYERS PREPEND lanescope::)
  add_executable(${name}.test ${sources})
  target_link_libraries(${name}.test PRIVATE ${arg_LAYERS} ${arg_LIBRARIES} GTest::gmock_main lanescope_options)
  target_include_directories(${name}.test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  gtest_discover_tests(${name}.test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit)
endfunction()
