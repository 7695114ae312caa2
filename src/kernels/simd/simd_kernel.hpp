// The CPU core's generator: see simd/simd_kernel.cpp for the transform and simd/staging.cpp for the ways between memory
// and scratch.
#pragma once

#include <functional>
#include <vector>

#include "kernels/frame.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/real/real_map.hpp"

namespace seiche::kernels {

class SimdKernel {
public:
    explicit SimdKernel(const KernelSpec& spec);
    ir::Kernel build();

private:
    struct SimdStage {
        std::uint32_t radix = 1, s = 1, butterflies = 1;
        bool reads_memory = false, writes_memory = false;
        std::size_t number = 0;                // of all stages
        std::uint32_t source = 0, target = 0;  // scratch arrays
        bool turns = false;                    // ends the first core of a convolution and begins the second
    };
    /// The sequences at work: one, or one per lane.
    struct Unit {
        std::vector<ir::Value> sequences;
        std::vector<ir::Value> live;           // per lane; empty: every lane exists
        std::vector<ir::Value> input, output;  // origins
    };
    using Body = std::function<void(ir::Value)>;

    // simd/simd_kernel.cpp
    void plan_stages();
    void add_stage(std::uint32_t radix, std::uint32_t s);
    void check_lanes(const SimdStage& stage) const;
    void begin_unit(ir::Value unit);
    void work_on(ir::Value unit);
    void run(const SimdStage& stage, ir::Value b);
    void turn(const SimdStage& stage, ir::Value b, std::vector<ir::Complex>& x);
    void run_channels();
    void add_products(const SimdStage& stage, ir::Value b, const std::vector<ir::Complex>& x);
    void go_on(const SimdStage& stage, ir::Value b);
    void run_stages(std::size_t begin, std::size_t end);
    void move_in();
    void move_out();
    void choose_channel(std::uint32_t channel, Side side);
    ir::Complex chirp_spectrum(const ChirpSpectrum& stage, ir::Value element);
    ir::Complex splat(ir::Complex x) { return {build_.splat(x.re, lanes_), build_.splat(x.im, lanes_)}; }
    ir::Complex middle_stage(const Stage& stage, ir::Complex x, ir::Value element);
    ir::Complex spectrum(const SpectrumProduct& stage, ir::Value element, std::uint64_t start);
    ir::Value spectra_are_neighbours();
    ir::Complex exchange_beside(ir::Value b, ir::Complex sum);
    std::vector<ir::Complex> load(const SimdStage& stage, ir::Value b);
    ir::Complex stage_factor(const StageTwiddles& table, const SimdStage& stage, ir::Value b, std::size_t row);
    std::vector<ir::Complex> transformed(const SimdStage& stage, ir::Value b, const std::vector<ir::Complex>& x);
    void store(const SimdStage& stage, ir::Value b, const std::vector<ir::Complex>& y);
    void store_scratch(const SimdStage& stage, ir::Value b, const std::vector<ir::Complex>& y);
    ir::Complex read_scratch(std::uint32_t array, ir::Value index, std::uint64_t constant, ir::Value predicate = {});
    void write_scratch(std::uint32_t array, ir::Value index, std::uint64_t constant, ir::Complex y);

    // simd/staging.cpp
    bool is_direct(Side side) const;
    bool lanes_are_neighbours(Side side) const;
    bool points_are_neighbours(Side side) const;
    bool parts_loops(Side side) const;
    bool stages_part_loops(Side side) const;
    ir::Value keeps_whole(Side side);
    bool parts_lanes(Side side) const;
    std::uint32_t points_touched(Side side) const { return sequence_points(spec_, stages(side)); }
    ir::Value scratch_place(ir::Value element, ir::Value exists = {});
    void write_place(std::uint32_t array, ir::Value index, std::uint64_t constant, ir::Complex x);
    ir::Complex read_place(std::uint32_t array, ir::Value index, std::uint64_t constant);
    void stage_in_along(std::uint32_t array);
    void stage_out_along(std::uint32_t array);
    const std::vector<Stage>& stages(Side side) const { return spec_.side(side).stages; }
    ir::Value origin(unsigned lane, Side side) const;
    Place place(ir::Value element, unsigned lane, std::uint32_t run = 1) const;
    ir::Value predicate(Side side, const Place& at);
    ir::Complex load_vector(ir::Value index, std::uint64_t leg);
    void store_vector(ir::Value index, std::uint64_t leg, ir::Complex y);
    ir::Complex apply_to_lanes(Side side, ir::Complex x, const Place& at);
    ir::Complex shared_twiddle(const FourStepTwiddle& t, const Place& at);
    ir::Complex lane_twiddle(const FourStepTwiddle& t, ir::Complex x, const Place& at);
    ir::Complex load_point(ir::Value index, unsigned lane);
    void store_point(ir::Value index, unsigned lane, ir::Complex y);
    void for_each(std::uint32_t begin, std::uint32_t end, std::uint32_t step, const Body& body);
    ir::Value may_go_together(Side side);
    void stage_in(std::uint32_t array);
    void stage_out(std::uint32_t array);
    const Kept& kept(Side side) const { return spec_.side(side).kept; }
    bool keeps_by_loop(Side side) const;
    std::vector<Range> ranges(Side side, std::uint32_t points) const;
    struct Way {
        Side side = Side::input;
        std::uint32_t points = 0;
        bool in_runs = false, in_lanes = false;  // registers along a sequence, or across neighbouring ones
    };
    void for_each_in(const Range& range, bool in_runs, const Body& run, const Body& point);
    void for_each_kept(const Way& way, const Body& run, const Body& point);
    void for_each_missing(std::uint32_t points, const Body& point);
    void clear(std::uint32_t array, std::uint32_t begin);
    bool may_lack_rows(Side side) const;
    ir::Value has_row(bool is_full, unsigned lane) const;
    void load_block(std::uint32_t array, ir::Value index, bool is_full);
    void store_block(std::uint32_t array, ir::Value index, bool is_full);
    void load_lone(std::uint32_t array, ir::Value index);
    void store_lone(std::uint32_t array, ir::Value index);
    void load_lanes(std::uint32_t array, ir::Value index);
    void store_lanes(std::uint32_t array, ir::Value index);

