// The GPU core's generator: see group.cpp for the transform. Ways between memory and registers are methods of their
// own, so that other ways can stand beside them.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/butterfly.hpp"
#include "kernels/contract/generate.hpp"
#include "kernels/frame.hpp"
#include "kernels/group/bank_conflicts.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/real/bin_pairs.hpp"
#include "kernels/real/real_map.hpp"

namespace seiche::kernels {

class GroupKernel {
public:
    explicit GroupKernel(const KernelSpec& spec) : GroupKernel(spec, Frame(spec, 2)) {}
    /// Of a pass that shares another one's kernel.
    GroupKernel(const KernelSpec& spec, Frame frame);
    ir::Kernel build();
    Core build_core(Direction direction);

private:
    /// Which butterflies a thread has together in slots 2 v and 2 v + 1: any, b and butterflies - 1 - b, or b and
    /// butterflies - b; or of mirrored columns of bins.
    enum class Pairing : std::uint8_t { none, mirrored, opposite, columns };

    struct StageDeal {
        std::uint32_t radix = 1;
        std::uint32_t s = 1;            // product of the radices before
        std::uint32_t butterflies = 1;  // per sequence
        std::uint32_t slots = 1;        // butterflies per thread
        ThreadOrder order = ThreadOrder::element_fastest;
        std::uint32_t copy = 0;  // of the twiddles
        bool is_deal = false;    // of a convolution's points of memory, which may be fewer than the core's
        Pairing pairing = Pairing::none;
        // In shared memory, behind each block of s of its points and of radix s of its results.
        std::uint32_t room_of_points = 0, room_of_results = 0;
    };

    enum class Part : std::uint8_t { real, imaginary, whole };

    /// One butterfly of one thread: which sequence of the group, which butterfly, and whether it exists.
    struct Slot {
        ir::Value sequence_in_group;
        ir::Value butterfly;
        ir::Value exists;  // empty: always
        ir::Value owns;    // as exists, but false for one that is its own mirror and has a slot already
        ir::Value lane;    // a butterfly of the thread from which it has others, apart by stride()
        ir::Value block;   // of neighbouring butterflies
        ir::Value flat;    // the point's place among all of the group's, where the threads' order is theirs
    };

    /// One element of the memory's side of a real map, or one pair of bins.
    struct Item {
        ir::Value sequence_in_group, sequence, index;
        ir::Value exists;  // as an item
        ir::Value live;    // as an item of a sequence that there is
    };

    // group.cpp
    void deal_stages();
    bool leaves_registers() const;
    bool fills_registers() const;
    std::uint32_t slots_of(const StageDeal& stage) const;
    /// From one of a thread's butterflies to the next, but for its neighbours.
    std::uint32_t stride() const { return shape_.threads * shape_.exchange.neighbours; }
    void add_core(const std::vector<std::uint32_t>& radices, std::uint32_t copy);
    void add_deal(bool input);
    void deal_kept_points(StageDeal& end, bool input) const;
    void check_orders() const;
    Slot slot(const StageDeal& stage, std::uint32_t u);
    ir::Value is_at_work();
    /// Of leg `leg` in slot u: its element is the slot's lane and this many times stride().
    std::uint32_t row_of(const StageDeal& stage, std::uint32_t u, std::uint32_t leg) const {
        return (u + leg * stage.slots) / shape_.exchange.neighbours;
    }
    void load();
    void load_points();
    void pass_loaded();
    ir::Complex pass_through(const std::vector<Stage>& side, ir::Complex x, const Slot& where, const Place& place,
                             std::uint32_t row);
    static ir::Complex product_of(const std::vector<ir::Complex>& factors);
    std::vector<ir::Complex> row_factors(const FourStepTwiddle& twiddle, const std::vector<Stage>& side,
                                         const Slot& where, const Place& place, std::uint32_t row);
    enum class Keeps : std::uint8_t { none, some, all };
    /// How the index along the axis is found, as in Kept and Chirp.
    struct AxisIndex {
        std::uint64_t element_stride = 1;
        std::int32_t loop = -1;
        std::uint64_t loop_step = 1;
    };
    Keeps lie_in(const std::vector<Range>& ranges, const AxisIndex& index, const StageDeal& stage,
                 std::uint64_t leg) const;
    Keeps keeps(const StageDeal& stage, std::uint64_t leg, Side side) const;
    Keeps lets_through(const StageDeal& stage, std::uint64_t leg, const std::vector<Stage>& side) const;
    ir::Value inside(const StageDeal& stage, std::uint64_t leg, const std::vector<Stage>& side, const Place& place);
    Factors factors(const StageDeal& stage, std::uint32_t u);
    void fetch_factors(const StageDeal& stage);
    void compute(std::size_t i);
    void turn();
    void run_channels();
    void run_once();
    void run_core_in_loop();
    void run_turns(std::size_t first);
    bool loads_parts_of_lines() const;
    void hint_loads(ir::CacheHint hint);
    void run_stages(std::size_t begin, std::size_t end);
    ir::Value origin(ir::Value sequence, Side side);
    void store();

