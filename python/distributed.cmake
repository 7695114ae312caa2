# The library behind seichefft.distributed: a second native module, on libseiche_distributed, where that is built.
if(NOT TARGET seiche_distributed_shared)
  message(STATUS "seichefft.distributed is left out: it takes SEICHE_BUILD_DISTRIBUTED, on Linux")
  return()
endif()
nanobind_add_module(
  seiche_distributed_python
  BACKEND_MODULE
  nanobind_backend
  STABLE_ABI_VERSION
  3.10
  NOMINSIZE
  NB_SUPPRESS_WARNINGS
  src/distributed.cpp
  src/distributed_mpi.cpp
  src/lock.cpp)
add_dependencies(seiche_python seiche_distributed_python)  # whoever builds the package has it
set_target_properties(
  seiche_distributed_python
  PROPERTIES OUTPUT_NAME _distributed
             CXX_EXTENSIONS OFF
             LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/seichefft")
target_compile_features(seiche_distributed_python PRIVATE cxx_std_20)
target_link_libraries(seiche_distributed_python PRIVATE seiche_flags seiche_distributed_shared ${CMAKE_DL_LIBS})
if(SKBUILD)
  set_target_properties(seiche_distributed_python PROPERTIES INSTALL_RPATH "$ORIGIN")
  target_link_options(seiche_distributed_shared PRIVATE "$<$<CONFIG:Release>:-Wl,-s>")
  install(
    TARGETS seiche_distributed_python
    LIBRARY DESTINATION seichefft COMPONENT python)
  install(
    PROGRAMS "$<TARGET_FILE:seiche_distributed_shared>"
    DESTINATION seichefft
    RENAME "$<TARGET_SONAME_FILE_NAME:seiche_distributed_shared>"
    COMPONENT python)
endif()
