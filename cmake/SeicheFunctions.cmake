# The functions that the folders' CMakeLists.txt use: seiche_sources, seiche_program, seiche_test, seiche_headers.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# What every target of the project is compiled with. Contraction is off: the host computes twiddles in double-double.
add_library(seiche_flags INTERFACE)
target_compile_features(seiche_flags INTERFACE cxx_std_20 c_std_99)
target_compile_options(seiche_flags INTERFACE -Wall -Wextra -Wconversion -ffp-contract=off)
if(SEICHE_WERROR)
  target_compile_options(seiche_flags INTERFACE -Werror)
endif()
if(SEICHE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC takes a source that is included for a header, whose classes should have no field of a type without linkage.
  target_compile_options(seiche_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>")
endif()
if(SEICHE_SANITIZE)
  target_compile_options(seiche_flags INTERFACE "-fsanitize=${SEICHE_SANITIZE}" -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers GCC 12 takes the alternatives of a std::variant for uninitialized.
    target_compile_options(seiche_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_link_options(seiche_flags INTERFACE "-fsanitize=${SEICHE_SANITIZE}")
endif()
if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3")
  string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()

# seiche_compile_together(target [ALONE a.cpp ...]): with SEICHE_UNITY_BUILD, eight sources of the target are one for the
# compiler, which reads their headers once. ALONE are those whose own names others have too.
function(seiche_compile_together target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ALONE")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SEICHE_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 8)
  if(arg_ALONE)
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# seiche_sources(a.cpp ... [ALONE b.cpp ...]): the sources of this folder of src/. They become an object library named
# after the folder, seiche_ir or seiche_runtime_opencl, and a part of the library. ALONE: see seiche_compile_together.
function(seiche_sources)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "ALONE")
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REPLACE "/" "_" folder "${folder}")
  set(target seiche_${folder})
  if(TARGET ${target})
    target_sources(${target} PRIVATE ${arg_UNPARSED_ARGUMENTS} ${arg_ALONE})
    return()
  endif()
  add_library(${target} OBJECT ${arg_UNPARSED_ARGUMENTS} ${arg_ALONE})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET
                                             hidden VISIBILITY_INLINES_HIDDEN ON)
  seiche_compile_together(${target} ALONE ${arg_ALONE})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} PRIVATE seiche_flags)
  set_property(GLOBAL APPEND PROPERTY SEICHE_OBJECT_TARGETS ${target})
endfunction()

# seiche_program(NAME a.cpp ... [LIBS target ...]): a program that uses the public headers only.
function(seiche_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${name} PRIVATE seiche_flags seiche::seiche ${arg_LIBS})
endfunction()

