"""What the consumers of each CI format demand of it, by their documents; functions that raise AssertionError.

SARIF 2.1.0 (OASIS) and what GitHub code scanning takes of it; the JUnit XML of Jenkins, GitLab and Apache Ant's schema;
GitLab's code quality report; OpenMetrics 1.0; customSmallerIsBetter of github-action-benchmark; Bencher Metric Format.
"""

import json
import math
import re
import xml.etree.ElementTree

URI = re.compile(r"(?:[A-Za-z0-9\-._~/!$&'()*+,;=@]|%[0-9A-F]{2})+")  # a relative reference of RFC 3986
CASE_KEYS = {"name", "classname", "time", "file", "line"}


def demand(truth, what):
    if not truth:
        raise AssertionError(what)


def unique(items, what):
    items = list(items)
    demand(len(items) == len(set(items)), f"{what} twice: {items}")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def sarif(text):
    log = json.loads(text)
    demand(log["version"] == "2.1.0" and log["$schema"].startswith("https://"), "version and schema")
    demand(1 <= len(log["runs"]) <= 20, "GitHub takes 20 runs")
    unique((run["automationDetails"]["id"] for run in log["runs"]), "category")
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        demand(driver["name"], "the tool has a name")
        demand(re.fullmatch(r"\d+\.\d+\.\d+", driver["semanticVersion"]), "a semantic version")
        rules = [rule["id"] for rule in driver["rules"]]
        unique(rules, "rule")
        for rule in driver["rules"]:
            for key in ("shortDescription", "fullDescription", "help"):
                demand(rule[key]["text"] and len(rule[key]["text"]) <= 1024, f"{key} of {rule['id']}")
        demand(len(run["results"]) <= 25_000, "GitHub takes 25,000 results a run")
        for result in run["results"]:
            demand(result["ruleId"] in rules, f"no rule {result['ruleId']}")
            demand(result["level"] in ("none", "note", "warning", "error"), result["level"])
            demand(result["message"]["text"], "a message")
            demand(len(result["locations"]) == 1, "one location")
            place = result["locations"][0]["physicalLocation"]
            demand(URI.fullmatch(place["artifactLocation"]["uri"]), f"no URI: {place['artifactLocation']['uri']}")
            demand(isinstance(place["region"]["startLine"], int) and place["region"]["startLine"] >= 1, "a line from 1")
            demand(all(isinstance(value, str) for value in result["partialFingerprints"].values()),
                   "fingerprints are text")


def junit(text):
    root = xml.etree.ElementTree.fromstring(text)
    demand(root.tag == "testsuites", root.tag)
    for suite in root:
        demand(suite.tag == "testsuite" and suite.get("name"), "suites have names")
        demand(all(case.tag == "testcase" for case in suite), "a suite holds cases")
        counts = {tag: sum(case.find(tag) is not None for case in suite) for tag in ("failure", "error", "skipped")}
        stated = {"failure": suite.get("failures"), "error": suite.get("errors"), "skipped": suite.get("skipped")}
        demand(int(suite.get("tests")) == len(suite), "number of tests")
        demand({tag: int(number) for tag, number in stated.items()} == counts, f"{stated} are {counts}")
    cases = list(root.iter("testcase"))
    unique(((case.get("classname"), case.get("name")) for case in cases), "case, of which GitLab shows the first")
    for case in cases:
        demand(set(case.keys()) <= CASE_KEYS and case.get("name") and case.get("classname"),
               f"attributes {case.keys()}")
        outcomes = [part for part in case if part.tag != "system-out"]
        demand(len(outcomes) <= 1 and len(case) <= 2, "one outcome and one output")
        demand(all(part.text for part in case if part.tag == "system-out"), "an output says something")
        for outcome in outcomes:
            demand(outcome.get("message"), "an outcome has a message")
            demand(outcome.tag == "skipped" or outcome.get("type"), "failures and errors have a type")


def codequality(text):
    rows = json.loads(text)
    unique((row["fingerprint"] for row in rows), "fingerprint")
    for row in rows:
        demand(row["description"] and row["check_name"], "description and check_name")
        demand(row["severity"] in ("info", "minor", "major", "critical", "blocker"), row["severity"])
        path = row["location"]["path"]
        demand(path and not path.startswith(("./", "/")), f"a path from the root of the repository: {path}")
        demand(isinstance(row["location"]["lines"]["begin"], int), "a line")


SAMPLE = re.compile(r'([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+)\} (-?\d\.\d{6}e[+-]\d\d)')


def openmetrics(text):
    """Families whole and once, metadata before samples, the unit at the end of the name, # EOF at the end."""
    demand(text.endswith("# EOF\n") and text.count("# EOF") == 1, "# EOF at the end")
    family, seen, samples = None, set(), set()
    for line in text.splitlines()[:-1]:
        if line.startswith("# TYPE "):
            _, _, family, kind = line.split(" ")
            demand(family not in seen and kind == "gauge", f"family {family} {kind}")
            seen.add(family)
        elif line.startswith("# UNIT "):
            _, _, name, unit = line.split(" ")
            demand(name == family and name.endswith("_" + unit), line)
        elif line.startswith("# HELP "):
            demand(line.split(" ")[2] == family, line)
        else:
            found = SAMPLE.fullmatch(line)
            demand(found and found[1] == family and not found[2].endswith(","), line)
            demand((family, found[2]) not in samples, f"sample twice: {line}")
            samples.add((family, found[2]))


def benchmark(text):
    rows = json.loads(text)
    unique((row["name"] for row in rows), "name")
    for row in rows:
        demand(set(row) <= {"name", "unit", "value", "range", "extra"}, f"keys {set(row)}")
        demand(is_number(row["value"]) and row["unit"], f"value and unit of {row['name']}")
        demand(all(isinstance(row.get(key, ""), str) for key in ("range", "extra")), "range and extra are text")


def bencher(text):
    for name, measures in json.loads(text).items():
        demand(name and measures, "a benchmark has measures")
        for key, measure in measures.items():
            demand(set(measure) <= {"value", "lower_value", "upper_value"}, f"keys of {key}")
            demand(all(is_number(value) for value in measure.values()), f"figures of {key}")
            low, high = measure.get("lower_value", measure["value"]), measure.get("upper_value", measure["value"])
            demand(low <= measure["value"] <= high, f"interval of {key}")


RULES = {"sarif": sarif, "junit": junit, "codequality": codequality, "openmetrics": openmetrics, "benchmark": benchmark,
         "bencher": bencher}
