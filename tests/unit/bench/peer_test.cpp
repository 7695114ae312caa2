// The conversation with another program, and with seiche-peers.
#include "cli/peer.hpp"

#include <gtest/gtest.h>

#include "cli/failure.hpp"
#include "cli/suites.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {
namespace {

TEST(ChildProcess, AnswersLineByLine) {
    ChildProcess child({"/bin/cat"});
    child.send("one");
    child.send("two words");
    EXPECT_EQ(child.receive(), "one");
    EXPECT_EQ(child.receive(), "two words");
}

TEST(ChildProcess, HasTheEnvironmentThatIsAdded) {
    ChildProcess child({"/bin/sh", "-c", "echo $SEICHE_TEST_WORD"}, {{"SEICHE_TEST_WORD", "ripple"}});
    EXPECT_EQ(child.receive(), "ripple");
}

TEST(ChildProcess, SaysWhenTheOtherIsGone) {
    EXPECT_THROW(ChildProcess({"/nonexistent/program"}), Failure);
    ChildProcess child({"/bin/true"});
    EXPECT_THROW(child.receive(), Failure);
    EXPECT_THROW(child.send("anybody there?"), Failure);
}

#ifdef SEICHE_TEST_PEERS
TEST(Peer, RunsAndRefuses) {
    setenv("SEICHE_PEERS", SEICHE_TEST_PEERS, 1);
    const DeviceInfo anything;
    try {
        Peer fftw("fftw", parse_problem("60 f64 batch=8"), anything);
        EXPECT_GT(fftw.run(2), 0);
        EXPECT_EQ(fftw.description().rfind("fftw-", 0), 0u) << fftw.description();
    } catch (const Failure& absent) {
        EXPECT_STREQ(absent.what(), "this seiche-peers was built without fftw");
    }
    EXPECT_THROW(Peer("fftw", parse_problem("8x8 axes=0"), anything), Failure);
    EXPECT_THROW(Peer("fftw", parse_problem("8 idist=9 batch=2"), anything), Failure);
    EXPECT_THROW(Peer("no-such-library", parse_problem("8"), anything), Failure);
}
#endif

TEST(Suites, AreProblemsAndNamed) {
    for (const Suite& suite : suites()) {
        EXPECT_FALSE(suite.problems.empty());
        for (const std::string& text : suite.problems) EXPECT_NO_THROW(parse_problem(text)) << text;
        EXPECT_EQ(find_suite(suite.name).problems, suite.problems);
    }
    EXPECT_THROW(find_suite("nothing"), UsageError);
}

}  // namespace
}  // namespace seiche::cli
