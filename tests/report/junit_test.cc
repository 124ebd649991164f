#include "grader/report/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/golden.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(JunitTest, ASuitePerLabAndACasePerRung) {
  score::SubmissionScore unreadable = Submission("s7.zip", {});
  unreadable.messages = {"not a zip archive"};
  ExpectGolden("junit.xml", JunitText(EmulatorReport({Submission("s1042", {EmulatorLab()}), unreadable})));
}

TEST(JunitTest, EscapesWhatXmlCannotHold) {
  score::LabScore lab = EmulatorLab();
  lab.rungs[2].measurement.failures[0].message = "]]></failure><b a=\"'&\x1b[2J\xFF\uFFFE";
  const std::string xml = JunitText(EmulatorReport({Submission("a\"b<c>&\n\x01", {lab})}));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"a&quot;b&lt;c&gt;&amp; \\x01.lab2\""));
  EXPECT_THAT(xml, HasSubstr("]]&gt;&lt;/failure&gt;&lt;b a=&quot;&apos;&amp;\\x1b[2J\\xff\\ufffe"));
  for (const char c : xml) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST(JunitTest, CountsEachOutcomeOnce) {
  const std::string xml = JunitText(EmulatorReport({Submission("s", {EmulatorLab()})}));
  EXPECT_THAT(xml, HasSubstr(R"(tests="7" failures="2" disabled="0" errors="2" skipped="1")"));
}

}  // namespace
}  // namespace warpgrade::report
