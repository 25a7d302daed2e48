"""A problem response gets its category from its type and its real status, together, and from nothing else."""

import json
import sys
from http import HTTPStatus

import pytest

from agentcli.problems import PAIRS, PROBLEM_MEDIA_TYPE, Pair, classify
from tests.problems.corpus import CORPUS, DECISION_OF, INVALID_BRIEF, REASONS, STALE_REVISION, Sample, problem

TYPE = PROBLEM_MEDIA_TYPE


def nested(levels: int) -> bytes:
    """An object that has so many levels, itself counted."""
    return b'{"a":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


def padded(body: bytes, size: int) -> bytes:
    return body + b" " * (size - len(body))


def with_member(value: str) -> bytes:
    return b'{"type":"%s","x":%s}' % (INVALID_BRIEF.encode(), value.encode())


# fmt: off
TABLE = [
    # what is special                       status  content type                          body                                  reason                            http_status
    ("known-brief",                         422,    TYPE,                                 problem(),                            "KNOWN_INVALID_BRIEF",             422),
    ("known-revision",                      409,    TYPE,                                 problem(STALE_REVISION),              "KNOWN_STALE_REVISION",            409),
    ("status-as-enum",                      HTTPStatus.CONFLICT, TYPE,                    problem(STALE_REVISION),              "KNOWN_STALE_REVISION",            409),
    # the real status
    ("status-none",                         None,   TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-text",                         "422",  TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-float",                        422.0,  TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-true",                         True,   TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-false",                        False,  TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-99",                           99,     TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-100",                          100,    TYPE,                                 problem(),                            "UNKNOWN_OR_UNMATCHED_PROBLEM",    100),
    ("status-599",                          599,    TYPE,                                 problem(),                            "UNKNOWN_OR_UNMATCHED_PROBLEM",    599),
    ("status-600",                          600,    TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-negative",                     -422,   TYPE,                                 problem(),                            "INVALID_HTTP_STATUS",             None),
    ("status-huge",                         10**5_000, TYPE,                              problem(),                            "INVALID_HTTP_STATUS",             None),
    # the body's bytes
    ("body-none",                           422,    TYPE,                                 None,                                 "INVALID_BODY_BYTES",              422),
    ("body-text",                           422,    TYPE,                                 problem().decode(),                   "INVALID_BODY_BYTES",              422),
    ("body-parsed",                         422,    TYPE,                                 {"type": INVALID_BRIEF},              "INVALID_BODY_BYTES",              422),
    ("body-bytearray",                      422,    TYPE,                                 bytearray(problem()),                 "INVALID_BODY_BYTES",              422),
    ("body-at-the-cap",                     422,    TYPE,                                 padded(problem(), 8_192),             "KNOWN_INVALID_BRIEF",             422),
    ("body-over-the-cap",                   422,    TYPE,                                 padded(problem(), 8_193),             "BODY_TOO_LARGE",                  422),
    # the content type
    ("content-type-none",                   422,    None,                                 problem(),                            "MISSING_OR_INVALID_CONTENT_TYPE", 422),
    ("content-type-bytes",                  422,    TYPE.encode(),                        problem(),                            "MISSING_OR_INVALID_CONTENT_TYPE", 422),
    ("content-type-list",                   422,    [TYPE],                               problem(),                            "MISSING_OR_INVALID_CONTENT_TYPE", 422),
    ("content-type-empty",                  422,    "",                                   problem(),                            "MISSING_OR_INVALID_CONTENT_TYPE", 422),
    ("content-type-blank",                  422,    " \t ",                               problem(),                            "MISSING_OR_INVALID_CONTENT_TYPE", 422),
    ("content-type-parameters-only",        422,    "; charset=utf-8",                    problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-json",                   422,    "application/json",                   problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-xml",                    422,    "application/problem+xml",            problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-prefix",                 422,    TYPE + "x",                           problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-two",                    422,    TYPE + ", text/html",                 problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-no-break-space",         422,    TYPE + "\u00a0",                      problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-line-break",             422,    TYPE + "\r\n",                        problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-line-break-alone",        422,    "\n",                                 problem(),                            "UNEXPECTED_CONTENT_TYPE",         422),
    ("content-type-capitals-and-blanks",    422,    " Application/Problem+JSON\t; q=1",   problem(),                            "KNOWN_INVALID_BRIEF",             422),
    ("content-type-charset-is-ignored",     422,    TYPE + ";charset=latin-1",            problem(),                            "KNOWN_INVALID_BRIEF",             422),
    # strict JSON
    ("json-empty",                          422,    TYPE,                                 b"",                                  "INVALID_JSON",                    422),
    ("json-bad-utf-8",                      422,    TYPE,                                 b'{"a":"\xff"}',                      "INVALID_JSON",                    422),
    ("json-bom",                            422,    TYPE,                                 b"\xef\xbb\xbf" + problem(),          "INVALID_JSON",                    422),
    ("json-bom-in-a-string-is-text",        422,    TYPE,                                 problem(title="\ufeff"),              "KNOWN_INVALID_BRIEF",             422),
    ("json-repeated-member",                422,    TYPE,                                 with_member('1,"x":1'),               "INVALID_JSON",                    422),
    ("json-repeated-type",                  422,    TYPE,                                 with_member('1,"type":"about:blank"'), "INVALID_JSON",                   422),
    ("json-repeated-deep-down",             422,    TYPE,                                 with_member('[[{"b":{"c":1,"c":2}}]]'), "INVALID_JSON",                  422),
    ("json-repeated-behind-an-escape",      422,    TYPE,                                 with_member('{"a":1,"\\u0061":1}'),   "INVALID_JSON",                    422),
    ("json-same-name-in-two-objects",       422,    TYPE,                                 with_member('[{"a":1},{"a":1}]'),     "KNOWN_INVALID_BRIEF",             422),
    ("json-nan",                            422,    TYPE,                                 with_member("NaN"),                   "INVALID_JSON",                    422),
    ("json-infinity",                       422,    TYPE,                                 with_member("Infinity"),              "INVALID_JSON",                    422),
    ("json-minus-infinity",                 422,    TYPE,                                 with_member("-Infinity"),             "INVALID_JSON",                    422),
    ("json-1e308",                          422,    TYPE,                                 with_member("1e308"),                 "KNOWN_INVALID_BRIEF",             422),
    ("json-1e999",                          422,    TYPE,                                 with_member("1e999"),                 "INVALID_JSON",                    422),
    ("json-minus-1e999",                    422,    TYPE,                                 with_member("[-1e999]"),              "INVALID_JSON",                    422),
    ("json-64-levels",                      422,    TYPE,                                 nested(64),                           "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("json-65-levels",                      422,    TYPE,                                 nested(65),                           "INVALID_JSON",                    422),
    ("json-lists-side-by-side",              422,    TYPE,                                 with_member(str([[]] * 500)),         "KNOWN_INVALID_BRIEF",             422),
    ("json-4300-digits",                    422,    TYPE,                                 with_member("9" * 4_300),             "KNOWN_INVALID_BRIEF",             422),
    ("json-minus-4300-digits",              422,    TYPE,                                 with_member("-" + "9" * 4_300),       "KNOWN_INVALID_BRIEF",             422),
    ("json-4301-digits",                    422,    TYPE,                                 with_member("9" * 4_301),             "INVALID_JSON",                    422),
    ("json-text",                           422,    TYPE,                                 b"not json",                          "INVALID_JSON",                    422),
    # an object
    ("body-list",                           422,    TYPE,                                 b"[]",                                "PROBLEM_BODY_NOT_OBJECT",         422),
    ("body-string",                         422,    TYPE,                                 b'"x"',                               "PROBLEM_BODY_NOT_OBJECT",         422),
    ("body-number",                         422,    TYPE,                                 b"422",                               "PROBLEM_BODY_NOT_OBJECT",         422),
    ("body-true",                           422,    TYPE,                                 b"true",                              "PROBLEM_BODY_NOT_OBJECT",         422),
    ("body-null",                           422,    TYPE,                                 b"null",                              "PROBLEM_BODY_NOT_OBJECT",         422),
    # the status the body states
    ("body-status-same",                    422,    TYPE,                                 problem(status=422),                  "KNOWN_INVALID_BRIEF",             422),
    ("body-status-same-as-float",           422,    TYPE,                                 problem(status=422.0),                "KNOWN_INVALID_BRIEF",             422),
    ("body-status-differs",                 422,    TYPE,                                 problem(status=409),                  "BODY_STATUS_MISMATCH",            422),
    ("body-status-differs-a-little",        422,    TYPE,                                 problem(status=422.5),                "BODY_STATUS_MISMATCH",            422),
    ("body-status-zero",                    422,    TYPE,                                 problem(status=0),                    "BODY_STATUS_MISMATCH",            422),
    ("body-status-huge",                    422,    TYPE,                                 problem(status=10**4_000),            "BODY_STATUS_MISMATCH",            422),
    ("body-status-differs-unknown-type",    422,    TYPE,                                 problem("about:blank", status=409),   "BODY_STATUS_MISMATCH",            422),
    ("body-status-text-is-ignored",         422,    TYPE,                                 problem(status="409"),                "KNOWN_INVALID_BRIEF",             422),
    ("body-status-true-is-ignored",         422,    TYPE,                                 problem(status=True),                 "KNOWN_INVALID_BRIEF",             422),
    ("body-status-null-is-ignored",         422,    TYPE,                                 problem(status=None),                 "KNOWN_INVALID_BRIEF",             422),
    ("body-status-list-is-ignored",         422,    TYPE,                                 problem(status=[409]),                "KNOWN_INVALID_BRIEF",             422),
    # the pair
    ("type-with-the-other-status",          409,    TYPE,                                 problem(INVALID_BRIEF),               "UNKNOWN_OR_UNMATCHED_PROBLEM",    409),
    ("type-with-the-other-status-2",        422,    TYPE,                                 problem(STALE_REVISION),              "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("type-missing",                        422,    TYPE,                                 b"{}",                                "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("type-unknown",                        422,    TYPE,                                 problem("about:blank"),               "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("type-relative",                       422,    TYPE,                                 problem("/problems/invalid-brief"),   "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("type-with-a-slash-more",              422,    TYPE,                                 problem(INVALID_BRIEF + "/"),         "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("type-null",                           422,    TYPE,                                 problem(None),                        "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("type-number",                         422,    TYPE,                                 problem(422),                         "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("type-object",                         422,    TYPE,                                 problem({"type": INVALID_BRIEF}),     "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    ("title-alone",                         422,    TYPE,                                 b'{"title":"invalid-brief"}',         "UNKNOWN_OR_UNMATCHED_PROBLEM",    422),
    # the first check that fails gives the reason
    ("order-status-before-all",             0,      None,                                 None,                                 "INVALID_HTTP_STATUS",             None),
    ("order-bytes-before-content-type",     422,    None,                                 "x",                                  "INVALID_BODY_BYTES",              422),
    ("order-size-before-content-type",      422,    None,                                 b"[" * 8_193,                         "BODY_TOO_LARGE",                  422),
    ("order-content-type-before-json",      422,    "text/plain",                         b"\xff",                              "UNEXPECTED_CONTENT_TYPE",         422),
    ("order-json-before-object",            422,    TYPE,                                 b"[NaN]",                             "INVALID_JSON",                    422),
    ("order-json-before-status",            422,    TYPE,                                 b'{"status":409,"a":1,"a":1}',        "INVALID_JSON",                    422),
    ("order-body-status-before-pair",       422,    TYPE,                                 problem(INVALID_BRIEF, status=409),   "BODY_STATUS_MISMATCH",            422),
]
# fmt: on


@pytest.mark.parametrize(
    ("status", "content_type", "body", "reason", "http_status"),
    [row[1:] for row in TABLE],
    ids=[str(row[0]) for row in TABLE],
)
def test_each_case_has_its_answer(
    status: object, content_type: object, body: object, reason: str, http_status: int | None
) -> None:
    """Every response gets one of three decisions, and the first check that fails says why."""
    assert classify(status, content_type, body) == {
        "decision": DECISION_OF.get(reason, "REVIEW_GENERIC"),
        "reason": reason,
        "http_status": http_status,
    }


def test_long_integers_are_refused_whatever_the_interpreter_allows() -> None:
    """The limit on digits is ours, and holds where the interpreter's own is lifted."""
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert classify(422, TYPE, with_member("9" * 4_300))["reason"] == "KNOWN_INVALID_BRIEF"
        assert classify(422, TYPE, with_member("9" * 4_301))["reason"] == "INVALID_JSON"
    finally:
        sys.set_int_max_str_digits(usual)


def test_the_table_has_a_row_for_every_reason() -> None:
    """No answer that can be given goes unshown."""
    assert {row[4] for row in TABLE} == REASONS


@pytest.mark.parametrize("sample", CORPUS, ids=lambda sample: sample.name)
def test_what_providers_and_attackers_send_is_told_apart(sample: Sample) -> None:
    """A body that only claims, resembles or hides a known problem is an unknown one."""
    answer = classify(sample.status, PROBLEM_MEDIA_TYPE, sample.body)
    assert answer["reason"] == sample.reason
    assert answer["decision"] == DECISION_OF.get(sample.reason, "REVIEW_GENERIC")
    assert answer["http_status"] == sample.status


def test_the_answer_prints_as_promised() -> None:
    """The answer is plain JSON, even for a status that is an enum member."""
    answer = classify(HTTPStatus(422), PROBLEM_MEDIA_TYPE, problem())
    assert json.dumps(answer, sort_keys=True) == (
        '{"decision": "REVIEW_INPUT", "http_status": 422, "reason": "KNOWN_INVALID_BRIEF"}'
    )
    assert type(answer["http_status"]) is int


def test_an_added_pair_is_known_only_with_its_status() -> None:
    """A reviewed pair of one's own gets its decision; the same type with another status stays generic."""
    late = Pair("urn:example:late", 410, "REVIEW_REVISION", "KNOWN_LATE")
    known = classify(410, PROBLEM_MEDIA_TYPE, problem("urn:example:late"), pairs=(*PAIRS, late))
    other = classify(422, PROBLEM_MEDIA_TYPE, problem("urn:example:late"), pairs=(*PAIRS, late))
    assert known == {"decision": "REVIEW_REVISION", "reason": "KNOWN_LATE", "http_status": 410}
    assert other["reason"] == "UNKNOWN_OR_UNMATCHED_PROBLEM"


def test_without_pairs_nothing_is_known() -> None:
    """The allowlist alone makes a type known."""
    assert classify(422, PROBLEM_MEDIA_TYPE, problem(), pairs=())["reason"] == "UNKNOWN_OR_UNMATCHED_PROBLEM"
