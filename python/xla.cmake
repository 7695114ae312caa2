# The library behind seichefft.jax: a target of XLA's foreign function interface, whose headers come with jaxlib. It is built
# where Python finds them, or SEICHE_XLA_INCLUDE names the folder with xla/ffi/api; without it seichefft.jax says so.
set(SEICHE_XLA_INCLUDE "" CACHE PATH "Folder of XLA's headers (xla/ffi/api/ffi.h), as jax.ffi.include_dir() gives it")
set(xla_include "${SEICHE_XLA_INCLUDE}")
if(NOT xla_include)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -c
            "import pathlib, importlib.util as u; print(pathlib.Path(u.find_spec('jaxlib').origin).parent / 'include')"
    OUTPUT_VARIABLE xla_include
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT EXISTS "${xla_include}/xla/ffi/api/ffi.h")
  message(STATUS "seichefft.jax is left out: ${Python_EXECUTABLE} has no jaxlib, and SEICHE_XLA_INCLUDE names no headers of XLA")
  return()
endif()

add_library(seiche_xla MODULE src/xla.cpp)
add_dependencies(seiche_python seiche_xla)  # whoever builds the package has it
set_target_properties(
  seiche_xla
  PROPERTIES PREFIX ""
             OUTPUT_NAME _xla
             CXX_EXTENSIONS OFF
             CXX_VISIBILITY_PRESET hidden
             LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/seichefft")
if(APPLE)
  set_target_properties(seiche_xla PROPERTIES SUFFIX ".dylib")
endif()
target_compile_features(seiche_xla PRIVATE cxx_std_20)
target_include_directories(seiche_xla SYSTEM PRIVATE "${xla_include}")
target_link_libraries(seiche_xla PRIVATE seiche_flags seiche::seiche_shared)
if(SKBUILD)
  set_target_properties(seiche_xla PROPERTIES INSTALL_RPATH "$<IF:$<PLATFORM_ID:Darwin>,@loader_path,$ORIGIN>")
  install(
    TARGETS seiche_xla
    LIBRARY DESTINATION seichefft COMPONENT python)
endif()
