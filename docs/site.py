#!/usr/bin/env python3
"""Makes a site of the guides: pages with search that ask nothing of a network, from a disk or any static host.

  docs/site.py [FOLDER]          into FOLDER, by default build/site; open its index.html

The generator, mkdocs-material from PyPI, goes into ~/.cache/onnx-hwest/docs-venv. What pages link outside of docs/
(examples, budgets, other guides of the tree) is copied beside them. `cmake --build build --target docs` makes the
references of the C and the C++ API; where they are in build/docs, the site has them, too.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = pathlib.Path.home() / ".cache/onnx-hwest/docs-venv"
PACKAGE = "mkdocs-material==9.8.2"
NAV = {
    "Start": {"onnx-hwest": "index.md", "The first five minutes": "first-five-minutes.md",
              "Questions": "questions.md"},
    "Tutorials": {"Choose a board": "choose-a-board.md", "A gate in CI": "gate-in-ci.md",
                  "Your own chip": "own-chip.md", "LLM on the edge": "llm.md", "Why is INT8 slower?": "int8-slower.md"},
    "Guides": {"Using": "using.md", "From Python, C and C++": "from-code.md", "Memory": "memory.md",
               "Precision by layer": "quantize.md",
               "Rules of your own": "rules.md",
               "In a browser": "web.md",
               "Scale": "scale.md", "Packaging": "files/cmake/packaging/README.md", "What is trusted": "security.md"},
    "How good": {"Accuracy": "accuracy.md", "Tiling": "tiling.md", "Speed": "speed.md"},
    "Reference": {"Options": "options.md", "Tables": "tables.md", "Changes": "files/CHANGELOG.md"},
    "Inside": {"Architecture": "files/ARCHITECTURE.md", "Contributing": "files/CONTRIBUTING.md",
               "Adding things": "adding.md", "Tests": "testing.md"},
}
CONFIG = {
    "site_name": "onnx-hwest", "use_directory_urls": False, "docs_dir": "pages",
    "theme": {"name": "material", "font": False, "features": ["content.code.copy", "navigation.sections",
                                                              "search.suggest", "search.highlight"],
              "palette": [{"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo",
                           "toggle": {"icon": "material/weather-night", "name": "dark"}},
                          {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo",
                           "toggle": {"icon": "material/weather-sunny", "name": "light"}}]},
    "plugins": ["search", "offline"],
    "markdown_extensions": ["tables", "toc", "pymdownx.superfences", "pymdownx.highlight"],
    "validation": {"links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn"}},
}
# Browsers start no worker from a disk, so there the search runs in a frame; the generator would fetch such a script.
SEARCH = """<script>
if (location.protocol === "file:") window.Worker = class extends EventTarget {
  constructor(url) {
    super();
    const frame = document.body.appendChild(document.createElement("iframe"));
    const script = document.createElement("script");
    frame.hidden = true;
    this.inside = frame.contentWindow;
    this.waiting = [];
    this.inside.postMessage = (data) => this.hear(data);
    script.onload = () => {
      const waiting = this.waiting;
      this.waiting = null;
      waiting.forEach((data) => this.postMessage(data));
    };
    script.src = url;
    this.inside.document.body.append(script);
  }
  hear(data) {
    const event = new MessageEvent("message", { data });
    this.dispatchEvent(event);
    if (this.onmessage) this.onmessage(event);
  }
  postMessage(data) {
    if (this.waiting) return this.waiting.push(data);
    this.inside.dispatchEvent(new MessageEvent("message", { data }));
  }
};
</script>"""
LINK = re.compile(r"(!?\[[^\]]*\]\()(?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?(\))")


def pages():
    """{path in the site: file} of every page: the guides, and what the navigation takes from elsewhere."""
    found = {path.name: path for path in (ROOT / "docs").glob("*.md")}
    found["index.md"] = ROOT / "README.md"
    for name in (name for part in NAV.values() for name in part.values() if name.startswith("files/")):
        found[name] = ROOT / name.removeprefix("files/")
    return found


def gather(folder):
    """Lays the pages and what they link to into `folder`; raises SystemExit at a link that leads nowhere."""
    made = pages()
    place = {source: name for name, source in made.items()}
    for name, source in made.items():
        def linked(match, name=name, source=source):
            target = (source.parent / match[2]).resolve()
            if not target.exists():
                raise SystemExit(f"site.py: error: {source.relative_to(ROOT)} links to {match[2]}, which is not there")
            if target not in place:
                here = target.relative_to(ROOT / "docs") if target.is_relative_to(ROOT / "docs") else \
                    pathlib.Path("files") / target.relative_to(ROOT)
                if target.is_dir():
                    return match[0].split("](")[0].lstrip("![")  # a folder of the tree is no page
                (folder / here).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(target, folder / here)
                place[target] = str(here)
            up = "../" * name.count("/")
            return f"{match[1]}{up}{place[target]}{match[3] or ''}{match[4]}"

        # A fence that names a file or the lines of an output keeps its language alone.
        text = re.sub(r"^```(\w+) .*$", r"```\1", source.read_text(encoding="utf-8"), flags=re.M)
        parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
        parts[::2] = [LINK.sub(linked, part) for part in parts[::2]]
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(parts), encoding="utf-8")


def main(folder):
    if not (VENV / "complete").exists() or (VENV / "complete").read_text() != PACKAGE:
        print(f"site.py: installing {PACKAGE} into {VENV}")
        subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
        subprocess.run([VENV / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE],
                       check=True)
        (VENV / "complete").write_text(PACKAGE)
    with tempfile.TemporaryDirectory() as top:
        work = pathlib.Path(top)
        (work / "pages").mkdir()
        gather(work / "pages")
        nav = [{part: [{title: page} for title, page in rows.items()]} for part, rows in NAV.items()]
        for name, title in (("c", "C ABI"), ("cpp", "C++ API")):
            if (ROOT / "build/docs" / name / "index.html").exists():
                shutil.copytree(ROOT / "build/docs" / name, work / "pages/reference" / name)
                nav[-2]["Reference"].append({title: f"reference/{name}/index.html"})
        (work / "mkdocs.yml").write_text(json.dumps({**CONFIG, "nav": nav}))  # JSON is YAML
        subprocess.run([VENV / "bin/mkdocs", "build", "--quiet", "--strict", "--clean", "--site-dir", folder.resolve()],
                       cwd=work, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r'<script src="https://[^"]*/iframe-worker/shim"></script>', lambda _: SEARCH, text),
                        encoding="utf-8")
    print(f"{folder}/index.html")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/site")
