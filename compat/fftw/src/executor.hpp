// What a plan does when it is executed.
#pragma once

#include <memory>
#include <string>

#include "form.hpp"
#include "seiche/device.hpp"
#include "seiche/tuning.hpp"
#include "settings.hpp"

namespace seiche_fftw {

/// Operations in FFTW's words.
struct Flops {
    double add = 0, mul = 0, fma = 0;
};

/// Immutable once made; any number of threads may run it at once.
class Executor {
public:
    virtual ~Executor() = default;
    /// The arrays are arranged as the form says.
    virtual void run(const Arrays& arrays) const = 0;
    /// One line for people.
    virtual std::string text() const = 0;
    /// What it counts as in the report at exit.
    virtual Count way() const = 0;
    virtual Flops flops() const = 0;
    virtual double cost() const;
};

/// Rank 0, and plans of nothing.
std::unique_ptr<Executor> make_copy(const Form& form);
/// By a Seiche device: on the arrays as they lie where the device can reach them and the library takes them so, else by
/// way of dense ones. Throws seiche::Error.
std::unique_ptr<Executor> make_own(const Form& form, const seiche::Device& device, const seiche::Tuning& tuning);
/// By a real FFTW; null where there is none or it does not plan this.
std::unique_ptr<Executor> make_real(const Form& form, const Arrays& arrays);

}  // namespace seiche_fftw
