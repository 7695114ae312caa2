# Installation: headers, libraries, the CMake package seiche, the pkg-config file seiche.pc. Its components are packages
# of Debian's: the shared library, what programs are built with, and the programs (SeichePackage.cmake).
include(CMakePackageConfigHelpers)

set(seiche_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/seiche")
set(seiche_targets)
foreach(target seiche_static seiche_shared)
  if(TARGET ${target})
    list(APPEND seiche_targets ${target})
  endif()
endforeach()

install(
  TARGETS ${seiche_targets}
  EXPORT seicheTargets
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT library
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          COMPONENT library
          NAMELINK_COMPONENT development)
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/seiche"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development)
install(
  EXPORT seicheTargets
  NAMESPACE seiche::
  DESTINATION "${seiche_package_dir}"
  COMPONENT development)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/seicheConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/seicheConfig.cmake" INSTALL_DESTINATION "${seiche_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/seicheConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/seicheConfig.cmake" "${PROJECT_BINARY_DIR}/seicheConfigVersion.cmake"
  DESTINATION "${seiche_package_dir}"
  COMPONENT development)

# What a program that takes the archive links with besides.
set(seiche_pc_private "-lstdc++ -lm -pthread ${SEICHE_LINKER_EXCLUDES}")
if(CMAKE_DL_LIBS)
  string(PREPEND seiche_pc_private "-l${CMAKE_DL_LIBS} ")
endif()
# Relative, so that an installed tree may be moved.
file(RELATIVE_PATH seiche_pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file("${PROJECT_SOURCE_DIR}/cmake/seiche.pc.in" "${PROJECT_BINARY_DIR}/seiche.pc" @ONLY)
install(
  FILES "${PROJECT_BINARY_DIR}/seiche.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)
if(TARGET seiche::distributed)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/seiche_distributed.pc.in" "${PROJECT_BINARY_DIR}/seiche_distributed.pc"
                 @ONLY)
  install(
    FILES "${PROJECT_BINARY_DIR}/seiche_distributed.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT development)
endif()
install(
  FILES "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT licence)
