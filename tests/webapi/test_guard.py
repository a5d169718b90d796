"""Who may ask and how much: foreign names, foreign pages, strangers, floods."""

import socket

import httpx2
import pytest
from web_client import CHESS, assert_problem, search_body, serving

from milton.config import Secret
from milton.errors import ArgumentError, ConfigError
from milton.webapi.server import ServeOptions, bind

TOKEN = "correct horse battery staple"


@pytest.fixture
def locked(monkeypatch):
    monkeypatch.setenv("MILTON_TEST_TOKEN", TOKEN)
    with serving(token=Secret("env:MILTON_TEST_TOKEN")) as client:
        yield client


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", ""])
def test_other_names_for_this_machine_are_refused(runless_client, host):
    for address in ("/", "/api/info"):
        response = runless_client.get(address, headers={"Host": host})
        assert assert_problem(response, 403)["where"] == "Host"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1:8765", "[::1]:8765"])
def test_names_of_loopback_are_accepted(runless_client, host):
    assert runless_client.get("/api/info", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "file://{host}"},
        {"Origin": "https://{host}@evil.example"},
        {"Origin": "ftp://{host}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_others_may_not_ask(runless_client, headers):
    host = runless_client.base_url.netloc.decode()
    headers = {name: value.format(host=host) for name, value in headers.items()}
    for response in (
        runless_client.post("/api/search", json=search_body(level=1), headers=headers),
        runless_client.post("/api/position", json=CHESS, headers=headers),
        runless_client.get("/api/run/events", headers=headers),
    ):
        assert assert_problem(response, 403)["where"] == "Origin"
    assert "access-control-allow-origin" not in response.headers


def test_pages_of_others_may_link_here(runless_client):
    assert runless_client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_the_own_page_may_ask(runless_client):
    own = {"Origin": str(runless_client.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert runless_client.post("/api/position", json=CHESS, headers=own).status_code == 200


def test_without_the_token_nothing_is_answered(locked):
    for address in ("/", "/api/info", "/api/openapi.json", "/nowhere"):
        assert_problem(locked.get(address), 401)
    assert_problem(locked.post("/api/position", json=CHESS), 401)
    assert_problem(locked.get("/api/info", headers={"Authorization": "Bearer nonsense"}), 401)
    assert_problem(locked.get("/api/info", headers={"Authorization": TOKEN}), 401)
    assert_problem(locked.get("/?token=nonsense"), 401)
    assert_problem(locked.get("/api/info", headers={"Cookie": f"milton_session={'x' * 43}"}), 401)


def test_a_program_shows_the_token_as_bearer(locked):
    assert locked.get("/api/info", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_browser_shows_the_token_once_and_keeps_a_cookie(locked):
    response = locked.get("/play", params={"token": TOKEN, "game": "chess"})
    assert (response.status_code, response.headers["location"]) == (303, "/play?game=chess")
    cookie = response.headers["set-cookie"]
    assert TOKEN not in cookie
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert locked.get("/api/info").status_code == 200


PAGE = {"Accept": "text/html,application/xhtml+xml"}


def test_a_browser_without_the_token_gets_a_page_to_type_it_into(locked):
    for address in ("/", "/play?game=chess"):
        response = locked.get(address, headers=PAGE)
        assert response.status_code == 401
        assert response.headers["content-type"].startswith("text/html")
        assert "form-action 'self'" in response.headers["content-security-policy"]
        assert 'name="token"' in response.text
        assert TOKEN not in response.text
    assert_problem(locked.get("/api/info", headers=PAGE), 401)


def test_the_typed_token_opens_the_page_that_was_asked_for(locked):
    own = PAGE | {"Origin": str(locked.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    response = locked.post("/play?game=chess", data={"token": TOKEN}, headers=own)
    assert (response.status_code, response.headers["location"]) == (303, "/play?game=chess")
    assert locked.get("/api/info").status_code == 200


@pytest.mark.parametrize("form", [{"token": "nonsense"}, {"name": "x"}, {"token": "x" * 10_000}])
def test_a_wrong_token_typed_shows_the_page_again(locked, form):
    response = locked.post("/", data=form, headers=PAGE)
    assert response.status_code == 401
    assert "not the token" in response.text
    assert "set-cookie" not in response.headers


def test_pages_of_others_may_not_type_the_token(locked):
    foreign = PAGE | {"Origin": "https://evil.example"}
    assert_problem(locked.post("/", data={"token": TOKEN}, headers=foreign), 403)


def test_a_login_leads_nowhere_else(locked):
    target = f"//evil.example/?token={TOKEN.replace(' ', '%20')}"
    with socket.create_connection((locked.base_url.host, locked.base_url.port)) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    assert answer.startswith("HTTP/1.1 303")
    assert "location: /evil.example/\r\n" in answer


def test_serving_strangers_needs_a_good_token(monkeypatch):
    monkeypatch.setenv("MILTON_TEST_TOKEN", "short")
    for options in (
        ServeOptions(host="0.0.0.0"),
        ServeOptions(host="example.org", token=Secret("")),
        ServeOptions(host="0.0.0.0", token=Secret("env:MILTON_TEST_TOKEN")),
        ServeOptions(host="0.0.0.0", token=Secret("env:MILTON_NO_SUCH_TOKEN")),
    ):
        with pytest.raises(ConfigError) as refused:
            options.resolved_token()
        assert "short" not in str(refused.value)
    assert ServeOptions(host="::1").resolved_token() is None


def test_a_taken_port_is_named_or_passed_over():
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ArgumentError, match=str(port)):
            bind("127.0.0.1", port)
        with bind("127.0.0.1", port, ports_tried=20) as other:
            assert other.getsockname()[1] > port


def test_bodies_that_are_too_large_are_refused_with_or_without_a_length(runless_client):
    huge = b" " * (1 << 21)
    headers = {"Content-Type": "application/json"}
    assert_problem(runless_client.post("/api/position", content=huge, headers=headers), 413)
    pieces = (huge[:65_536] for _ in range(32))
    try:
        response = runless_client.post("/api/position", content=pieces, headers=headers)
    except httpx2.TransportError:
        return  # the server hung up before everything was sent
    assert_problem(response, 413)


def test_only_json_is_read(runless_client):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        response = runless_client.post(
            "/api/position", content=b'{"game": "chess"}', headers={"Content-Type": kind}
        )
        assert_problem(response, 422)


@pytest.mark.parametrize("address", ["/", "/api/info", "/api/nowhere", "/nowhere.js", "/api/networks"])
def test_every_answer_forbids_foreign_content(runless_client, address):
    headers = runless_client.get(address).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "http" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_unknown_addresses_and_methods_are_problems(runless_client):
    assert_problem(runless_client.get("/api/nowhere"), 404)
    assert_problem(runless_client.get("/api/position"), 405)
    assert_problem(runless_client.delete("/api/info"), 405)
