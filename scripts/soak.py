"""Soak test: the loop, its page and the demo bot together, with memory and handles of every process.

    nice -n 19 python scripts/soak.py 3600 /tmp/soak --set loop.threads=1

Every SAMPLE_S seconds one line of JSON goes to FOLDER/samples.jsonl. Two clients use the page meanwhile: one
asks again and again, one holds the stream of live events. At the end a table has the medians of each quarter
of the soak: a leak rises from one to the next. Knows nothing of what Milton does.
"""

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

SAMPLE_S = 30.0
ASK_S = 5.0
END_S = 600.0  # for the loop to end after it was asked to
PATHS = ("/", "/api/info", "/api/networks", "/api/run", "/api/run/iterations", "/api/bot", "/api/nothing")
SEARCH = {"record": {"game": "chess", "moves": ["e2e4"]}, "limits": {"simulations": 50}}


def processes(root: int) -> Iterator[int]:
    """`root` and everything that it started, in order."""
    yield root
    try:
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
        for task in Path(f"/proc/{root}/task").iterdir():
            if task.name != str(root):
                children += (task / "children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from processes(int(child))


def sample(pid: int) -> dict[str, object] | None:
    """Memory, handles and threads; None if the process is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        handles = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return None
    rss = re.search(r"VmRSS:\s+(\d+)", status)
    threads = re.search(r"Threads:\s+(\d+)", status)
    name = "bot" if "lichess" in words else "loop and page" if "loop" in words else Path(words[0]).name
    return {
        "pid": pid,
        "name": name,
        "rss_mb": int(rss[1]) / 1024 if rss else 0.0,
        "handles": handles,
        "threads": int(threads[1]) if threads else 0,
    }


def ask(port: int, ended: threading.Event, counts: dict[str, int]) -> None:
    """A page that is loaded again and again."""
    while not ended.wait(ASK_S):
        for path in (*PATHS, "/api/search"):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                if path == "/api/search":
                    connection.request("POST", path, json.dumps(SEARCH), {"Content-Type": "application/json"})
                else:
                    connection.request("GET", path)
                connection.getresponse().read()
                counts["answers"] += 1
            except OSError:
                counts["failures"] += 1
            finally:
                connection.close()


def watch(port: int, ended: threading.Event, counts: dict[str, int]) -> None:
    """A page that is left open: it holds the stream, and opens it again when it ends."""
    while not ended.wait(1.0):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/api/run/events")
            answer = connection.getresponse()
            while not ended.is_set() and answer.readline():
                counts["streamed lines"] += 1
        except OSError:
            continue
        finally:
            connection.close()


def soak(seconds: float, folder: Path, options: list[str]) -> list[list[dict[str, object]]]:
    folder.mkdir(parents=True, exist_ok=True)
    port = 18765
    command = [sys.executable, "-m", "milton.cli", "loop", "--game", "chess", "--profile", "any-game-quick"]
    command += ["--run", str(folder / "run"), "--iterations", "0", "--plain", "--demo-lichess"]
    command += ["--port", str(port), *options]
    ended, counts = threading.Event(), {"answers": 0, "failures": 0, "streamed lines": 0}
    samples = []
    with (folder / "loop.log").open("a") as log, (folder / "samples.jsonl").open("a") as lines:
        loop = subprocess.Popen(command, stdout=log, stderr=log)
        for client in (ask, watch):
            threading.Thread(target=client, args=(port, ended, counts), daemon=True).start()
        end = time.monotonic() + seconds
        while loop.poll() is None and time.monotonic() < end:
            rows = [row for pid in processes(loop.pid) if (row := sample(pid)) is not None]
            samples.append(rows)
            lines.write(json.dumps({"time_s": time.time(), "counts": counts, "processes": rows}) + "\n")
            lines.flush()
            time.sleep(SAMPLE_S)
        ended.set()
        loop.send_signal(signal.SIGINT)
        code = loop.wait(END_S)
    print(f"{len(samples)} samples, exit code {code}, {counts}")
    return samples


def report(samples: list[list[dict[str, object]]]) -> None:
    """Medians of four quarters: a leak rises from one to the next."""
    last = {row["pid"]: row["name"] for row in samples[-1]}
    for pid, name in last.items():
        rows = [row for rows in samples for row in rows if row["pid"] == pid]
        quarter = max(1, len(rows) // 4)
        parts = [rows[begin : begin + quarter] for begin in range(0, 4 * quarter, quarter)]
        for key, form in (("rss_mb", "{:.0f}"), ("handles", "{:.0f}"), ("threads", "{:.0f}")):
            medians = [median(float(str(row[key])) for row in part) for part in parts if part]
            print(f"{name} ({pid}): {key} by quarters {', '.join(map(form.format, medians))}")


if __name__ == "__main__":
    report(soak(float(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