    // simd/split_halves.cpp
    bool has_halves(Side side) const;
    bool halves_in_runs(Side side) const;
    bool halves_in_lanes(Side side) const;
    ir::Complex from_halves(ir::Value element, ir::Complex x);
    ir::Complex to_halves(ir::Value element, ir::Complex y);
    ir::Complex lane_turn(const Turn& t, ir::Complex x, const Place& at);
    void for_each_of_half(const Way& way, std::uint64_t half, const Body& run, const Body& point);
    ir::Value plane_place(ir::Value index, std::uint64_t half, std::uint64_t ahead);
    ir::Value load_number(ir::Value index, std::uint64_t half, unsigned lane);
    void store_number(ir::Value index, std::uint64_t half, unsigned lane, ir::Value x);
    void load_numbers(std::uint32_t array, ir::Value index, std::uint64_t half);
    void store_numbers(std::uint32_t array, ir::Value index, std::uint64_t half);
    void load_number_block(std::uint32_t array, ir::Value index, std::uint64_t half);
    void store_number_block(std::uint32_t array, ir::Value index, std::uint64_t half);
    void load_lane_numbers(std::uint32_t array, ir::Value index, std::uint64_t half);
    void store_lane_numbers(std::uint32_t array, ir::Value index, std::uint64_t half);
    void move_halves(Side side, std::uint32_t array, const Way& way);
    void stage_halves(Side side, std::uint32_t array);

    // simd/real.cpp
    using TakeElement = std::function<void(ir::Value, ir::Complex)>;
    using MakeElement = std::function<ir::Complex(ir::Value)>;
    ir::Type number_type() const;
    ir::Value read_number(std::uint32_t array, ir::Value index, ir::Value exists = {});
    void write_number(std::uint32_t array, ir::Value index, ir::Value x, ir::Value exists);
    ir::Complex read_point(std::uint32_t array, ir::Value index);
    void write_point(std::uint32_t array, ir::Value index, ir::Complex x, ir::Value exists);
    ir::Value number_place(ir::Value index, const RealMap& map, ir::Value exists = {});
    ir::Complex load_element(ir::Value index, unsigned lane, unsigned count, bool is_full = false);
    void store_element(ir::Value index, unsigned lane, ir::Complex x, bool is_full = false);
    ir::Complex apply_to_elements(Side side, ir::Value index, ir::Complex x);
    void for_each_input(std::uint32_t count, const TakeElement& keep);
    void for_each_output(std::uint32_t count, const MakeElement& find);
    bool has_bins_in_runs(Side side, const RealMap& map) const;
    void for_each_pair(const Body& run, const Body& pair);
    ir::Value first_mirror(ir::Value k);
    void load_bins(std::uint32_t array, const RealMap& map);
    void store_bins(std::uint32_t array, const RealMap& map);
    void stage_in_real(std::uint32_t array);
    void stage_out_real(std::uint32_t array);

    std::uint32_t plane_points() const { return scratch_points(spec_); }
    std::uint32_t per_point() const { return shape_.across ? lanes_ : 1; }
    std::uint32_t per_iteration() const { return shape_.across ? 1 : lanes_; }

    Frame frame_;
    const KernelSpec& spec_;
    const SimdShape& shape_;
    ir::Builder& build_;
    unsigned lanes_;
    bool shares_;  // lanes share every loop index but the fastest
    std::vector<SimdStage> stages_;
    std::vector<std::uint32_t> sums_;  // scratch arrays of the outputs' channels
    std::uint32_t channel_ = 0;        // at work
    bool spectra_together_ = false;    // in this branch lanes are neighbours in the spectra
    Unit unit_;
};

}  // namespace seiche::kernels