# seiche_pages(TARGET): installs the page of the manual and the completions of a program, which it writes itself. One that
# is made for another machine cannot. Debian compresses pages, and has a folder of its own for completions of zsh.
function(seiche_pages target)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  get_target_property(name ${target} OUTPUT_NAME)
  set(gzip)
  set(zsh_folder site-functions)
  set(page "${name}.1")
  if(SEICHE_DEBIAN_PACKAGES)
    find_program(SEICHE_GZIP gzip REQUIRED)
    set(gzip "-DGZIP=${SEICHE_GZIP}")
    set(zsh_folder vendor-completions)
    set(page "${name}.1.gz")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/pages")
  file(MAKE_DIRECTORY "${folder}")
  set(written "${folder}/${page}" "${folder}/${name}" "${folder}/_${name}" "${folder}/${name}.fish")
  set(script "${PROJECT_SOURCE_DIR}/cmake/SeicheWritePage.cmake")
  set(write "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>")
  add_custom_command(
    OUTPUT ${written}
    COMMAND ${write} -DWHAT=man "-DOUTPUT=${folder}/${name}.1" ${gzip} -P "${script}"
    COMMAND ${write} -DWHAT=bash "-DOUTPUT=${folder}/${name}" -P "${script}"
    COMMAND ${write} -DWHAT=zsh "-DOUTPUT=${folder}/_${name}" -P "${script}"
    COMMAND ${write} -DWHAT=fish "-DOUTPUT=${folder}/${name}.fish" -P "${script}"
    DEPENDS ${target} "${script}"
    VERBATIM)
  add_custom_target(${target}_pages ALL DEPENDS ${written})
  set(data "${CMAKE_INSTALL_DATADIR}")
  install(FILES "${folder}/${page}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT programs)
  install(FILES "${folder}/${name}" DESTINATION "${data}/bash-completion/completions" COMPONENT programs)
  install(FILES "${folder}/_${name}" DESTINATION "${data}/zsh/${zsh_folder}" COMPONENT programs)
  install(FILES "${folder}/${name}.fish" DESTINATION "${data}/fish/vendor_completions.d" COMPONENT programs)
endfunction()

# seiche_label(LABEL target ...): what `ninja tests_LABEL` builds, so that a sanitizer's build can stay small.
function(seiche_label label)
  if(NOT TARGET tests_${label})
    add_custom_target(tests_${label})
  endif()
  add_dependencies(tests_${label} ${ARGN})
endfunction()

# seiche_test_headers(): what the tests of this folder and below have in common, GoogleTest foremost, is read once for all
# of them with SEICHE_UNITY_BUILD. Its options have to be theirs, hence its place after add_compile_options.
function(seiche_test_headers)
  if(NOT SEICHE_UNITY_BUILD)
    return()
  endif()
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp" "// Nothing but the headers.\n")
  add_library(seiche_test_headers OBJECT "${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp")
  set_target_properties(seiche_test_headers PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(seiche_test_headers PRIVATE seiche_flags GTest::gtest)
  target_precompile_headers(
    seiche_test_headers
    PRIVATE
    <gtest/gtest.h>
    <algorithm>
    <cmath>
    <complex>
    <filesystem>
    <functional>
    <map>
    <random>
    <set>
    <sstream>
    <variant>)
endfunction()

# seiche_test(NAME a.cpp ... [LINK ir support ...] [LIBS target ...] [LABELS quick ...] [ENV A=b ...] [TIMEOUT s]):
# a GoogleTest program that sees the library's internals, and the ctest test of the same name. LINK names the
# folders of src/ that it needs, so that it builds without the others; default is the whole library.
function(seiche_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LINK;LIBS;LABELS;ENV")
  set(target test_${name})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src"
                                               "${PROJECT_SOURCE_DIR}/include")
  if(arg_LINK)
    list(TRANSFORM arg_LINK PREPEND seiche_)
    target_link_libraries(${target} PRIVATE ${arg_LINK} ${CMAKE_DL_LIBS} Threads::Threads)
  else()
    target_link_libraries(${target} PRIVATE seiche_internal)
  endif()
  target_link_libraries(${target} PRIVATE seiche_flags ${arg_LIBS} GTest::gtest_main)
  if(TARGET seiche_test_headers)
    target_precompile_headers(${target} REUSE_FROM seiche_test_headers)
    set(c_sources ${arg_UNPARSED_ARGUMENTS})
    list(FILTER c_sources INCLUDE REGEX "\\.c$")
    set_source_files_properties(${c_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  foreach(label IN LISTS arg_LABELS)
    seiche_label(${label} ${target})
  endforeach()
  add_test(NAME ${name} COMMAND ${target})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ENVIRONMENT "${arg_ENV}")
endfunction()

# seiche_headers(TARGET FOLDER HEADER): a library of headers alone that this system has, for a build for another one:
# its folder without those beside it, which belong to this system.
function(seiche_headers target folder header)
  find_path(SEICHE_HEADERS_OF_${folder} "${folder}/${header}" REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  set(place "${PROJECT_BINARY_DIR}/headers/${folder}")
  file(MAKE_DIRECTORY "${place}")
  file(CREATE_LINK "${SEICHE_HEADERS_OF_${folder}}/${folder}" "${place}/${folder}" SYMBOLIC)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE "${place}")
endfunction()
