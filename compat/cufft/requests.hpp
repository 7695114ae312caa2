// The arguments of the functions with one length a dimension, as requests.
#pragma once

#include <initializer_list>

#include "layout.hpp"

namespace seiche::compat {

/// Basic layouts, slowest axis first.
inline PlanRequest dense_request(std::initializer_list<int> lengths, int type, int batch) {
    PlanRequest request;
    request.elements = elements_of_type(type);
    request.batch = batch;
    for (const int n : lengths) request.n[static_cast<std::size_t>(request.rank++)] = n;
    return request;
}

}  // namespace seiche::compat