    // group/on_chip.cpp
    Crossing crossing() const { return crossing_of(spec_); }
    ir::Value tile_sequence(const Slot& slot);
    /// Of the sequences of a group: which transform, which of those beside it, and which of its sequences in the group.
    struct InTile {
        ir::Value transform, crossing, beside;
    };
    InTile in_tile(ir::Value sequence_in_group);
    ir::Kernel build_fused();
    std::uint32_t choose_fused_layout(GroupKernel& next);
    /// Of what a stage touches: a few legs of two subgroups, or all of some subgroups.
    enum class Counted : std::uint8_t { few, most };
    std::uint32_t choose_layout_behind(GroupKernel& next);
    std::uint32_t choose_own_layout(std::uint32_t room);
    void run_fused(GroupKernel& next);
    void cross_and_run(GroupKernel& next);
    void take_whole_transforms(GroupKernel& next, std::size_t loops);
    std::vector<AccessPattern> crossed_patterns(const GroupKernel& next, Counted counted) const;
    std::uint32_t mirrored_row(std::uint32_t k) const;
    struct RowOf {
        ir::Value rank, row;
    };
    RowOf mirrored_row(const StageDeal& stage, ir::Value p, std::uint32_t leg);
    void meet();
    void cross(GroupKernel& next);
    void write_crossing(const GroupKernel& next, Part part);
    void put_for(ir::Value rank, Part part, ir::Value at, const ir::Complex& point, ir::Value predicate);

    // group/pipelined.cpp
    ir::Kernel build_trailing();
    using Passes = std::span<const std::unique_ptr<GroupKernel>>;
    std::uint32_t choose_common_layout(GroupKernel* beside, Passes behind);
    struct Ticket {
        ir::Value number, slices;              // among those of this pass and of those behind it; of the launch
        std::uint64_t counters = 1, pass = 0;  // of a slice; which this is
    };
    void run_in_turn(const Ticket& ticket, GroupKernel* beside, Passes behind);
    struct Drawn {
        ir::Value is_leading, group;  // of its pass, or a ticket of those behind it
    };
    Drawn drawn(const Ticket& ticket, std::uint64_t groups, std::uint64_t groups_behind);
    ir::Value counter(const Ticket& ticket, std::uint64_t pass, ir::Value slice);
    void keep_between(std::size_t begin, bool is_last_to_load);
    void take(ir::Value group);
    /// Of the launch, or of the pass that shares it.
    ir::Value group_id() { return group_ ? group_ : frame_.builder.group_id(); }
    ir::Value first_sequence() { return first_sequence_ ? first_sequence_ : group() * std::uint64_t{shape_.sequences}; }

    // group/core_function.cpp
    struct Move {
        bool load = false, swap = false;  // from the registers; real and imaginary part exchanged
    };
    void move_registers(std::uint32_t array, const StageDeal& stage, const Move& move);
    CoreSide side(const StageDeal& stage) const;

