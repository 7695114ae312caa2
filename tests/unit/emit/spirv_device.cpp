// An OpenCL device that is given SPIR-V.
#include "spirv_device.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "run_kernel.hpp"
#include "runtime/library.hpp"
#include "runtime/opencl/device.hpp"
#include "runtime/opencl/module.hpp"
#include "runtime/published.hpp"
#include "seiche/error.hpp"

namespace seiche::test {

namespace {

namespace opencl = runtime::opencl;

std::string translated(const emit::Source& source) {
    const std::string module = write_module(source), bitcode = module + ".bc";
    const int status = std::system((SEICHE_LLVM_SPIRV " -r " + module + " -o " + bitcode).c_str());
    std::ifstream stream(bitcode, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    for (const std::string& file : {module, bitcode}) std::filesystem::remove(file);
    if (status != 0) throw BackendError("llvm-spirv refused the module of " + source.entry);
    return bytes;
}

class SpirvDevice final : public runtime::Device {
public:
    SpirvDevice(std::shared_ptr<runtime::Device> inner, PlannedFor planned_for)
        : inner_(std::move(inner)), planned_for_(planned_for) {
        info_ = inner_->info();
        if (planned_for == PlannedFor::cpu) return;
        const bool is_gpu = planned_for == PlannedFor::gpu, is_arc = planned_for == PlannedFor::arc;
        info_.limits.vectors = Vectors::subgroups;
        info_.limits.max_group_size = is_gpu ? 256 : 1024;
        info_.limits.subgroup_size = is_gpu ? 32 : 16;
        info_.limits.shared_bytes = (is_gpu ? 32 : is_arc ? 64 : 128) * 1024;
        if (is_gpu) return;
        info_.limits.shared_bytes_per_unit = 128 * 1024;
        info_.limits.registers_per_thread = runtime::intel_lane_registers(is_arc ? 8 : 16, 16);
        info_.limits.sector_bytes = 64;
        info_.limits.bounds_registers = false;
    }

    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override {
        emit::Target target = inner_->target();
        target.dialect = emit::Dialect::spirv_opencl;
        if (planned_for_ == PlannedFor::max) target.subgroup_size = info_.limits.subgroup_size;
        return target;
    }
    std::string compiler_version() const override { return "llvm-spirv"; }
    bool keeps_binaries() const override { return false; }
    runtime::Binary compile(const emit::Source&) override { return {}; }
    std::shared_ptr<runtime::Module> load(const emit::Source& source, const runtime::Binary&) override {
        return build(source);
    }
    std::shared_ptr<runtime::Module> build(const emit::Source& source) override {
        const auto& session = dynamic_cast<opencl::OpenclDevice&>(*inner_).session();
        const std::string bitcode = translated(source);
        const auto* bytes = reinterpret_cast<const unsigned char*>(bitcode.data());
        const std::size_t size = bitcode.size();
        opencl::Int status = opencl::success, code = opencl::success;
        const opencl::Program program = opencl::api().clCreateProgramWithBinary(session->context, 1, &session->device,
                                                                                &size, &bytes, &status, &code);
        opencl::check(code, "clCreateProgramWithBinary", source.entry);
        code = opencl::api().clBuildProgram(program, 1, &session->device, "-x spir -spir-std=1.2", nullptr, nullptr);
        opencl::check(code, "clBuildProgram", source.entry);
        return std::make_shared<opencl::OpenclModule>(session, program, source);
    }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t bytes) override { return inner_->allocate(bytes); }
    std::shared_ptr<runtime::Queue> create_queue() override { return inner_->create_queue(); }

private:
    std::shared_ptr<runtime::Device> inner_;
    PlannedFor planned_for_;
    DeviceInfo info_;
};

}  // namespace

std::string write_module(const emit::Source& source) {
    const std::string path =
        runtime::unique_name(std::filesystem::temp_directory_path(), "seiche-" + source.entry).string() + ".spv";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(source.words.data()),
               static_cast<std::streamsize>(source.words.size() * sizeof(std::uint32_t)));
    return path;
}

std::shared_ptr<runtime::Device> open_spirv_device(PlannedFor planned_for, std::string& reason) {
    if (std::string(SEICHE_LLVM_SPIRV).empty()) {
        reason = "no llvm-spirv on this machine";
        return nullptr;
    }
    auto device = try_open("opencl:pocl", reason);
    return device ? std::make_shared<SpirvDevice>(std::move(device), planned_for) : nullptr;
}

}  // namespace seiche::test
