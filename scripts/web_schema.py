"""Writes the description of the web API, from which the page's TypeScript types are generated.

Usage: python scripts/web_schema.py [build/openapi.json]; `npm run schema` in web/ does both steps.
"""

import json
import sys
from pathlib import Path

from milton.webapi.app import create_app

ROOT = Path(__file__).parent.parent


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "openapi.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(create_app().openapi(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
