#!/usr/bin/env python3
"""onnx_hwest.ci, and the steps of the GitHub action and of the GitLab component as these services run them: each script
with its variables, in order, in a repository whose base branch has reports. gh, curl, pip and venv are stand-ins that
write down what they were asked."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import onnx_hwest
from onnx_hwest import ci

SOURCE = pathlib.Path(os.environ["HWEST_SOURCE_DIR"])
RESNET = SOURCE / "examples/models/resnet18.onnx"
BUDGET = """check {{
  model: "exports/net.onnx"  target: "tda4vm"
  latency {{ max: "{}" }}
}}
check {{ model: "exports/net.onnx"  target: "jetson-orin"  mode: "30W"  precision: "int8"  macs {{ max: "2 G" }} }}
"""
FILES = ["codequality.json", "comment.md", "hwest.sarif", "junit.xml", "metrics.txt"]
PAGES = [f"exports-net-{name}.{form}" for name in ("jetson-agx-orin-64gb-30W-int8", "tda4vm-int8") for form in
         ("html", "json")]
STUB = """#!/bin/sh
{{ printf '%s' '{name}'; for word; do printf ' %s' "$word"; done; echo; }} >> "$ASKED"
{more}
"""


def steps_of(text):
    """[(name, {variable: text}, script)] of the steps of an action that run one."""
    steps = []
    for part in re.split(r"^    - ", text, flags=re.M)[1:]:
        script = re.search(r"^ *run: (?:\|\n((?: {8}.*\n|\n)+)|(.*)$)", part, re.M)
        if script is None:
            continue
        lines = re.sub(r"^ {8}", "", script[1], flags=re.M) if script[1] else script[2]
        given = re.search(r"^ *env:\n((?: {8}\S.*\n)+)", part, re.M)
        pairs = [line.strip().split(": ", 1) for line in given[1].splitlines()] if given else []
        steps.append((re.match(r"name: (.*)", part)[1], dict(pairs), lines))
    return steps


class CiTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name)
        self.folder, self.bin, self.asked = self.top / "repository", self.top / "bin", self.top / "asked"
        (self.folder / "exports").mkdir(parents=True)
        self.bin.mkdir()
        self.asked.write_text("")
        shutil.copy(RESNET, self.folder / "exports/net.onnx")
        self.limit("10 ms")
        (self.bin / "onnx-hwest").symlink_to(os.environ["HWEST_PROGRAM"])
        (self.bin / "python").symlink_to(sys.executable)

    def limit(self, latency):
        (self.folder / "hwest.budget").write_text(BUDGET.format(latency))

    def stub(self, name, more="exit 0"):
        path = self.bin / name
        path.write_text(STUB.format(name=name, more=more))
        path.chmod(0o755)

    def run_in(self, script, shell="sh", code=0, **variables):
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "ASKED": str(self.asked), **variables}
        done = subprocess.run([shell, "-e", "-c", script], capture_output=True, text=True, cwd=self.folder, timeout=100,
                              env=environment)
        self.assertEqual(done.returncode, code, msg=f"{script}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def reports(self, **named):
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            return ci.reports("hwest.budget", "hwest-reports", **named)
        finally:
            os.chdir(here)

    def comment(self):
        return (self.folder / "hwest-reports/comment.md").read_text()

    def has_pages(self):
        """Whether the build makes HTML."""
        try:
            return bool(onnx_hwest.load(RESNET).analyze().report("html"))
        except onnx_hwest.Error:
            return False

    def base(self):
        """Reports of a base branch with another model."""
        shutil.copy(SOURCE / "test/models/mobilenet_v2.ts.onnx", self.folder / "exports/net.onnx")
        self.reports()
        os.rename(self.folder / "hwest-reports", self.folder / "hwest-base")
        shutil.copy(RESNET, self.folder / "exports/net.onnx")

    def test_reports(self):
        if not self.has_pages():
            self.skipTest("this build makes no HTML")
        self.assertEqual(self.reports(), sorted(FILES + PAGES))
        self.assertIn("# Budget: ok", self.comment())
        self.assertNotIn("base branch", self.comment())
        report = json.loads((self.folder / "hwest-reports" / PAGES[1]).read_text())
        self.assertEqual((report["request"]["mode"], report["request"]["precision"]), ("30W", "int8"))

    def test_changes_since_the_base_branch(self):
        self.reports()
        os.rename(self.folder / "hwest-reports", self.folder / "same")
        self.reports(base=str(self.folder / "same"))
        self.assertNotIn("base branch", self.comment())  # nothing changed
        self.base()
        self.reports(base=str(self.folder / "hwest-base"))
        self.assertRegex(self.comment(), r"<summary>exports-net-tda4vm-int8: .*latency_s [+-][\d.]+%.* against the")
        os.remove(self.folder / "hwest-base/exports-net-tda4vm-int8.json")
        self.reports(base=str(self.folder / "hwest-base"))
        self.assertIn("exports-net-tda4vm-int8: new", self.comment())

    def test_sizes_of_free_dims_are_those_of_the_budget(self):
        shutil.copy(SOURCE / "test/models/bert-base_128.ts.onnx", self.folder / "exports/net.onnx")
        analysis = onnx_hwest.load(self.folder / "exports/net.onnx")
        free = set(re.findall(r"--dim (\S+?)=", self.run_in("onnx-hwest exports/net.onnx --target tda4vm", code=5)))
        self.assertTrue(free and analysis)
        dims = " ".join(f'dim {{ name: "{name}" size: 32 }}' for name in free)
        (self.folder / "hwest.budget").write_text(
            f'check {{ model: "exports/net.onnx" target: "tda4vm" {dims} latency {{ max: "10 s" }} }}\n')
        written = [name for name in self.reports() if name.endswith(".json") and name != "codequality.json"]
        self.assertEqual(len(written), 1, self.comment())
        self.assertIn("32", written[0])

    def test_a_comment_is_short_enough_for_its_service(self):
        self.addCleanup(setattr, ci, "_MOST", ci._MOST)
        ci._MOST = 300
        self.reports()
        self.assertLess(len(self.comment()), 400)
        self.assertIn("cut off", self.comment())

    def test_what_is_wrong(self):
        for words in (["nothing.budget"], ["exports/net.onnx"]):
            done = subprocess.run([sys.executable, "-m", "onnx_hwest.ci", *words], cwd=self.folder, capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words[0], done.stderr)

    def test_action(self):
        text = (SOURCE / ".github/actions/check/action.yml").read_text()
        steps = steps_of(text)
        self.assertEqual([name for name, _, _ in steps], ["Install", "Reports", "Comment", "Gate"])
        for name in re.findall(r"inputs\.(\w+)", text):
            self.assertRegex(text, rf"(?m)^  {name}:$")
        self.base()
        os.rename(self.folder / "hwest-base", self.folder / "hwest-reports")  # as the cache gives them back
        self.stub("gh")
        sources = self.top / "sources"
        (sources / "cmake").mkdir(parents=True)
        for name, more in (("setup.sh", ""), ("wheel.sh", "mkdir -p dist && touch dist/onnx_hwest-1-py3-none-any.whl")):
            script = sources / "cmake" / name
            script.write_text(STUB.format(name=name, more=more))
            script.chmod(0o755)
        self.stub("pip")
        self.stub("python3", 'mkdir -p "$3/bin" && cp "$(command -v pip)" "$3/bin"')
        known = {"inputs.wheel": "", "github.action_path": str(sources / "a/b/c"), "inputs.budget": "hwest.budget",
                 "inputs.token": "secret", "github.event.pull_request.html_url": "https://example.org/1"}
        (sources / "a/b/c").mkdir(parents=True)
        runner = {name: str(self.top / name) for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP")}
        os.mkdir(runner["RUNNER_TEMP"])

        def run(number, code=0, **inputs):
            _, given, script = steps[number]
            filled = {name: re.sub(r"\$\{\{ (.*?) \}\}", lambda match: {**known, **inputs}[match[1]], value)
                      for name, value in given.items()}
            return self.run_in(script, "bash", code, **runner, **filled)

        run(0)
        run(0)  # from the cache
        run(0, **{"inputs.wheel": "https://example.org/x.whl"})
        kept = f"{runner['RUNNER_TEMP']}/onnx-hwest-wheel/onnx_hwest-1-py3-none-any.whl"
        self.assertEqual([line for line in self.asked.read_text().splitlines() if not line.startswith("python3")],
                         ["setup.sh --packages", "wheel.sh", f"pip install --quiet {kept}",
                          f"pip install --quiet {kept}", "pip install --quiet https://example.org/x.whl"])
        os.remove(self.bin / "python3")
        run(1)
        self.assertIn("against the base branch", pathlib.Path(runner["GITHUB_STEP_SUMMARY"]).read_text())
        run(2)
        self.assertIn("gh pr comment https://example.org/1 --edit-last --create-if-none --body-file "
                      "hwest-reports/comment.md", self.asked.read_text())
        self.stub("gh", "exit 4")
        self.assertIn("::warning::", run(2))
        run(3)
        self.limit("1 us")
        run(1)
        run(3, code=8)
        used = (SOURCE / "examples/ci/github.yml").read_text()
        self.assertEqual(re.search(r"onnx-hwest/(\.github/actions/\w+)@v([\d.]+)", used).groups(),
                         (".github/actions/check", onnx_hwest.__version__))

    def test_gitlab(self):
        text = (SOURCE / "examples/ci/gitlab.yml").read_text()
        part = re.search(r"^  script:\n((?:    .*\n)+)", text, re.M)[1]
        commands = [re.sub(r"^      ", "", row.removeprefix("|\n"), flags=re.M)
                    for row in re.split(r"^    - ", part, flags=re.M)[1:]]
        self.assertEqual(len(commands), 4)
        self.base()
        subprocess.run(["mkdir", "-p", str(self.top / "artifact")], check=True)
        os.rename(self.folder / "hwest-base", self.top / "artifact/hwest-reports")
        shutil.make_archive(str(self.top / "artifact"), "zip", self.top / "artifact")
        self.stub("curl", f'case "$*" in *"--output base.zip"*) cp {self.top}/artifact.zip base.zip ;; esac')
        job = {"BUDGET": "hwest.budget", "CI_API_V4_URL": "https://example.org/api", "CI_PROJECT_ID": "7",
               "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_IID": "3", "CI_JOB_TOKEN": "job",
               "HWEST_TOKEN": "secret"}
        (self.bin / "python3").symlink_to(sys.executable)
        for command in commands:
            self.run_in(command, **job)
        self.assertIn("against the base branch", self.comment())
        asked = self.asked.read_text()
        self.assertIn("https://example.org/api/projects/7/jobs/artifacts/main/download?job=model-budget", asked)
        self.assertIn("--data-urlencode body@hwest-reports/comment.md "
                      "https://example.org/api/projects/7/merge_requests/3/notes", asked)
        for name in re.findall(r"^ *(?:junit|codequality|metrics): (\S+)$", text, re.M):
            self.assertGreater((self.folder / name).stat().st_size, 0, name)
        self.assertEqual(set(re.findall(r"inputs\.(\w+)", text)), {"budget", "wheel", "stage"})
        self.asked.write_text("")
        for command in commands[:3]:  # of a push, with nothing to compare and nowhere to comment
            self.run_in(command, BUDGET="hwest.budget")
        self.assertEqual(self.asked.read_text(), "")


if __name__ == "__main__":
    unittest.main()
