"""Writes the description of the web API, from which the page's TypeScript types are generated.

Usage: python scripts/web_schema.py [TARGET]; `npm run schema` in web/ does both steps.
"""

import json
import sys
from pathlib import Path

from milton.webapi.app import create_app

DEFAULT_TARGET = Path(__file__).parent.parent / "web" / "src" / "api" / "openapi.json"


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_TARGET
    target.write_text(json.dumps(create_app().openapi(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
