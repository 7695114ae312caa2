# The first of all install rules: a build of some targets only, as `./dev demo` makes in an older build folder, lacks files
# that are to be installed. Whoever installs it is told before anything is written.
set(seiche_file_list "${PROJECT_BINARY_DIR}/installed_files_$<CONFIG>.cmake")
set(seiche_installed_files)
foreach(target seiche_static seiche_shared seiche_tool seiche_study seiche_ocean seiche_cufft_11 seiche_cufft_12
               seiche_cufftmp_11 seiche_hipfft seiche_fftw3 seiche_fftw3_threads seiche_fftw3_omp seiche_fftw3f
               seiche_fftw3f_threads seiche_fftw3f_omp)
  string(APPEND seiche_installed_files "$<$<TARGET_EXISTS:${target}>:$<TARGET_FILE:${target}>>\n")
endforeach()
file(
  GENERATE
  OUTPUT "${seiche_file_list}"
  CONTENT "set(files \"${seiche_installed_files}\")\n")
install(
  CODE "
  include(\"${PROJECT_BINARY_DIR}/installed_files_\${CMAKE_INSTALL_CONFIG_NAME}.cmake\")
  string(REPLACE \"\\n\" \";\" files \"\${files}\")
  foreach(file IN LISTS files)
    if(file AND NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"not built yet: \${file}. Run first: cmake --build ${PROJECT_BINARY_DIR}\")
    endif()
  endforeach()")
