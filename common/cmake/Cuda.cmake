# The CUDA Toolkit: which nvcc, which architectures, and how programs find their runtime library.
#
# Sets CMAKE_CUDA_ARCHITECTURES and enables the language CUDA. Any toolkit of major 12 or 13 will do.
include_guard(GLOBAL)

if(DEFINED ENV{CUDACXX} AND NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER $ENV{CUDACXX} CACHE FILEPATH "The CUDA compiler")
endif()
file(GLOB toolkit_folders /usr/local/cuda /usr/local/cuda-* /opt/cuda)
find_program(CMAKE_CUDA_COMPILER nvcc
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS ${toolkit_folders}
  PATH_SUFFIXES bin
  DOC "The CUDA compiler")
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "No CUDA Toolkit was found: install toolkit 12 or 13 from "
    "https://developer.nvidia.com/cuda-downloads (no GPU and no driver needed), or set CUDA_HOME to where it is.")
endif()

execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE nvcc_version ERROR_QUIET)
if(NOT nvcc_version MATCHES "release (1[23])\\.")
  string(REGEX MATCH "release [0-9.]+" found "${nvcc_version}")
  message(FATAL_ERROR "${CMAKE_CUDA_COMPILER} is not of CUDA Toolkit 12 or 13 (${found}): install one of these from "
    "https://developer.nvidia.com/cuda-downloads, or set CUDACXX to its nvcc.")
endif()

# Chapters embed PTX, which the simulated GPU runs and every GPU from Turing on compiles for itself.
# Where a GPU is present its machine code is embedded too, so that a program starts without delay.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(lowest 75)
  set(native "")
  find_program(NVIDIA_SMI nvidia-smi)
  if(NVIDIA_SMI)
    execute_process(COMMAND ${NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capabilities ERROR_QUIET)
    if(capabilities MATCHES "^([0-9]+)\\.([0-9])")
      set(native ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
    endif()
  endif()
  if(native AND native LESS lowest)   # a Volta or older with toolkit 12
    set(lowest ${native})
  endif()
  set(architectures ${lowest}-virtual)
  if(native)
    list(APPEND architectures ${native}-real)
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "What nvcc compiles chapters for")
endif()

set(CMAKE_CUDA_STANDARD 17)            # CMake 3.25 does not know that nvcc 13 has C++20
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) # the loader, not the linker, decides which libcudart a program gets
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# Where the drop-in libcudart is built: beside the lanescope command, which finds it as ../lib/lanescope.
set(LANESCOPE_DROP_IN_DIR ${PROJECT_BINARY_DIR}/lib/lanescope)
