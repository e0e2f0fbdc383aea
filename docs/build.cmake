# Builds the site: cmake -D DOCS_INPUT=command -D BUILD=folder -D PROGRAMS=folder -D VERSION=x.y.z -P docs/build.cmake
#
# PROGRAMS is the build folder: pictures show what the programs in it do.
# DOCS_INPUT is the program of docs/input, which turns the pages of the repository into what Doxygen reads. The site
# is in BUILD/html afterwards; on any error or warning it is not. With -D SKIP=ON, a missing Doxygen is no error.
cmake_minimum_required(VERSION 3.25)
if(NOT ROOT)   # another repository: for tests
  cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH ROOT)
endif()
set(DOCS ${CMAKE_CURRENT_LIST_DIR})

file(REMOVE_RECURSE ${BUILD}/html)
find_program(DOXYGEN doxygen NO_CACHE)
find_path(THEME doxygen-awesome.css PATHS /usr/share/doxygen-awesome-css ENV DOXYGEN_AWESOME_CSS NO_CACHE)
if(NOT DOXYGEN OR NOT THEME)
  if(SKIP)
    message("docs: skipped, doxygen or doxygen-awesome-css is not installed")
    return()
  endif()
  message(FATAL_ERROR "The site needs Doxygen and its theme: apt-get install doxygen doxygen-awesome-css (./lab docs does it); "
    "elsewhere, set DOXYGEN_AWESOME_CSS to the folder of doxygen-awesome.css.")
endif()

execute_process(COMMAND ${DOCS_INPUT} pages ${ROOT} ${BUILD} ${PROGRAMS} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "The site was not built: correct the pages named above.")
endif()

configure_file(${DOCS}/Doxyfile.in ${BUILD}/Doxyfile @ONLY)
execute_process(COMMAND ${DOXYGEN} --version OUTPUT_VARIABLE version)
if(version VERSION_GREATER_EQUAL 1.9.5)
  file(APPEND ${BUILD}/Doxyfile "HTML_COLORSTYLE = LIGHT\n")   # the theme has its own dark mode
endif()

# Doxygen's own page header, whichever version it is, with the theme's scripts.
execute_process(COMMAND ${DOXYGEN} -w html header.html footer.html unused.css Doxyfile WORKING_DIRECTORY ${BUILD} OUTPUT_QUIET)
file(READ ${BUILD}/header.html header)
file(READ ${DOCS}/scripts.html scripts)
string(REPLACE "</head>" "${scripts}</head>" header "${header}")
file(WRITE ${BUILD}/header.html "${header}")
file(APPEND ${BUILD}/Doxyfile "HTML_HEADER = \"${BUILD}/header.html\"\n")

execute_process(COMMAND ${DOXYGEN} Doxyfile WORKING_DIRECTORY ${BUILD} RESULT_VARIABLE failed)
if(failed)
  file(REMOVE_RECURSE ${BUILD}/html)
  message(FATAL_ERROR "The site was not built: Doxygen warned, see above (${BUILD}/input/ holds copies of the pages, line by line).")
endif()
execute_process(COMMAND ${DOCS_INPUT} finish ${ROOT} ${BUILD}/html RESULT_VARIABLE failed)
if(failed)
  file(REMOVE_RECURSE ${BUILD}/html)
  message(FATAL_ERROR "The site was not built: its search and menu could not be completed.")
endif()
message("The start page is ${BUILD}/html/index.html")