    // group/conjugate_pairs.cpp
    Slot opposite_slot(const StageDeal& stage, std::uint32_t u, Slot slot);
    struct BinPair {
        std::size_t low = 0, high = 0;  // of points_: bins k and m - k
        std::size_t first_high = 0;     // bin m - k in the thread of butterfly 0
        ir::Value is_first;             // it is that thread; empty: never
        LowBin bin;
        ir::Value sequence, exists;
    };
    std::vector<BinPair> bin_pairs(const StageDeal& stage, std::uint32_t u);
    static std::optional<std::size_t> middle_bin(const StageDeal& stage);
    ir::Complex select(ir::Value condition, ir::Complex a, ir::Complex b);
    std::array<ir::Value, 4> load_numbers(const RealMap& map, const BinPair& pair);
    void load_bins();
    void store_bins();
    void load_fours();
    void store_fours();

    // group/mirrored_columns.cpp
    ir::Value has_own_mirrors();
    Slot column_slot(const StageDeal& stage, std::uint32_t u, Slot slot);
    std::vector<BinPair> column_pairs(const StageDeal& stage, std::uint32_t u);
    void load_twos();
    void store_twos();
    void store_bin_element(const BinPair& pair, const SpectrumElement& element);

    // group/real_plane.cpp
    /// Bins (e, c) and (-e, m - c) of a plane's spectrum, and the points that make them: (element, low) and (mirrored,
    /// high), columns counted as the group has them.
    struct PlaneItem {
        ir::Value transform, pair;    // of the group
        ir::Value element, mirrored;  // e less `ahead`, -e and `ahead`
        std::uint64_t ahead = 0;
        bool is_disjoint = false;     // element and `ahead` have no bit in common
        ir::Value column, low, high;  // c, and where the group has c and m - c
        ir::Value is_first;           // c is 0; empty: it is known
        ir::Value is_other;           // the second point is another than the first; empty: it is
        ir::Value sequence;           // the first of the transform
        ir::Value exists, live;       // as an item; of a transform that there is
    };
    const RealMap& plane_map() const { return spec_.in.bins() ? *spec_.in.bins() : *spec_.out.bins(); }
    std::uint32_t plane_transforms() const;
    ir::Value plane_origin(ir::Value transform);
    std::vector<PlaneItem> plane_items(std::uint64_t columns, std::uint64_t elements);
    std::vector<PlaneItem> plane_bins();
    std::vector<PlaneItem> plane_column(std::uint64_t column);
    std::vector<PlaneItem> plane_middle();
    ir::Value plane_place(const PlaneItem& item, ir::Value column, bool is_mirrored);
    ir::Value plane_address(const PlaneItem& item, bool is_mirrored, ir::Value column, Side side);
    void store_plane();
    void store_in_plane(const PlaneItem& item, bool is_mirrored, const SpectrumElement& bin);
    void load_plane();
    PointPair load_plane_bins(PlaneItem& item);
    PointPair load_plane_edge(const PlaneItem& item);
    void add_plane_patterns(std::vector<AccessPattern>& all) const;

    // group/mirrored_points.cpp
    Slot paired_slot(const StageDeal& stage, std::uint32_t u, Slot slot);
    Slot mirrored_slot(const StageDeal& stage, Slot slot);
    struct MirroredPair {
        std::size_t low = 0, high = 0;  // of points_: element j below the middle, and points - 1 - j
        ir::Value element;              // j
        Slot slot;                      // that has point j
        ir::Value is_not_middle;        // j is not m - 1 - j; empty: never
    };
    struct Places {
        ir::Value first, second, has_second;
    };
    Places mirrored_places(const MirroredPair& pair, Kind kind);
    void store_pair(const MirroredPair& pair, Kind kind, const Places& places);
    std::vector<MirroredPair> mirrored_pairs(const StageDeal& stage);
    PointPair load_pair(const MirroredPair& pair, Kind kind);
    void load_mirrored();
    void store_mirrored();
    /// Which pairs of numbers in memory points of a column and of its mirror are made of, or make.
    Places places_of_columns(const MirroredPair& pair, const Folded& fold);
    void load_columns();
    void store_columns();

