"""What MkDocs calls while it builds the site: adds the pages made from the code and from README.md."""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import docs_reference  # noqa: E402  (beside this file, which MkDocs loads by its path)


def on_files(files: Files, config: Any) -> Files:
    pages = {
        "index.md": start_page((ROOT / "README.md").read_text()),
        "reference/commands.md": docs_reference.commands_page(),
        "reference/settings.md": docs_reference.settings_page(),
        "reference/python.md": docs_reference.python_page(),
    }
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def start_page(readme: str) -> str:
    """README.md as the first page: its links start at the top of the repository, those of pages in docs/."""
    # Files outside docs/ are not part of the site.
    inside = re.sub(r"\[([^\]]+)\]\((?!https?:|#|docs/)([^)]+)\)", r"\1", readme)
    return re.sub(r"(\]\(|src=\"|srcset=\")docs/", r"\1", inside)
