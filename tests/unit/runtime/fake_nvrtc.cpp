// A library with NVRTC's names, which "compiles" every text to the name of its target: with the fake driver, which
// takes any machine code, whole plans can be made without a card and without CUDA. FAKE_NVRTC_FAILS names one of the
// functions that are called when it is loaded, which then fails.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Program {
    std::string code;
};
constexpr int known[] = {75, 90, 100};
constexpr int out_of_memory = 1, compilation = 6;
std::atomic<int> programs = 0;

int load_call(const char* name) {
    const char* value = std::getenv("FAKE_NVRTC_FAILS");
    return value != nullptr && std::strcmp(value, name) == 0 ? out_of_memory : 0;
}

}  // namespace

extern "C" {

/// Alive.
int fake_nvrtc_programs() { return programs; }

int nvrtcVersion(int* major, int* minor) {
    *major = 12;
    *minor = 8;
    return load_call("nvrtcVersion");
}
const char* nvrtcGetErrorString(int code) {
    return code == out_of_memory ? "NVRTC_ERROR_OUT_OF_MEMORY"
           : code == compilation ? "NVRTC_ERROR_COMPILATION"
                                 : "NVRTC_ERROR_OTHER";
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 3;
    return load_call("nvrtcGetNumSupportedArchs");
}
int nvrtcGetSupportedArchs(int* architectures) {
    std::memcpy(architectures, known, sizeof known);
    return load_call("nvrtcGetSupportedArchs");
}
int nvrtcCreateProgram(Program** program, const char*, const char*, int, const char* const*, const char* const*) {
    *program = new Program;
    ++programs;
    return 0;
}
int nvrtcCompileProgram(Program* program, int count, const char* const* options) {
    const std::string option = "--gpu-architecture=";
    for (int i = 0; i < count; ++i)
        if (std::strncmp(options[i], option.c_str(), option.size()) == 0) program->code = options[i] + option.size();
    return program->code.empty() ? 5 : 0;
}
int nvrtcGetCUBINSize(Program* program, std::size_t* bytes) {
    *bytes = program->code.size() + 1;
    return 0;
}
int nvrtcGetCUBIN(Program* program, char* code) {
    std::strcpy(code, program->code.c_str());
    return 0;
}
int nvrtcGetPTXSize(Program* program, std::size_t* bytes) { return nvrtcGetCUBINSize(program, bytes); }
int nvrtcGetPTX(Program* program, char* code) { return nvrtcGetCUBIN(program, code); }
int nvrtcGetLTOIRSize(Program* program, std::size_t* bytes) { return nvrtcGetCUBINSize(program, bytes); }
int nvrtcGetLTOIR(Program* program, char* code) { return nvrtcGetCUBIN(program, code); }
int nvrtcGetProgramLogSize(Program*, std::size_t* bytes) {
    *bytes = 1;  // the zero at its end
    return 0;
}
int nvrtcGetProgramLog(Program*, char* log) {
    *log = '\0';
    return 0;
}
int nvrtcDestroyProgram(Program** program) {
    delete *program;
    --programs;
    *program = nullptr;
    return 0;
}

}  // extern "C"