    // group/folded.cpp
    ir::Value group();
    struct FoldedPoint {
        Place place;
        std::uint64_t leg = 0;  // its element is at least this, and less by the butterflies of the stage than
        std::uint64_t end = 0;  // this
        ir::Value origin, predicate;
    };
    ir::Value folded_index(const Folded& fold, const Place& place);
    ir::Complex load_of_odd(const FoldedPoint& point, ir::Value j);
    void store_of_odd(const FoldedPoint& point, ir::Value j, ir::Complex z);
    std::vector<OwnElement> elements_of_folded(const Folded& fold, const FoldedPoint& point, ir::Value j, Side side);
    ir::Complex load_folded(const FoldedPoint& point);
    void store_folded(const FoldedPoint& point, ir::Complex z);
    ir::Value mirrored_column(const Slot& slot);

    // group/split_halves.cpp
    bool is_empty(const StageDeal& stage, std::uint64_t leg, Side side) const;
    ir::Value half_predicate(const StageDeal& stage, std::uint64_t leg, const Place& place, Side side);
    ir::Complex load_halves(const StageDeal& stage, std::uint64_t leg, const Slot& where, const Place& place);
    void store_halves(const StageDeal& stage, std::uint64_t leg, const Slot& where, const Place& place, ir::Complex z);

    // group/real.cpp
    bool passes_numbers(Side side) const;
    StageDeal mapped(const std::vector<Stage>& side) const;
    void pass_stages(Side side);
    std::vector<Item> items(ThreadOrder order, std::uint64_t count);
    void load_real();
    void load_own();
    ir::Value load_number(const OwnElement& number, const Place& place, ir::Value origin);
    void place_signal();
    void place_spectrum();
    void store_real();
    void store_own();
    void store_number(const OwnElement& number, const Place& place, ir::Value origin, ir::Value x);
    void store_signal();
    void store_spectrum();
    std::vector<ir::Complex> read_points(const StageDeal& stage);
    void write_number(const Item& item, ir::Value index, ir::Value value, ir::Value exists);
    ir::Value read_number(const Item& item, ir::Value index);
    void write_point(const Item& item, ir::Value index, ir::Complex value, ir::Value exists);
    ir::Complex read_point(const Item& item, ir::Value index);
    ir::Value point_place(const Item& item, ir::Value index, ir::Value exists);
    void store_element(const Item& item, const SpectrumElement& element);
    void add_real_patterns(std::vector<AccessPattern>& all);
    bool has_real_map() const { return spec_.in.map() || spec_.out.map(); }

    /// The butterfly's place p within its run of s; the same value in every slot where the threads come in whole runs.
    ir::Value place_in_run(const StageDeal& stage, const Slot& where) {
        const bool is_whole = where.lane && stride() % stage.s == 0;
        return (is_whole ? where.lane : where.butterfly) % std::uint64_t{stage.s};
    }
    ir::Value sequence(const Slot& slot) {
        if (shape_.has_mirrors_in_group()) return mirrored_column(slot);
        if (shape_.tile) return tile_sequence(slot);
        return first_sequence() + slot.sequence_in_group;
    }
    ir::Value exists(const Slot& slot) {
        return frame_.total ? both(frame_.builder.less(sequence(slot), frame_.total), slot.exists) : slot.exists;
    }
    ir::Value both(ir::Value a, ir::Value b) { return !a ? b : !b ? a : a & b; }

    // group/contiguous.cpp
    bool is_one_run(const StageDeal& stage, Side side) const;
    ir::Value address_in_run(const Slot& where, Side side);
    ir::Value exists_in_run(const StageDeal& stage, std::uint32_t u);
    ir::Value place_in_plane(const StageDeal& stage, const Slot& where);
    bool rewrites_own_places(std::size_t stage) const;

