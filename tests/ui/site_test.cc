#include "grader/ui/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace warpgrade::ui {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

std::string Text(const Board::State& state) { return std::to_string(state.page) + " " + state.status; }

class SiteTest : public testing::Test {
 protected:
  SiteTest() { board_.Show({"<html>mine</html>", "script-src 'sha256-x'"}, 3, "graded", false); }

  // As a browser asks for `what` with the right token.
  Request Asks(const std::string& what) const {
    return {.method = "GET",
            .path = "/token0/" + what,
            .after = "0",
            .host = "127.0.0.1:4000",
            .origin = "",
            .site = "none"};
  }

  Board board_;
  Site site_{4000, "token0", board_, Text};
};

TEST_F(SiteTest, TheOneWhoKnowsTheTokenGetsThePageAndItsState) {
  const Answer page = site_.Respond(Asks(""));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "<html>mine</html>");
  EXPECT_EQ(site_.Respond(Asks("state")).body, "3 graded");
  EXPECT_EQ(site_.Url(), "http://127.0.0.1:4000/token0/");
}

TEST_F(SiteTest, WithoutTheTokenThereIsNothing) {
  for (const char* path : {"/", "", "/token0", "/token1/", "/token0x/", "/token/", "/state", "//token0/", "/TOKEN0/",
                           "/token0//", "/token0/other", "token0/"}) {
    Request request = Asks("");
    request.path = path;
    const Answer answer = site_.Respond(request);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.body, "") << path;
  }
}

TEST_F(SiteTest, ANameThatWasMadeToLeadHereGetsNothing) {
  for (const char* host : {"evil.example:4000", "evil.example", "127.0.0.1", "127.0.0.1:4001", "", "127.0.0.1:40000"}) {
    Request request = Asks("");
    request.host = host;
    EXPECT_EQ(site_.Respond(request).status, 403) << host;
    EXPECT_EQ(site_.Respond(request).body, "") << host;
  }
  Request request = Asks("");
  request.host = "localhost:4000";
  EXPECT_EQ(site_.Respond(request).status, 200);
}

TEST_F(SiteTest, APageFromElsewhereGetsNothingEvenWithTheToken) {
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:4001", "https://127.0.0.1:4000"}) {
    Request request = Asks("state");
    request.origin = origin;
    EXPECT_EQ(site_.Respond(request).status, 403) << origin;
  }
  for (const char* site : {"cross-site", "same-site"}) {
    Request request = Asks("");
    request.site = site;
    EXPECT_EQ(site_.Respond(request).status, 403) << site;
  }
  Request request = Asks("state");
  request.origin = "http://127.0.0.1:4000";
  request.site = "same-origin";
  EXPECT_EQ(site_.Respond(request).status, 200);
}

TEST_F(SiteTest, NothingCanBeChanged) {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"}) {
    Request request = Asks("");
    request.method = method;
    EXPECT_EQ(site_.Respond(request).status, 405) << method;
  }
}

TEST_F(SiteTest, ThePolicyOfThePageIsThatOfItsHeaderAndEveryOtherAnswerMayLoadNothing) {
  EXPECT_THAT(HeadersOf(site_.Respond(Asks(""))),
              Contains(Pair("Content-Security-Policy", "script-src 'sha256-x'; frame-ancestors 'none'")));
  EXPECT_THAT(HeadersOf(site_.Respond(Asks("state"))),
              Contains(Pair("Content-Security-Policy", HasSubstr("default-src 'none'"))));
  EXPECT_THAT(HeadersOf(Answer()), Contains(Pair("Cache-Control", "no-store")));
  EXPECT_THAT(HeadersOf(Answer()), Contains(Pair("Referrer-Policy", "no-referrer")));
}

TEST_F(SiteTest, WhoAsksForTheNextStateWaitsForIt) {
  const uint64_t now = board_.Await(0, std::chrono::milliseconds(0)).serial;
  Request request = Asks("state");
  request.after = std::to_string(now);
  std::string answer;
  {
    const std::jthread browser([&] { answer = site_.Respond(request).body; });
    board_.Say("grading", true);
  }
  EXPECT_EQ(answer, "3 grading");
}

TEST_F(SiteTest, ClosingEndsEveryWait) {
  Request request = Asks("state");
  request.after = std::to_string(board_.Await(0, std::chrono::milliseconds(0)).serial);
  board_.Close();
  EXPECT_EQ(site_.Respond(request).body, "3 graded");
}

TEST(TokenTest, TokensAreLongAndDiffer) {
  EXPECT_EQ(NewToken().size(), 32u);
  EXPECT_NE(NewToken(), NewToken());
}

}  // namespace
}  // namespace warpgrade::ui
