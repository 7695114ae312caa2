// The conversation with another program, and with seiche-peers.
#include "cli/measure/peer.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "cli/problem/suites.hpp"
#include "cli/text/failure.hpp"
#include "cli/workflow/workflow_text.hpp"
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

// As PoCL 5 does when it is loaded, which hides every other OpenCL device from what is started then.
TEST(ChildProcess, DoesNotHaveWhatADriverPutsIntoTheEnvironment) {
    ASSERT_EQ(setenv("SEICHE_TEST_DRIVER", "late", 1), 0);
    ChildProcess child({"/bin/sh", "-c", "echo \"[$SEICHE_TEST_DRIVER] $PATH\""});
    const std::string answer = child.receive();
    EXPECT_EQ(answer.rfind("[] ", 0), 0u) << answer;
    EXPECT_NE(answer, "[] ");
    unsetenv("SEICHE_TEST_DRIVER");
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
    PeerPrograms programs;
    try {
        Peer fftw(programs, "fftw", parse_problem("60 f64 batch=8"), anything);
        EXPECT_THROW(fftw.run(2), Failure);  // before its answer is known to be right
        fftw.verify();
        EXPECT_GT(fftw.run(2), 0);
        EXPECT_EQ(fftw.description().rfind("fftw-", 0), 0u) << fftw.description();
    } catch (const Failure& absent) {
        EXPECT_STREQ(absent.what(), "this seiche-peers was built without fftw");
    }
    EXPECT_THROW(Peer(programs, "fftw", parse_problem("8x8 axes=0"), anything), Failure);
    EXPECT_THROW(Peer(programs, "fftw", parse_problem("8 idist=9 batch=2"), anything), Failure);
    EXPECT_THROW(Peer(programs, "no-such-library", parse_problem("8"), anything), Failure);
}

std::string refusal(const std::string& library, const std::string& problem) {
    PeerPrograms programs;
    try {
        Peer(programs, library, parse_problem(problem), DeviceInfo());
    } catch (const Failure& reason) {
        return reason.what();
    }
    return "";
}

TEST(Peer, OffersHalvesToLibrariesAndNoOtherStorage) {
    setenv("SEICHE_PEERS", SEICHE_TEST_PEERS, 1);
    EXPECT_EQ(refusal("rocfft", "64 f16 batch=2"), "rocfft: timed in f32 and f64 only, got f16");
    EXPECT_EQ(refusal("rocfft", "64 bf16 batch=2"), "rocfft: timed in f32 and f64 only, got bf16");
    EXPECT_EQ(refusal("cufft", "64 r2c f16"), "f16: complex transforms only");
    for (const char* other : {"64 f64 storage=f32", "64 f64 storage=f16"})
        EXPECT_EQ(refusal("cufft", other),
                  "peers take arrays of the arithmetic's own precision, or halves for f32, only")
            << other;
    EXPECT_EQ(refusal("cufft", "64 f16-arithmetic"), "peers compute in f32 and f64 only, got f16-arithmetic");
}

TEST(Peer, GoesOnFromProblemToProblem) {
    setenv("SEICHE_PEERS", SEICHE_TEST_PEERS, 1);
    PeerPrograms programs;
    EXPECT_EQ(programs.ask("fftw", "list").find("peers "), 0u);
    setenv("SEICHE_PEERS", "/nonexistent/program", 1);  // from here on none can be started
    EXPECT_EQ(programs.ask("fftw", "list").find("peers "), 0u);
    EXPECT_THROW(programs.ask("clfft", "list"), Failure);
    setenv("SEICHE_PEERS", SEICHE_TEST_PEERS, 1);
}

TEST(Peer, IsStartedAnewAfterItsEnd) {
    setenv("SEICHE_PEERS", "/bin/true", 1);
    PeerPrograms programs;
    EXPECT_THROW(programs.ask("fftw", "list"), Failure);
    setenv("SEICHE_PEERS", SEICHE_TEST_PEERS, 1);
    EXPECT_EQ(programs.ask("fftw", "list").find("peers "), 0u);
}
#endif

TEST(Suites, AreProblemsAndNamed) {
    for (const Suite& suite : suites()) {
        EXPECT_FALSE(suite.cases.empty());
        std::set<std::string> problems;
        for (const SuiteCase& one : suite.cases) {
            const auto name = [&] {
                return is_workflow(one.problem) ? one.problem : to_string(parse_problem(one.problem));
            };
            EXPECT_NO_THROW(problems.insert(name())) << one.problem;
            EXPECT_TRUE(one.mark >= 0 && one.mark < 1) << one.problem;
        }
        EXPECT_EQ(problems.size(), suite.cases.size()) << suite.name << " has one twice";
        EXPECT_EQ(&find_suite(suite.name), &suite);
    }
    EXPECT_THROW(find_suite("nothing"), UsageError);
}

}  // namespace
}  // namespace seiche::cli