    // group/rows.cpp
    ir::Value pair_origin(ir::Value sequence, Side side);
    void load_pairs();
    static std::uint32_t pitch_of_rows(std::uint32_t elements);
    struct RowElement {
        ir::Value row, sequence, element;  // of the group, of the launch, within it
        ir::Value exists, live;            // in the group; of a row that there is
    };
    RowElement row_element(std::uint64_t first, std::uint64_t each);
    void at_own_rows(const StageDeal& stage, std::size_t each, std::uint32_t pitch,
                     const std::function<void(ir::Value, std::size_t, ir::Value)>& what);
    std::uint32_t elements_of_row() const;
    void load_rows();
    struct StoredNumbers {
        ir::Value place, at;     // of a pair in shared memory; in memory
        ir::Value exists, live;  // in the group; of a row that there is
        ir::Value is_second;     // of the pair only this number is stored; empty: both are
        ir::Complex pair;
    };
    std::vector<StoredNumbers> stored_numbers();
    std::vector<ir::Complex> row_pairs();
    void store_rows();

    // group/prime_butterfly.cpp
    struct OwnPlaces;
    void run_in_places();
    void transform_in_places(const OwnPlaces& own);
    void transform_parts();
    void transform_points();
    ir::Value place_of_result(ir::Value base, ir::Value k);
    std::uint32_t extent_of_parts(std::uint32_t extent) const;

    // group/rader_parity.cpp
    void run_parity();
    void divide();
    void join(const std::vector<ir::Complex>& even);
    void convolve_part();
    struct PlacePair {
        ir::Value low, high, exists;
    };
    void for_each_pair(const StageDeal& stage, const std::function<void(std::size_t, const PlacePair&)>& visit);

    // group/neighbours.cpp
    bool moves_neighbours(Side side) const;
    void load_neighbours();
    void store_neighbours();
    void write_neighbours(const StageDeal& stage);
    void read_neighbours(const StageDeal& stage);

    // group/padded_exchange.cpp
    bool may_have_rooms() const;
    bool may_have_blocks() const;
    bool has_blocks(std::size_t stage) const;
    BlockedExchange blocked_exchange(std::size_t stage) const;
    void choose_blocks(std::uint32_t most);
    ir::Value room_ahead(const StageDeal& stage, std::uint32_t u, const Slot& where);

