#!/usr/bin/env python3
"""check through the program: verdicts, exit codes, the forms of CI services, and what is wrong in a budget.

usage: check_test.py ONNX_HWEST MODELS
"""

import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM, MODELS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:]
sys.dont_write_bytecode = True
import ci_format_rules

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import onnx_wire as wire

FORMATS = ("text", "json", "csv", "markdown", "junit", "sarif", "codequality", "openmetrics", "benchmark", "bencher")


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = self.holder.name
        os.mkdir(os.path.join(self.folder, "exports"))
        for name in ("simple_resnet.ts.onnx", "bert-base_128.ts.onnx"):
            shutil.copy(os.path.join(MODELS, name), os.path.join(self.folder, "exports", name[:4] + ".onnx"))

    def tearDown(self):
        self.holder.cleanup()

    def run_it(self, *words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder, timeout=100)

    def budget(self, text, name="hwest.budget"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        return pathlib.Path(self.folder, name).read_text(encoding="utf-8")

    def summary(self, target="jetson-orin"):
        return json.loads(self.run_it("exports/simp.onnx", "--target", target, "--json").stdout)["summary"]

    def verdict(self, *flags):
        done = self.run_it("check", "exports/simp.onnx", "--target", "jetson-orin", *flags, "--json")
        checks = json.loads(done.stdout)["checks"]
        return checks[0]["lines"][0]["verdict"], done.returncode

    def test_verdicts_follow_the_interval(self):
        s = self.summary()
        low, value, high = (s[key] * 1e9 for key in ("latency_low_s", "latency_s", "latency_high_s"))
        cases = [(low * 0.99, "point", "over", 8), (value * 0.99, "point", "over", 8), (value * 1.01, "point", "ok", 0),
                 (high * 0.99, "upper", "over", 8), (high * 1.01, "upper", "ok", 0),
                 (low * 0.99, "interval", "over", 8), (low * 1.01, "interval", "undecided", 8),
                 (high * 0.99, "interval", "undecided", 8), (high * 1.01, "interval", "ok", 0)]
        for limit, judge, verdict, code in cases:
            with self.subTest(limit=limit, judge=judge):
                self.assertEqual(self.verdict("--max-latency", f"{limit:.6f} ns", "--judge", judge), (verdict, code))
        inside = ("--max-latency", f"{value:.6f} ns", "--judge", "interval")
        self.assertEqual(self.verdict(*inside, "--undecided", "warn"), ("undecided", 0))
        self.assertEqual(self.verdict("--max-latency", f"{value / 1.35:.6f} ns"), ("over", 8))
        rate = s["throughput_per_s"]
        rates = [(rate * 1.01, "point", "over", 8), (rate * 0.99, "point", "ok", 0),
                 (rate * value / high * 1.01, "upper", "over", 8), (rate * value / high * 0.99, "upper", "ok", 0),
                 (rate * value / low * 1.01, "interval", "over", 8), (rate, "interval", "undecided", 8),
                 (rate * value / high * 0.99, "interval", "ok", 0)]
        for limit, judge, verdict, code in rates:
            with self.subTest(rate=limit, judge=judge):
                self.assertEqual(self.verdict("--min-rate", str(limit), "--judge", judge), (verdict, code))
        for flag, key, unit in (("--max-energy", "energy_j", "J"), ("--max-power", "power_w", "W"),
                                ("--max-memory", "peak_memory_bytes", "B")):
            self.assertEqual(self.verdict(flag, f"{s[key] * 1.001:.9f} {unit}"), ("ok", 0), flag)
        self.assertEqual(self.verdict("--max-memory", f"{s['peak_memory_bytes'] - 1}B"), ("over", 8))
        self.assertEqual(self.verdict("--max-fallback", "0%"), ("ok", 0))

    def traced(self, *files):
        """A chain of products; the line of the program of each is in that file of `files`, "" = nowhere."""
        nodes, values = [], [wire.value_info(b"v0", [64, 64])]
        for index, file in enumerate(files):
            trace = f'  File "{file}", line {7 + index}, in forward\n    x = x @ x\n'.encode()
            entry = wire.field(1, b"pkg.torch.onnx.stack_trace") + wire.field(2, trace)
            name = f"n{index}".encode()
            size = f"v{index}".encode()
            nodes.append(wire.node(b"MatMul", [size, size], [f"v{index + 1}".encode()], name) +
                         (wire.field(9, entry) if file else b""))
        graph = (b"".join(wire.field(1, node) for node in nodes) + wire.field(2, b"g") + wire.field(11, values[0]) +
                 wire.field(12, wire.value_info(f"v{len(files)}".encode(), [64, 64])))
        pathlib.Path(self.folder, "exports/traced.onnx").write_bytes(
            wire.field(1, 8) + wire.field(7, graph) + wire.field(8, wire.field(2, 17)))

    def test_sarif_is_at_the_line_of_the_program(self):
        pathlib.Path(self.folder, "nets").mkdir()
        pathlib.Path(self.folder, "nets/a b.py").write_text("x\n")
        self.budget('# limits\ncheck { model: "exports/traced.onnx" target: "tda4vm" latency { max: "1 ns" } }\n')
        for files, places in (
                (["/home/u/src/nets/a b.py"] * 2, [("nets/a%20b.py", 7), ("nets/a%20b.py", 7), ("nets/a%20b.py", 8),
                                                   ("hwest.budget", 2)]),
                (["/elsewhere/other.py", "nets/a b.py"], [("nets/a%20b.py", 8), ("nets/a%20b.py", 8),
                                                          ("hwest.budget", 2)]),
                (["../../etc/passwd", ""], [("hwest.budget", 2)]), (["", ""], [("hwest.budget", 2)])):
            with self.subTest(files=files):
                self.traced(*files)
                done = self.run_it("check", "--format", "sarif")
                ci_format_rules.sarif(done.stdout)
                result = json.loads(done.stdout)["runs"][0]["results"][0]
                found = [row["physicalLocation"] for row in result["locations"] + result.get("relatedLocations", [])]
                found = [(row["artifactLocation"]["uri"], row["region"]["startLine"]) for row in found]
                self.assertEqual(found, places)
                self.assertEqual(len(places) > 1, "relatedLocations" in result)

    def test_a_broken_line_says_what_is_too_much(self):
        s = self.summary()
        value, high = s["latency_s"] * 1e9, s["latency_high_s"] * 1e9

        def text(*flags):
            done = self.run_it("check", "exports/simp.onnx", "--target", "jetson-orin", *flags).stdout
            return re.sub(r"\s+", " ", done)

        limit = (value + high) / 2
        over = text("--max-latency", f"{limit:.6f} ns", "--judge", "upper")
        self.assertRegex(over, r"at the worse end [\d.]+ .s too much")
        self.assertNotIn("worse end", text("--max-latency", f"{value * 0.9:.6f} ns"))
        lines = json.loads(self.run_it("check", "exports/simp.onnx", "--target", "jetson-orin", "--max-latency", "1 ns",
                                       "--json").stdout)["checks"][0]["lines"]
        for group in lines[0]["groups"]:  # of the latency, transfers and invocations included
            self.assertAlmostEqual(group["share"], group["amount"] / s["latency_s"], places=9)

    def test_how_likely_a_limit_holds(self):
        """The interval is the 10th to 90th percentile of what a limit may turn out to be held against."""
        s = self.summary()
        low, value, high = (s[key] * 1e9 for key in ("latency_low_s", "latency_s", "latency_high_s"))

        def line(*flags):
            done = self.run_it("check", "exports/simp.onnx", "--target", "jetson-orin", *flags, "--json")
            return json.loads(done.stdout)["checks"][0]["lines"][0]

        for limit, share in ((low, 0.1), (value, 0.5), (high, 0.9)):
            self.assertAlmostEqual(line("--max-latency", f"{limit:.9f} ns")["probability"], share, places=6)
            rate = s["throughput_per_s"] * value / limit
            self.assertAlmostEqual(line("--min-rate", f"{rate:.9f}")["probability"], share, places=6)
        self.assertIsNone(line("--max-memory", "1 GB")["probability"])  # counted
        shares = [line("--max-energy", f"{s['energy_j'] * factor} J")["probability"]
                  for factor in (0.1, 0.5, 0.9, 1.1, 2, 9)]
        self.assertEqual(shares, sorted(shares))
        text = self.run_it("check", "exports/simp.onnx", "--target", "jetson-orin", "--max-latency",
                           f"{low:.9f} ns").stdout
        self.assertIn("holds with 10 %", text)

    def test_every_format_refuses_what_the_exit_code_refuses(self):
        s = self.summary()
        inside = f"{s['latency_s'] * 1e9:.3f} ns"
        exports = pathlib.Path(self.folder, "exports")
        (exports / "odd.onnx").write_bytes((exports / "simp.onnx").read_bytes().replace(b"Flatten", b"Flattem"))
        cases = [('simp.onnx', f'latency {{ max: "{inside}" judge: INTERVAL }}', "", 8),
                 ('simp.onnx', f'latency {{ max: "{inside}" judge: INTERVAL }}', "undecided: FAIL", 8),
                 ('simp.onnx', f'latency {{ max: "{inside}" judge: INTERVAL }}', "undecided: WARN", 0),
                 ('simp.onnx', 'latency { max: "1 us" }', "undecided: WARN", 8),
                 ('simp.onnx', 'latency { max: "1 s" }', "", 0),
                 ('odd.onnx', 'latency { max: "1 s" }', "", 7)]
        for model, limit, undecided, code in cases:
            with self.subTest(model=model, limit=limit, undecided=undecided):
                self.budget(f'{undecided} check {{ model: "exports/{model}" target: "jetson-orin" {limit} }}')
                out = {name: self.run_it("check", "--format", name) for name in FORMATS}
                self.assertEqual({done.returncode for done in out.values()}, {code}, out["text"].stderr)
                for form, holds in ci_format_rules.RULES.items():
                    holds(out[form].stdout)
                case = next(xml.etree.ElementTree.fromstring(out["junit"].stdout).iter("testcase"))
                self.assertEqual([part.tag for part in case], [{0: "system-out", 7: "error", 8: "failure"}[code]])
                levels = [r["level"] for run in json.loads(out["sarif"].stdout)["runs"] for r in run["results"]]
                self.assertEqual("error" in levels, code != 0)
                severities = [row["severity"] for row in json.loads(out["codequality"].stdout)]
                self.assertEqual("major" in severities, code != 0)
                self.assertRegex(out["openmetrics"].stdout,
                                 r'hwest_limit_failed\{.*figure="latency"\} ' + str(int(code != 0)))

    def test_every_limit_of_a_file(self):
        self.budget('check { model: "exports/simp.onnx" target: "jetson-orin" mode: "30W" precision: "int8" batch: 2\n'
                    '  latency { max: "1 s" }\n  rate { min: "1 FPS" }\n  energy { max: "1 J" }\n  power { max: "1 '
                    'kW" }\n'
                    '  peak_memory { max: "1 GB" }\n  macs { max: "698577920" }\n  params { max: "1 G" }\n'
                    '  fallback { max_share: 0.5 allow: "Softmax" }\n  segments { max: 9 }\n  unknown { max: 0 }\n}\n')
        done = self.run_it("check", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        check = json.loads(done.stdout)["checks"][0]
        self.assertEqual([check[key] for key in ("model", "target", "mode", "precision", "batch", "verdict")],
                         ["exports/simp.onnx", "jetson-agx-orin-64gb", "30W", "int8", 2, "ok"])
        self.assertEqual([line["line"] for line in check["lines"]], list(range(2, 12)))
        macs = next(line for line in check["lines"] if line["figure"] == "macs")
        self.assertEqual((macs["value"], macs["limit"], macs["margin"]), (698577920, 698577920, 0))
        same = json.dumps({"check": [{"model": "exports/simp.onnx", "target": "jetson-orin",
                                      "latency": {"max": "1 us"}}]})
        self.budget(same, "same.json")
        self.assertEqual(self.run_it("check", "--budget", "same.json").returncode, 8)

    def test_growth(self):
        self.run_it("exports/simp.onnx", "--target", "tda4vm", "--json", "--output", "main.json")
        self.budget('check { model: "exports/simp.onnx" target: "tda4vm" growth { against: "main.json" latency: 0 '
                    'peak_memory: 0 } }')
        self.assertEqual(self.run_it("check").returncode, 0)
        saved = json.loads(self.read("main.json"))
        saved["summary"]["latency_s"] *= 0.9
        self.budget(json.dumps(saved), "main.json")
        done = self.run_it("check", "--json")
        lines = json.loads(done.stdout)["checks"][0]["lines"]
        self.assertEqual((done.returncode, [line["verdict"] for line in lines]), (8, ["over", "ok"]))
        self.assertAlmostEqual(lines[0]["value"], 1 / 0.9 - 1)
        self.budget('check { model: "exports/simp.onnx" target: "jetson-orin" growth { against: "main.json" latency: '
                    '0 } }')
        self.assertEqual(self.run_it("check").returncode, 2)

    def test_growth_of_what_is_not_known(self):
        exports = pathlib.Path(self.folder, "exports")
        (exports / "odd.onnx").write_bytes((exports / "simp.onnx").read_bytes().replace(b"Flatten", b"Flattem"))
        for name in ("simp", "odd"):
            self.run_it(f"exports/{name}.onnx", "--target", "jetson-orin", "--json", "--output", f"{name}.json")
        cases = [("odd", "odd", 0.1, ["unknown", "unknown"], 7), ("simp", "odd", 0.1, ["unknown", "unknown"], 7),
                 ("odd", "simp", 99, ["unknown", "unknown"], 7),
                 ("odd", "simp", 0, ["over", "unknown"], 8)]  # its peak may be no larger
        for model, against, share, verdicts, code in cases:
            with self.subTest(model=model, against=against, share=share):
                self.budget(f'check {{ model: "exports/{model}.onnx" target: "jetson-orin"\n'
                            f'growth {{ against: "{against}.json" latency: {share} peak_memory: {share} }} }}')
                done = self.run_it("check", "--json")
                lines = json.loads(done.stdout)["checks"][0]["lines"]
                self.assertEqual(([line["verdict"] for line in lines], done.returncode), (verdicts, code), done.stdout)
                self.assertTrue(all(line["why"] for line in lines if line["verdict"] == "unknown"), lines)

    def test_a_broken_line_says_how_to_mend_it(self):
        done = self.run_it("check", "exports/simp.onnx", "--target", "jetson-orin", "--mode", "15W", "--max-latency",
                           "250us",
                           "--json")
        line = json.loads(done.stdout)["checks"][0]["lines"][0]
        self.assertEqual(len(line["groups"]), 3)
        self.assertEqual(sorted((g["amount"] for g in line["groups"]), reverse=True),
                         [g["amount"] for g in line["groups"]])
        self.assertTrue(line["mend"]["mends"], line)
        self.assertEqual(self.summary_after(line["mend"])["latency_s"], line["mend"]["value"])
        self.assertIn(line["mend"]["command"], done.stdout)

    def summary_after(self, mend):
        """By the command that a broken limit names."""
        again = json.loads(self.run_it(*shlex.split(mend["command"])[1:], "--json").stdout)
        return again["after"]["summary"] if again["kind"] == "rewrite" else again["summary"]

    def test_what_mends_memory_and_segments(self):
        done = self.run_it("check", "exports/simp.onnx", "--target", "jetson-orin", "--max-memory", "2MB", "--json")
        mend = json.loads(done.stdout)["checks"][0]["lines"][0]["mend"]
        self.assertEqual(self.summary_after(mend)["peak_memory_bytes"], mend["value"])
        self.assertEqual(mend["mends"], mend["value"] <= 2e6)
        self.run_it("exports/simp.onnx", "--target", "jetson-orin", "--json", "--precision", "int8", "--output",
                    "small.json")
        self.budget('check { model: "exports/simp.onnx" target: "jetson-orin" precision: "fp16"\n'
                    'growth { against: "small.json" peak_memory: 0.5 } segments { max: 0 } }')
        growth, segments = json.loads(self.run_it("check", "--json").stdout)["checks"][0]["lines"][::-1]
        self.assertTrue(growth["mend"]["mends"] and growth["mend"]["value"] <= 0.5, growth)
        self.assertIsNone(segments["mend"])  # none does without one

    def write_findings(self):
        self.budget('# <&"> \n'
                    'check { model: "exports/simp.onnx" target: "jetson-orin" latency { max: "1 us" } unknown { max: '
                    '0 } }\n'
                    'check { model: "exports/simp.onnx" target: "tda4vm" latency { max: "1.1 ms" judge: INTERVAL } '
                    'rate { min: "1" } }\n')

    def test_forms_of_ci_services(self):
        self.write_findings()
        out = {name: self.run_it("check", "--format", name) for name in FORMATS}
        self.assertEqual({done.returncode for done in out.values()}, {8})
        for name in FORMATS:
            self.assertEqual(self.run_it("check", "--format", name).stdout, out[name].stdout, name)
        suites = xml.etree.ElementTree.fromstring(out["junit"].stdout)
        self.assertEqual([(s.get("name"), s.get("tests"), s.get("failures"), s.get("skipped")) for s in suites],
                         [("jetson-agx-orin-64gb", "2", "1", "0"), ("tda4vm", "2", "1", "0")])
        names = [(case.get("classname"), case.get("name")) for case in suites.iter("testcase")]
        self.assertEqual(len(names), len(set(names)))
        sarif = json.loads(out["sarif"].stdout)
        self.assertEqual([run["automationDetails"]["id"] for run in sarif["runs"]],
                         ["hwest/jetson-agx-orin-64gb/", "hwest/tda4vm/"])
        for run in sarif["runs"]:
            rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
            for result in run["results"]:
                self.assertIn(result["ruleId"], rules)
                place = result["locations"][0]["physicalLocation"]
                self.assertEqual(place["artifactLocation"]["uri"], "hwest.budget")
                self.assertIn(place["region"]["startLine"], (2, 3))
        self.assertEqual([(r["level"]) for run in sarif["runs"] for r in run["results"]], ["error", "error"])
        quality = json.loads(out["codequality"].stdout)
        self.assertEqual([(row["severity"], row["location"]["lines"]["begin"]) for row in quality],
                         [("major", 2), ("major", 3)])
        self.assertEqual(len({row["fingerprint"] for row in quality}), 2)
        bench = json.loads(out["benchmark"].stdout)
        self.assertEqual([row["name"] for row in bench],
                         ["exports/simp/jetson-orin/latency", "exports/simp/jetson-orin/unknown",
                          "exports/simp/tda4vm/latency"])
        self.assertAlmostEqual(bench[0]["value"], self.summary()["latency_s"] * 1e3)
        bencher = json.loads(out["bencher"].stdout)
        measure = bencher["exports/simp/jetson-orin"]["latency"]
        self.assertAlmostEqual(measure["value"], self.summary()["latency_s"] * 1e9, places=3)
        self.assertLess(measure["lower_value"], measure["upper_value"])
        rows = list(csv.DictReader(io.StringIO(out["csv"].stdout)))
        self.assertEqual([row["verdict"] for row in rows], ["over", "ok", "undecided", "ok"])
        self.assertIn("# Budget: over", out["markdown"].stdout)

    def test_forms_keep_the_rules_of_their_consumers(self):
        """Every verdict, the limits of every figure, and names that need quoting."""
        exports = pathlib.Path(self.folder, "exports")
        name = 'exports/a "b" <c> & é.onnx'
        (pathlib.Path(self.folder) / name).write_bytes((exports / "simp.onnx").read_bytes())
        (exports / "odd.onnx").write_bytes((exports / "simp.onnx").read_bytes().replace(b"Flatten", b"Flattem"))
        self.run_it("exports/simp.onnx", "--target", "tda4vm", "--json", "--output", "main.json")
        limits = ('latency { max: "1 us" } rate { min: "1e9" judge: UPPER } energy { max: "0.001 uJ" }\n'
                  'power { max: "1 kW" } peak_memory { max: "1 kB" } macs { max: "1" } params { max: "1" }\n'
                  'fallback { max_share: 0 allow: "Softmax" } segments { max: 0 } unknown { max: 0 }\n'
                  'growth { against: "main.json" latency: 0 peak_memory: 0 } }\n')
        quoted = name.replace('"', '\\"')
        text = (f'check {{ model: "{quoted}" target: "tda4vm" {limits}'
                f'check {{ model: "exports/odd.onnx" target: "tda4vm" {limits}'
                'check { model: "exports/simp.onnx" target: "jetson-orin" mode: "30W" batch: 2 latency { max: "1 s" } '
                '}\n')
        for path in ("hwest.budget", "limits of mine & é.budget"):
            self.budget(text, path)
            for form, holds in ci_format_rules.RULES.items():
                with self.subTest(form=form, path=path):
                    done = self.run_it("check", "--budget", path, "--format", form)
                    self.assertEqual(done.returncode, 8, done.stderr)
                    holds(done.stdout)
        self.budget('check { model: "exports/simp.onnx" target: "tda4vm" rate { min: "1" judge: UPPER } }')
        for form, holds in ci_format_rules.RULES.items():  # nothing to say
            holds(self.run_it("check", "--format", form).stdout)

    def test_groups_are_those_that_add_to_the_figure(self):
        done = self.run_it("exports/simp.onnx", "--target", "tda4vm", "--json")
        groups = json.loads(done.stdout)["groups"]
        on_cpu = {row["name"] for row in json.loads(done.stdout)["units"] if "cpu" in row["kind"]}
        amounts = {"macs": lambda g: g["macs"], "params": lambda g: g["weight_bytes"],
                   "peak_memory": lambda g: g["weight_bytes"] + g["out_bytes"], "energy": lambda g: g["energy_j"],
                   "latency": lambda g: g["time_s"], "fallback": lambda g: g["time_s"] if g["unit"] in on_cpu else 0}
        self.budget('check { model: "exports/simp.onnx" target: "tda4vm" latency { max: "1 us" } energy { max: "0.001 '
                    'uJ" } macs { max: "1" }\n'
                    'params { max: "1" } peak_memory { max: "1 kB" } fallback { max_share: 0 } }')
        for line in json.loads(self.run_it("check", "--json").stdout)["checks"][0]["lines"]:
            want = sorted((amounts[line["figure"]](g) for g in groups), reverse=True)[:3]
            self.assertEqual([g["amount"] for g in line["groups"]],
                             [x for x in want if x > 0 and line["verdict"] == "over"], line["figure"])

    def test_nodes_without_a_time_are_named(self):
        exports = pathlib.Path(self.folder, "exports")
        (exports / "odd.onnx").write_bytes((exports / "simp.onnx").read_bytes().replace(b"Flatten", b"Flattem"))
        self.budget('check { model: "exports/odd.onnx" target: "tda4vm" unknown { max: 0 } }')
        done = self.run_it("check")
        self.assertEqual(done.returncode, 8)
        self.assertRegex(done.stdout, "without a time: '.*Flattem")

    def test_update_writes_beside_the_limits(self):
        self.budget('check {  # ours\n  model: "exports/simp.onnx" target: "jetson-orin"\n'
                    '  latency { max: "1 s" } macs { max: "1 G" }  # agreed with "# now "\n}\n')
        before = self.read("hwest.budget").splitlines()
        for _ in range(2):
            self.assertEqual(self.run_it("check", "--update").returncode, 0)
            after = self.read("hwest.budget").splitlines()
            self.assertEqual(after[:2] + after[3:], before[:2] + before[3:])
            self.assertRegex(after[2], r'# agreed.*# now latency [\d.]+ us \(.*\), macs [\d.]+ M$')
        self.budget('{"check":[{"model":"exports/simp.onnx","target":"jetson-orin","latency":{"max":"1 s"}}]}',
                    "b.json")
        self.assertEqual(self.run_it("check", "--budget", "b.json", "--update").returncode, 2)

    def test_unknown_is_seven_and_over_wins(self):
        custom = self.summary("jetson-orin")  # a model whose every node has a time
        self.assertFalse(custom["incomplete"])
        exports = pathlib.Path(self.folder, "exports")
        (exports / "odd.onnx").write_bytes((exports / "simp.onnx").read_bytes().replace(b"Flatten", b"Flattem"))
        self.budget('check { model: "exports/odd.onnx" target: "jetson-orin" latency { max: "1 s" } }')
        done = self.run_it("check", "--json")
        line = json.loads(done.stdout)["checks"][0]["lines"][0]
        self.assertEqual((done.returncode, line["verdict"]), (7, "unknown"), done.stderr)
        self.assertTrue(line["why"])
        self.budget('check { model: "exports/odd.onnx" target: "jetson-orin" latency { max: "1 ns" } energy { max: "1 '
                    'J" } }')
        done = self.run_it("check", "--json")
        self.assertEqual((done.returncode, [row["verdict"] for row in json.loads(done.stdout)["checks"][0]["lines"]]),
                         (8, ["over", "unknown"]))

    def test_what_is_wrong_is_one_line(self):
        head = 'check {\n model: "exports/simp.onnx"\n target: "jetson-orin"\n '
        cases = [
            ('check {\n model: "a" target: "b"\n latncy { max: "1 ms" } }', 2, r"hwest.budget:3: there is no 'latncy'"),
            (head + 'latency { max: "12" } }', 2,
             r"hwest.budget:4: latency.max cannot be '12': write a time such as 12 ms"),
            (head + 'latency { judge: UPPER } }', 2, r"hwest.budget:4: latency has no max"),
            (head + 'latency { max: "-1 ms" } }', 2, r"hwest.budget:4: "),
            (head + 'fallback { max_share: 5 } }', 2, r"hwest.budget:4: fallback.max_share"),
            (head + 'segments { } }', 2, r"hwest.budget:4: segments needs a max"),
            (head + 'growth { latency: 0.1 } }', 2, r"hwest.budget:4: growth needs"),
            (head + 'growth { against: "none.json" latency: 0.1 } }', 2,
             r"hwest.budget:1: cannot read the saved report none.json"),
            (head + '}', 2, r"hwest.budget:1: the check has no limit"),
            ('check { target: "jetson-orin" }', 2, r"hwest.budget:1: the check names no model"),
            ((head + 'unknown { max: 0 } }\n') * 2, 2,
             r"hwest.budget:5: there are two checks of exports/simp.onnx@jetson-orin"),
            ('', 2, r"the budget has no check"),
            ('check {', 2, r"hwest.budget:1: "),
            (head.replace("simp", "none") + 'unknown { max: 0 } }', 3,
             r"hwest.budget:1: cannot open 'exports/none.onnx'"),
            (head.replace("jetson-orin", "nowhere") + 'unknown { max: 0 } }', 4, r"hwest.budget:1: unknown target"),
            (head.replace("simp", "bert") + 'unknown { max: 0 } }', 5, r"--dim batch=1 --dim seq=128"),
        ]
        for text, code, said in cases:
            with self.subTest(said=said):
                self.budget(text)
                done = self.run_it("check")
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertRegex(done.stderr, "^onnx-hwest: error: .*" + said)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for words, code in ((("check", "--budget", "none"), 2),
                            (("check", "exports/simp.onnx", "--target", "jetson-orin"), 2),
                            (("check", "exports/simp.onnx", "--max-latency", "1ms"), 2),
                            (("check", "--target", "tda4vm"), 2),
                            (("check", "exports/simp.onnx", "--target", "jetson-orin", "--max-latency", "1"), 2),
                            (("check", "exports/simp.onnx", "--target", "jetson-orin", "--max-fallback", "5"), 2)):
            self.assertEqual(self.run_it(*words).returncode, code, words)
        self.write_findings()
        self.assertEqual(self.run_it("check", "--output", "/dev/full", "--format", "junit").returncode, 6)


if __name__ == "__main__":
    unittest.main()
