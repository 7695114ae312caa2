// Uniformity of values: what is certainly the same for all threads of a group, or of a cluster.
#include <algorithm>

#include "ir/verify.hpp"

namespace seiche::ir {

namespace {

class UniformityPass {
public:
    explicit UniformityPass(const Kernel& kernel)
        : kernel_(kernel),
          levels_(kernel.code.size(), Uniformity::cluster),
          arrays_(kernel.privates.size(), Uniformity::cluster),
          // A group of one thread agrees with itself; so does a cluster of one group.
          floor_(kernel.launch.group_size() > 1 ? Uniformity::none
                                                : (cluster_size() > 1 ? Uniformity::group : Uniformity::cluster)) {}

    /// Private arrays carry values around loops, so start from the best and lower until nothing changes.
    std::vector<Uniformity> run() {
        do {
            changed_ = false;
            sweep();
        } while (changed_);
        return levels_;
    }

private:
    std::uint32_t cluster_size() const {
        const auto& c = kernel_.launch.cluster;
        return c[0] * c[1] * c[2];
    }

    Uniformity of_group() const { return cluster_size() > 1 ? Uniformity::group : Uniformity::cluster; }

    Uniformity of_operands(const Instruction& i, unsigned count = 4) const {
        Uniformity level = Uniformity::cluster;
        for (unsigned k = 0; k < count; ++k) {
            if (i.operands[k] < levels_.size()) level = std::min(level, levels_[i.operands[k]]);
        }
        return level;
    }

    Uniformity of_leaf(const Instruction& i) const {
        switch (i.op) {
            case Op::thread_id:
                return i.immediate < 3 && kernel_.launch.group[i.immediate] == 1 ? Uniformity::cluster
                                                                                 : Uniformity::none;
            case Op::subgroup_lane: return Uniformity::none;
            case Op::group_id:
            case Op::cluster_rank: return of_group();
            default: return Uniformity::cluster;
        }
    }

    /// A load gives everybody the same where the address is the same and nobody can be writing meanwhile.
    Uniformity of_load(const Instruction& i) const {
        switch (i.op) {
            case Op::global_load: {
                const bool constant = i.symbol < kernel_.buffers.size() &&
                                      kernel_.buffers[i.symbol].access == Access::read &&
                                      !kernel_.buffers[i.symbol].may_alias;
                return constant ? of_operands(i) : Uniformity::none;
            }
            case Op::shared_load: return std::min(of_group(), of_operands(i));
            case Op::private_load:
                return i.symbol < arrays_.size() ? std::min(arrays_[i.symbol], of_operands(i)) : Uniformity::none;
            default: return Uniformity::none;
        }
    }

    Uniformity of(const Instruction& i) const {
        switch (op_kind(i.op)) {
            case OpKind::leaf: return of_leaf(i);
            case OpKind::memory: return of_load(i);
            case OpKind::image:
            case OpKind::cluster:
            case OpKind::atomic:
            case OpKind::call:
            case OpKind::matrix: return Uniformity::none;
            default: return of_operands(i);
        }
    }

    void lower(Uniformity& level, Uniformity to) {
        to = std::max(to, floor_);
        if (to < level) {
            level = to;
            changed_ = true;
        }
    }

    void sweep() {
        std::vector<Uniformity> control{Uniformity::cluster};
        for (std::size_t i = 0; i < kernel_.code.size(); ++i) {
            const Instruction& instruction = kernel_.code[i];
            lower(levels_[i], of(instruction));
            switch (instruction.op) {
                case Op::loop_begin:
                case Op::if_begin: control.push_back(std::min(control.back(), of_operands(instruction))); break;
                case Op::loop_end:
                case Op::if_end:
                    if (control.size() > 1) control.pop_back();
                    break;
                case Op::private_store:
                    if (instruction.symbol < arrays_.size()) {
                        lower(arrays_[instruction.symbol], std::min(control.back(), of_operands(instruction)));
                    }
                    break;
                default: break;
            }
        }
    }

    const Kernel& kernel_;
    std::vector<Uniformity> levels_;
    std::vector<Uniformity> arrays_;
    Uniformity floor_;
    bool changed_ = false;
};

}  // namespace

std::vector<Uniformity> uniformity(const Kernel& kernel) { return UniformityPass(kernel).run(); }

}  // namespace seiche::ir
