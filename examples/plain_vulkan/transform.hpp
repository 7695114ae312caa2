// A Fourier transform out of files: what `seiche emit --dialect spirv --json` wrote, on a device of your own.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "launch.hpp"

class Transform {
public:
    /// Reads a description; the shaders lie beside it. Throws engine::NoDevice.
    explicit Transform(const std::string& description);

    /// All launches, in one command buffer.
    void run() { device_.run(); }
    /// "input" or "output", which are one in place. Throws std::out_of_range where the kernels have no such array.
    std::byte* array(const std::string& holds) const { return arrays_.at(place(holds)).bytes; }
    const char* device() const { return device_.properties().deviceName; }

private:
    std::string place(const std::string& holds) const;
    const engine::Buffer& buffer_for(const nlohmann::json& kernel, const nlohmann::json& buffer);
    engine::Launch launch(const nlohmann::json& kernel, const std::string& folder);

    nlohmann::json description_;
    engine::Device device_;
    std::map<std::string, engine::Buffer> arrays_;
};
