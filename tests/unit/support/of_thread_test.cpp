#include "support/of_thread.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace seiche::support {
namespace {

struct Tag;
std::string seen;  // by a destructor of the thread's that runs after that of its object

struct Late {
    bool is_there = false;
    ~Late() {
        of_thread<std::string, Tag>() += "late, in more characters than a short string has";
        seen = of_thread<std::string, Tag>();
    }
};

TEST(OfThread, IsThereForDestructorsThatRunAfterItsOwn) {
    std::thread([] {
        thread_local Late late;  // made first, destroyed last
        late.is_there = true;
        of_thread<std::string, Tag>() = "early, in more characters than a short string has";
    }).join();
    EXPECT_EQ(seen, "late, in more characters than a short string has");
}

TEST(OfThread, IsOneOfEachThread) {
    int& mine = of_thread<int, Tag>();
    mine = 7;
    std::thread([] { of_thread<int, Tag>() = 8; }).join();
    EXPECT_EQ((&of_thread<int, Tag>()), &mine);
    EXPECT_EQ(mine, 7);
}

}  // namespace
}  // namespace seiche::support
