# Debian packages, by `cpack -G DEB` in a build that was configured with CMAKE_INSTALL_PREFIX=/usr (./dev deb): the shared
# library, what programs are built with, the programs, and what stands in for cuFFT and FFTW. Drivers are loaded at run
# time and are no dependencies.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME seiche)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The Seiche authors <seiche@invalid.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ
    OWNER_WRITE
    OWNER_EXECUTE
    GROUP_READ
    GROUP_EXECUTE
    WORLD_READ
    WORLD_EXECUTE)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package's description begins with its own
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL library development programs)
if(TARGET seiche_fftw3)
  list(APPEND CPACK_COMPONENTS_ALL cufft fftw fftw_development)
endif()

set(seiche_library_package "libseiche${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Programs and drop-ins are linked with the library of this build; no archive has it, so that the dependency is said below.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/src" "${PROJECT_BINARY_DIR}/compat/fftw")
set(seiche_library_dependency "${seiche_library_package} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME "${seiche_library_package}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
    "${PROJECT_DESCRIPTION} - shared library
Seiche writes its own kernels for a transform and a device, and runs them
through CUDA, HIP, OpenCL, Vulkan, Level Zero or OpenGL, or on the processor.
Drivers are found at run time.
.
This package has the library that programs need to run.")
# What CPack would make calls ldconfig from scripts of the package; Debian's way is a trigger.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/shlibs"
                                               "${PROJECT_BINARY_DIR}/debian/triggers")
file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
file(WRITE "${PROJECT_BINARY_DIR}/debian/shlibs"
     "libseiche ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} ${seiche_library_package} (>= ${PROJECT_VERSION})\n")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libseiche-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${seiche_library_dependency}")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "${PROJECT_DESCRIPTION} - development files
Seiche writes its own kernels for a transform and a device, and runs them
through CUDA, HIP, OpenCL, Vulkan, Level Zero or OpenGL, or on the processor.
.
This package has headers for C++ and C, the archive, the CMake package and the
file for pkg-config.")

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME seiche)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "seiche-cufft, seiche-fftw")
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION
    "${PROJECT_DESCRIPTION} - programs
Seiche writes its own kernels for a transform and a device, and runs them
through CUDA, HIP, OpenCL, Vulkan, Level Zero or OpenGL, or on the processor.
.
The tool draws spectra of sounds and pictures, filters and convolves them,
checks and times devices, and explains plans.")

# They lie in folders of their own below <libdir>/seiche, so that FFTW's and NVIDIA's packages may be there as well. What
# calls itself by FFTW's soname must not pass for it: no package has a shlibs file for these.
set(CPACK_DEBIAN_CUFFT_PACKAGE_NAME seiche-cufft)
set(CPACK_DEBIAN_CUFFT_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_CUFFT_PACKAGE_DEPENDS "${seiche_library_dependency}")
set(CPACK_DEBIAN_CUFFT_PACKAGE_ENHANCES seiche)
set(CPACK_DEBIAN_CUFFT_DESCRIPTION
    "${PROJECT_DESCRIPTION} - in place of cuFFT
Programs written for cuFFT run on Seiche without being changed: this package
has libcufft.so.11 and libcufft.so.12, for CUDA 12 and 13, and
libseiche_hipfft.so with hipFFT's names, in folders of their own.
.
`seiche run --cufft PROGRAM` of the package seiche puts them in place.")

set(CPACK_DEBIAN_FFTW_PACKAGE_NAME seiche-fftw)
set(CPACK_DEBIAN_FFTW_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_FFTW_PACKAGE_DEPENDS "${seiche_library_dependency}")
set(CPACK_DEBIAN_FFTW_PACKAGE_RECOMMENDS "libfftw3-double3, libfftw3-single3")
set(CPACK_DEBIAN_FFTW_PACKAGE_ENHANCES seiche)
set(CPACK_DEBIAN_FFTW_DESCRIPTION
    "${PROJECT_DESCRIPTION} - in place of FFTW
Programs written for FFTW 3 run on Seiche without being changed: this package
has libfftw3.so.3 and libfftw3f.so.3 with their companions for threads, in a
folder of their own.
.
`seiche run --fftw PROGRAM` of the package seiche puts them in place. Small
transforms go to the real FFTW where it is installed.")

set(CPACK_DEBIAN_FFTW_DEVELOPMENT_PACKAGE_NAME seiche-fftw-dev)
set(CPACK_DEBIAN_FFTW_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_FFTW_DEVELOPMENT_PACKAGE_DEPENDS "seiche-fftw (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_FFTW_DEVELOPMENT_DESCRIPTION
    "${PROJECT_DESCRIPTION} - in place of FFTW, development files
Sources written for FFTW 3 are built with Seiche without being changed: this
package has fftw3.h, fftw3.f03, fftw3.f and files for pkg-config, in the folder
of the package seiche-fftw, which PKG_CONFIG_PATH has to name.")

# Each package has the licence as Debian wants it, and the list of changes.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" seiche_licence)
string(REGEX REPLACE "\n\n+" "\n.\n" seiche_licence "${seiche_licence}")
string(STRIP "${seiche_licence}" seiche_licence)
string(REGEX REPLACE "\n" "\n " seiche_licence "${seiche_licence}")
file(
  WRITE "${PROJECT_BINARY_DIR}/debian/copyright"
  "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: seiche

Files: *
Copyright: The Seiche authors
License: Expat
 ${seiche_licence}
")
find_program(SEICHE_GZIP gzip)
string(TIMESTAMP seiche_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(
  WRITE "${PROJECT_BINARY_DIR}/debian/changelog.Debian"
  "seiche (${PROJECT_VERSION}-1) unstable; urgency=medium

  * Packaged from its own sources.

 -- The Seiche authors <seiche@invalid.invalid>  ${seiche_date}
")
configure_file("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_BINARY_DIR}/debian/changelog" COPYONLY)
if(SEICHE_GZIP)
  execute_process(COMMAND "${SEICHE_GZIP}" -9nkf changelog changelog.Debian WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/debian")
endif()
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  install(
    FILES "${PROJECT_BINARY_DIR}/debian/copyright" "${PROJECT_BINARY_DIR}/debian/changelog.gz"
          "${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz"
    DESTINATION "share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}"
    COMPONENT "${component}"
    EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
