// A library with NVRTC's names, which "compiles" every text to the name of its target: with the fake driver, which
// takes any machine code, whole plans can be made without a card and without CUDA.
#include <cstring>
#include <string>

namespace {

struct Program {
    std::string code;
};
constexpr int known[] = {75, 90, 100};

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
    *major = 12;
    *minor = 8;
    return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 3;
    return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
    std::memcpy(architectures, known, sizeof known);
    return 0;
}
int nvrtcCreateProgram(Program** program, const char*, const char*, int, const char* const*, const char* const*) {
    *program = new Program;
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
int nvrtcGetProgramLogSize(Program*, std::size_t* bytes) {
    *bytes = 0;
    return 0;
}
int nvrtcGetProgramLog(Program*, char*) { return 0; }
int nvrtcDestroyProgram(Program** program) {
    delete *program;
    *program = nullptr;
    return 0;
}

}  // extern "C"
