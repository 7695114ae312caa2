// The files a command was told to write, by what their names end in.
#include "cli/outputs.hpp"

#include "cli/failure.hpp"
#include "cli/text.hpp"

namespace seiche::cli {

Outputs sort_outputs(const std::vector<std::string>& names) {
    Outputs outputs;
    outputs.all = names;
    for (const std::string& name : names) {
        const std::string kind = extension(name);
        if (kind != ".png" && kind != ".csv" && kind != ".npy")
            throw UsageError("expected an output that ends in .png, .csv or .npy, got '" + name + "'");
        (kind == ".png" ? outputs.png : kind == ".csv" ? outputs.csv : outputs.npy).push_back(name);
    }
    return outputs;
}

}  // namespace seiche::cli
