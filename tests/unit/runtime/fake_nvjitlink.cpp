// A library with nvJitLink's names, which "links" to four bytes and remembers what it was given. FAKE_NVJITLINK_FAILS
// names a function that then fails.
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Link {
    std::string given;
};
std::string all;
constexpr int failed = 5;
constexpr const char* why = "warning of something\nERROR 7: an error of the linker\nmore";

int call(const char* name) {
    const char* value = std::getenv("FAKE_NVJITLINK_FAILS");
    return value != nullptr && std::strcmp(value, name) == 0 ? failed : 0;
}

}  // namespace

extern "C" {

/// Of each link: options, then the type and name of each input.
const char* fake_nvjitlink_all() { return all.c_str(); }

int nvJitLinkVersion(unsigned* major, unsigned* minor) {
    *major = 12;
    *minor = 8;
    return call("nvJitLinkVersion");
}
int nvJitLinkCreate(Link** link, unsigned count, const char** options) {
    if (const int code = call("nvJitLinkCreate")) return code;
    *link = new Link;
    for (unsigned i = 0; i < count; ++i) (*link)->given += std::string(options[i]) + " ";
    return 0;
}
int nvJitLinkDestroy(Link** link) {
    delete *link;
    *link = nullptr;
    return 0;
}
int nvJitLinkAddData(Link* link, int type, const void*, std::size_t bytes, const char* name) {
    link->given += std::to_string(type) + ":" + name + (bytes == 0 ? ":nothing " : " ");
    return call("nvJitLinkAddData");
}
int nvJitLinkComplete(Link* link) {
    all += link->given + "\n";
    return call("nvJitLinkComplete");
}
int nvJitLinkGetLinkedCubinSize(Link*, std::size_t* bytes) {
    *bytes = 4;
    return call("nvJitLinkGetLinkedCubinSize");
}
int nvJitLinkGetLinkedCubin(Link*, void* code) {
    std::memcpy(code, "join", 4);
    return call("nvJitLinkGetLinkedCubin");
}
int nvJitLinkGetErrorLogSize(Link*, std::size_t* bytes) {
    *bytes = std::strlen(why);
    return 0;
}
int nvJitLinkGetErrorLog(Link*, char* log) {
    std::strcpy(log, why);
    return 0;
}

}  // extern "C"
