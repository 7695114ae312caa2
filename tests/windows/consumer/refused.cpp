// An error of the DLL is caught in the program by its own class, and the program goes on.
#include <seiche/seiche.hpp>

#include <cstdio>
#include <string>

int main() {
    for (int time = 0; time < 2; ++time) {
        try {
            seiche::Problem problem;
            problem.lengths = {0};
            const seiche::Plan plan(seiche::Device::open("reference"), problem);
            std::printf("a length of 0: expected an error, got none\n");
            return 1;
        } catch (const seiche::Unsupported& error) {
            std::printf("a length of 0: expected InvalidProblem, got Unsupported: %s\n", error.what());
            return 1;
        } catch (const seiche::InvalidProblem& error) {
            if (std::string(error.what()).find("lengths[0]") == std::string::npos) {
                std::printf("expected lengths[0] to be named, got: %s\n", error.what());
                return 1;
            }
        }
    }
    std::printf("%s: right\n", seiche::version());
    return 0;
}
