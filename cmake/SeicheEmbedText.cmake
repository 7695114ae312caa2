# Writes a C++ source with the texts of files: seiche_embedded_texts() of HEADER gives each with its name. Called as
# cmake -DOUTPUT=a.cpp -DHEADER=folder/b.hpp -DNAMESPACE=a::b "-DFILES=a.txt|b.txt" -P SeicheEmbedText.cmake
# A text is cut between lines into literals below 12,000 bytes, since compilers have bounds for one.
set(longest 12000)
string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(entries "")
set(number 0)
foreach(file IN LISTS files)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  set(literals "")
  string(LENGTH "${text}" left)
  while(left GREATER 0)
    if(left GREATER longest)
      string(SUBSTRING "${text}" 0 ${longest} part)
      string(FIND "${part}" "\n" end REVERSE)
      math(EXPR end "${end} + 1")
      if(end EQUAL 0)
        message(FATAL_ERROR "${file}: expected lines below ${longest} bytes")
      endif()
      string(SUBSTRING "${text}" 0 ${end} part)
      string(SUBSTRING "${text}" ${end} -1 text)
    else()
      set(part "${text}")
      set(text "")
    endif()
    string(LENGTH "${text}" left)
    string(REPLACE "\\" "\\\\" part "${part}")
    string(REPLACE "\"" "\\\"" part "${part}")
    string(REPLACE "\n" "\\n\"\n    \"" part "${part}")
    string(APPEND literals "    \"${part}\",\n")
  endwhile()
  string(APPEND arrays "constexpr std::string_view parts_${number}[] = {\n${literals}};\n")
  string(APPEND entries "    {\"${name}\", parts_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Written by cmake/SeicheEmbedText.cmake.
#include \"${HEADER}\"

namespace ${NAMESPACE} {

namespace {

${arrays}constexpr EmbeddedText texts[] = {
${entries}};

}  // namespace

std::span<const EmbeddedText> embedded_texts() { return texts; }

}  // namespace ${NAMESPACE}
")
