// A core's stages, on the points in a thread's registers.
#pragma once

#include "kernels/butterfly.hpp"
#include "kernels/group/pass.hpp"

namespace seiche::kernels {

class CoreRun : Pass {
public:
    /// `parity`: of a prime, 0 while its even part is convolved, 1 its odd one; empty: it is one.
    CoreRun(const Pass& pass, Registers& registers, ir::Value parity = {})
        : Pass(pass), registers_(registers), parity_(parity) {}

    /// Stages `begin` to `end` - 1, from the points of the first one.
    void run(std::size_t begin, std::size_t end);
    /// Both cores of a convolution, from the points of stage `first` on: the second one's text is the first one's, and
    /// between the turns of the loop points are registers.
    void run_loop(std::size_t first);
    void compute(std::size_t i);
    void exchange_points(std::size_t from, std::size_t to);

private:
    void turn();
    void store_sums();
    Factors factors(const CoreStage& stage, std::uint32_t u) const;
    void fetch_factors(const CoreStage& stage) const;
    bool rewrites_own_places(std::size_t stage) const;

    Registers& registers_;
    ir::Value parity_;
};

/// A convolution of several channels. One input after the other adds its products to the sums for the outputs, which
/// stay in registers; then one output after the other goes through the second core.
void run_channels(const Pass& pass);
/// A prime's convolution as two of half as many points.
void run_parity(const Pass& pass, Registers& registers);
/// A prime's butterfly between two redistributions, as a loop.
void run_in_places(const Pass& pass, Registers& registers);

}  // namespace seiche::kernels
