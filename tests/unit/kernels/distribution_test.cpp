// The index map of a core's stages: every place has one thread, and a kernel finds the places that the host does.
#include "kernels/contract/distribution.hpp"

#include <gtest/gtest.h>

#include "kernels/group/threads.hpp"
#include "run.hpp"

namespace seiche::test {
namespace {

using kernels::CoreStage;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

KernelSpec core(std::vector<std::uint32_t> radices, std::uint32_t threads, ThreadOrder load, ThreadOrder store) {
    KernelSpec spec;
    for (const std::uint32_t radix : radices) spec.n *= radix;
    spec.radices = std::move(radices);
    spec.loops = {{1, spec.n, spec.n}};
    GroupShape shape;
    shape.threads = threads;
    shape.sequences = 3;
    shape.load_order = load;
    shape.store_order = store;
    spec.shape = shape;
    return spec;
}

/// Threads along a sequence, across sequences, flat ones, and neighbouring butterflies.
std::vector<KernelSpec> specs() {
    using enum ThreadOrder;
    std::vector<KernelSpec> all{core({4, 3, 5}, 5, element_fastest, element_fastest),
                                core({4, 3, 5}, 7, sequence_fastest, element_fastest), core({1, 10, 1}, 1, flat, flat),
                                core({8, 8}, 2, element_fastest, sequence_fastest)};
    std::get<GroupShape>(all.back().shape).exchange.neighbours = 4;
    return all;
}

TEST(Distribution, EveryPlaceHasOneThread) {
    for (const KernelSpec& spec : specs()) {
        const auto& shape = std::get<GroupShape>(spec.shape);
        for (const CoreStage& stage : kernels::core_stages(spec)) {
            for (const bool of_results : {false, true}) {
                std::vector<int> counts(std::size_t{3} * spec.n, 0);
                for (std::uint32_t thread = 0; thread < 3 * shape.threads; ++thread)
                    for (std::uint32_t u = 0; u < stage.per_thread; ++u)
                        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
                            const kernels::HostPlace at = kernels::place(shape, stage, u, thread, leg, of_results);
                            if (at.exists) ++counts.at(std::size_t{at.sequence} * spec.n + at.place);
                        }
                EXPECT_EQ(counts, std::vector<int>(counts.size(), 1)) << to_string(spec) << " radix " << stage.radix;
            }
        }
    }
}

/// Of each thread of a group the place of its butterfly u's result 0, or n where it has none, as a kernel computes it.
std::vector<std::uint32_t> places_in_a_kernel(const KernelSpec& spec, const CoreStage& stage, std::uint32_t u) {
    const auto& shape = std::get<GroupShape>(spec.shape);
    const std::uint32_t group = shape.threads * shape.sequences;
    kernels::Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    build.kernel().launch.group = {group, 1, 1};
    const std::uint32_t out = build.buffer({"places", ir::Scalar::u32, ir::Access::write, false, false});
    const kernels::Sequences sequences(frame, spec);
    const kernels::Threads threads(frame, spec, sequences, group);
    const kernels::ThreadButterfly where = threads.butterfly(stage, u);
    const ir::Value p = kernels::place_in_run(shape, stage, where);
    const ir::Value place =
        where.sequence_in_group * std::uint64_t{spec.n} + kernels::place_of_results(stage, where.butterfly, p);
    const ir::Value none = frame.u32(3 * spec.n);
    build.global_store(out, frame.widen(build.thread_id()),
                       where.exists ? build.select(where.exists, place, none) : place);
    std::vector<std::uint32_t> places(group);
    std::vector<std::vector<float>> rest(build.kernel().buffers.size() - 1, std::vector<float>(2));
    const ir::Kernel kernel = build.finish();
    ir::Launch launch;
    for (std::vector<float>& buffer : rest) launch.buffers.push_back(bound(buffer));
    launch.buffers.push_back(bound(places));
    launch.scalars = {3};
    ir::verify(kernel);
    ir::interpret(kernel, launch);
    return places;
}

TEST(Distribution, IsTheSameInAKernel) {
    for (const KernelSpec& spec : specs()) {
        const auto& shape = std::get<GroupShape>(spec.shape);
        for (const CoreStage& stage : kernels::core_stages(spec)) {
            for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
                const std::vector<std::uint32_t> places = places_in_a_kernel(spec, stage, u);
                for (std::uint32_t thread = 0; thread < places.size(); ++thread) {
                    const kernels::HostPlace at = kernels::place(shape, stage, u, thread, 0, true);
                    EXPECT_EQ(places[thread], at.exists ? at.sequence * spec.n + at.place : 3 * spec.n)
                        << to_string(spec) << " radix " << stage.radix << " thread " << thread;
                }
            }
        }
    }
}

}  // namespace
}  // namespace seiche::test
