# re2::re2. Debian's package tells only pkg-config where it is; newer ones bring a package for CMake
# whose target needs more of theirs. Debian's static library is not made for shared ones, such as
# Python's modules, so the shared one is taken wherever there is one.
set(re2_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
set(CMAKE_FIND_LIBRARY_SUFFIXES .so ${CMAKE_FIND_LIBRARY_SUFFIXES})
find_path(RE2_INCLUDE_DIR re2/re2.h)
find_library(RE2_LIBRARY re2)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${re2_suffixes})
mark_as_advanced(RE2_INCLUDE_DIR RE2_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(re2 REQUIRED_VARS RE2_LIBRARY RE2_INCLUDE_DIR)
if(re2_FOUND AND NOT TARGET re2::re2)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES
    IMPORTED_LOCATION ${RE2_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR})
endif()