    // group/exchange.cpp
    struct Round {
        std::vector<Part> parts;
        std::uint32_t piece = 0;
    };
    std::vector<Round> rounds() const;
    void fetch_row_factors();
    std::uint64_t crossing_bytes(const GroupKernel& next, const Round& round) const;
    bool exchanges() const { return stages_.size() > 1 || has_real_map(); }
    void choose_exchange();
    void choose_layout();
    void choose_places(const std::vector<AccessPattern>& patterns, const Swizzle* other_than = nullptr);
    bool may_be_apart() const;
    std::uint32_t most_room_in_group(bool have_own_threads) const;
    void choose_pitch(std::uint32_t most, const std::function<std::vector<AccessPattern>()>& patterns);
    unsigned bytes_exchanged() const;
    std::uint32_t most_room() const;
    std::uint32_t exchange_extent() const;
    void declare_planes(std::uint32_t extent);
    void exchange(std::size_t from, std::size_t to);
    /// Of the results of a slot: whether they lie in this piece, known while generating or by the thread.
    struct InPiece {
        bool may_lie = true;
        ir::Value lies;  // empty: always
    };
    InPiece in_piece(const StageDeal& stage, std::uint32_t u, const Slot& where, std::uint32_t piece);
    void write_part(const StageDeal& stage, const StageDeal& next, Part part, std::uint32_t piece = 0);
    void read_part(const StageDeal& stage, const StageDeal& last, Part part, std::uint32_t piece = 0);
    std::uint32_t chunk_points() const { return spec_.n / shape_.exchange.chunks; }
    void put(Part part, ir::Value at, const ir::Complex& point, ir::Value predicate);
    void get(Part part, ir::Value at, ir::Complex& point, ir::Value predicate);
    bool exchanges_points() const {
        const bool passes = passes_numbers(Side::input) || passes_numbers(Side::output);
        return shape_.exchange.components == 2 &&
               ((shape_.is_scalarised && !has_real_map()) || (shape_.exchange.whole_points && !passes));
    }
    enum class Holds : std::uint8_t { any_point, not_point_0 };
    static Holds held(const StageDeal& stage, std::uint32_t u) {
        return u > 0 && stage.order != ThreadOrder::flat ? Holds::not_point_0 : Holds::any_point;
    }
    ir::Value place_by_logarithm(const Slot& where, Holds holds);
    ir::Value place_beside(ir::Value sequence_in_group);
    void put_beside(const StageDeal& stage, Part part);
    void get_beside(const StageDeal& stage, Part part);
    std::uint32_t places_of_sequence() const;
    bool takes_logarithms(const StageDeal& stage) const { return stage.is_deal && spec_.convolution.prime != 0; }
    std::uint32_t points_written(const StageDeal& stage) const;
    bool keeps_points(std::size_t stage) const { return is_convolution_ && stage == turn_ + 1; }
    struct HostPlace {
        std::uint32_t sequence = 0, place = 0;  // of the group, and within it
    };
    std::optional<HostPlace> host_place(const StageDeal& stage, std::uint32_t u, std::uint32_t thread,
                                        std::uint32_t leg, bool writes) const;
    static constexpr std::uint32_t pattern_lanes = 32;  // of a subgroup
    AccessPattern pattern_of(const StageDeal& stage, std::uint32_t slot, std::uint32_t leg, std::uint32_t first,
                             bool writes) const;
    void add_pattern(const StageDeal& stage, bool writes, bool all_legs, std::vector<AccessPattern>& all) const;
    void add_all_patterns(const StageDeal& stage, bool writes, std::vector<AccessPattern>& all) const;
    std::vector<AccessPattern> patterns();
    void add_side(const StageDeal& stage, bool writes, Counted counted, std::vector<AccessPattern>& all) const;
    void add_exchange_patterns(Counted counted, std::vector<AccessPattern>& all);
    void add_bins_patterns(Counted counted, std::vector<AccessPattern>& all);

    Frame frame_;
    const KernelSpec& spec_;
    const GroupShape& shape_;
    std::uint32_t group_size_ = 1, launched_ = 1;  // threads of the pass, and of the group
    std::vector<StageDeal> stages_;
    std::vector<ir::Complex> points_;   // [slot][leg] of the present stage
    std::uint64_t groups_before_ = 0;   // of a slice of the pass that this one trails
    ir::Value group_, first_sequence_;  // with a trailing pass: which of its pass; empty: that of the launch
    bool is_convolution_ = false;
    std::size_t turn_ = 0;  // the last stage of a convolution's first core; the next begins the second
    ir::Complex beside_;    // of a prime: point 0, then frequency 0, in the thread that has frequency 0 of the core
    std::vector<ir::Complex> odd_;  // as points_, of a prime's odd part
    ir::Value parity_;              // of a prime's: 0 while its even part is convolved, 1 its odd one; empty: it is one
    std::uint32_t channel_ = 0;     // at work
    /// How exchanged points lie in shared memory.
    struct Layout {
        Swizzle swizzle;
        std::uint32_t pitch = 0;
    };
    void exchange_layout(std::optional<Layout>& with);
    // Of what crosses to this pass, and of its plane's bins, if others than its exchanges'.
    std::optional<Layout> crossing_layout_, bins_layout_;
    Swizzle swizzle_;
    std::uint32_t pitch_ = 0;   // from one sequence's points, or their piece, in shared memory to the next one's
    std::uint32_t widest_ = 0;  // elements of a sequence whose blocks have room between them
    bool power_of_two_ = false;
    bool exchanged_ = false;
    std::uint32_t plane_[2] = {0, 0};
    std::uint64_t plane_offset_[2] = {0, 0};  // both planes are one array where numbers are found by their parity
};

}  // namespace seiche::kernels
