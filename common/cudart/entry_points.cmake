# lanescope_entry_points(LIBRARY NODE STUBS file VERSION_SCRIPT file OWN functions...)
# Reads what the toolkit's runtime LIBRARY exports and writes a C file with one weak function for each,
# which fails by name, and a version script that exports exactly these under the version NODE.
# OWN functions are exported too. A function that is written elsewhere is strong and takes the stub's place.
function(lanescope_entry_points library node)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "STUBS;VERSION_SCRIPT" "OWN")
  execute_process(COMMAND ${CMAKE_NM} -D --defined-only ${library}
    OUTPUT_VARIABLE symbols RESULT_VARIABLE failed ERROR_VARIABLE why)
  string(REGEX MATCHALL "[TW] [A-Za-z_0-9]+" symbols "${symbols}")
  list(TRANSFORM symbols REPLACE "^[TW] " "")
  if(failed OR NOT symbols)
    message(FATAL_ERROR "No entry points could be read from ${library}: ${why}"
      "Check that the CUDA Toolkit is complete, or set CUDAToolkit_ROOT to another one.")
  endif()
  set(stubs "/* Made from the entry points of ${library}. */\nint lanescope_not_implemented(const char* name);\n")
  set(names "")
  foreach(symbol IN LISTS symbols)
    string(APPEND stubs "__attribute__((weak)) int ${symbol}(void) {"
      " return lanescope_not_implemented(\"${symbol}\"); }\n")
    string(APPEND names "    ${symbol};\n")
  endforeach()
  foreach(symbol IN LISTS arg_OWN)
    string(APPEND names "    ${symbol};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${arg_STUBS} CONTENT "${stubs}" @ONLY)
  file(CONFIGURE OUTPUT ${arg_VERSION_SCRIPT} CONTENT "${node} {\nglobal:\n${names}local:\n    *;\n};\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${library})
endfunction()
