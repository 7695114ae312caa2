// Looks through the folders of toolkits and Python packages.
#include "runtime/cuda/toolkit.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace seiche::runtime::cuda {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        if (it->path().filename().string().starts_with(prefix)) found.push_back(it->path());
    std::sort(found.rbegin(), found.rend());  // the newest first
    return found;
}

/// Collects the files that are there.
class Search {
public:
    explicit Search(const ToolkitLibrary& library) : library_(library), names_(names_here(library.names)) {}

    void add_folder(const fs::path& folder) {
        std::error_code failed;
        for (const std::string& name : names_)
            if (fs::exists(folder / name, failed)) found_.push_back((folder / name).string());
    }
    void add_toolkit(const fs::path& root) {
        if (root.empty()) return;
        for (const char* folder :
             {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "bin/x64", "bin"})
            add_folder(root / folder);
    }
    void add_python(const fs::path& lib) {
        for (const fs::path& python : entries(lib, "python3"))
            for (const char* packages : {"site-packages", "dist-packages"})
                for (const char* wheel : library_.wheels) add_folder(python / packages / "nvidia" / wheel / "lib");
    }
    /// By the system's loader.
    void add_names() { found_.insert(found_.end(), names_.begin(), names_.end()); }

    std::vector<std::string> found() && { return std::move(found_); }

private:
    const ToolkitLibrary& library_;
    const std::vector<std::string> names_;
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> toolkit_candidates(const ToolkitLibrary& library) {
    Search search(library);
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) search.add_toolkit(path_of(environment(variable)));
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const fs::path root = path_of(environment(variable));
        if (root.empty()) continue;
        search.add_python(root / "lib");
        search.add_toolkit(root);
    }
    search.add_names();
    for (const fs::path& toolkit : entries("/usr/local", "cuda")) search.add_toolkit(toolkit);
    if (const std::string home = environment("HOME"); !home.empty())
        search.add_python(path_of(home) / ".local" / "lib");
    for (const char* lib : {"/usr/local/lib", "/usr/lib", "/opt/conda/lib"}) search.add_python(lib);
    return std::move(search).found();
}

}  // namespace seiche::runtime::cuda
