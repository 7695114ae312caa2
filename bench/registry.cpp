// The peers that this build carries: those found at configuration, and those that are loaded at run time.
#include "bench/transform.hpp"

namespace seiche::bench {

const std::vector<Peer>& peers() {
    static const std::vector<Peer> all = {
#ifdef SEICHE_PEERS_FFTW
        {"fftw", prepare_fftw},
#endif
#ifdef SEICHE_PEERS_CLFFT
        {"clfft", prepare_clfft},
#endif
#ifdef SEICHE_PEERS_VKFFT
        {"vkfft", prepare_vkfft},
#endif
#ifdef SEICHE_PEERS_VKFFT_VULKAN
        {"vkfft-vulkan", prepare_vkfft_vulkan},
#endif
#ifdef SEICHE_PEERS_VKFFT_CUDA
        {"vkfft-cuda", prepare_vkfft_cuda},
#endif
        {"cufft", prepare_cufft},
        {"rocfft", prepare_rocfft},
    };
    return all;
}

}  // namespace seiche::bench
