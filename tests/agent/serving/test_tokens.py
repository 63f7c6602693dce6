"""Callers with tokens: which count, whom they make the caller, and which attacks fail."""

from __future__ import annotations

import base64
import codecs
import contextlib
import datetime as dt
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from frontdesk.agent.serving.auth import signing_keys
from frontdesk.agent.serving.auth.api_keys import Keys, UnknownKeyError, load_keys
from frontdesk.agent.serving.auth.signing_keys import (
    FetchedKeys,
    JwksUnavailableError,
    load_signing_keys,
)
from frontdesk.agent.serving.auth.tokens import SignedTokens, load_tokens
from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.kg.graph.errors import FormatError, InputError

from .calls import call
from .conftest import LOBBY, running

ISSUER, AUDIENCE = "https://login.example.org", "frontdesk"
SECRET = b"a-secret-of-at-least-thirty-two-bytes"
RSA, OTHER_RSA = (rsa.generate_private_key(65537, 2048) for _ in range(2))
P256 = ec.generate_private_key(ec.SECP256R1())


def pem(key) -> bytes:
    """The public part of a key."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def token(key=SECRET, algorithm: str = "HS256", *, headers: dict | None = None, **claims) -> str:
    """A token that counts, but for what is said otherwise; a claim that is None is left out."""
    now = dt.datetime.now(dt.UTC)
    whole = {"iss": ISSUER, "aud": AUDIENCE, "sub": "u1", "iat": now,
             "exp": now + dt.timedelta(minutes=5), **claims}
    return jwt.encode({name: value for name, value in whole.items() if value is not None}, key,
                      algorithm, headers)


def encoded(data: Any) -> str:
    """A part of a token, made by hand."""
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


def ago(**units) -> dt.datetime:
    return dt.datetime.now(dt.UTC) - dt.timedelta(**units)


def tokens_of(path: Path, content: bytes) -> SignedTokens:
    """What knows tokens by the keys in a file."""
    path.write_bytes(content)
    path.chmod(0o600)
    found = load_tokens(ServeSettings(jwt_keys=str(path), jwt_issuer=ISSUER,
                                      jwt_audience=AUDIENCE))
    assert found is not None
    return found


@pytest.fixture
def secret_tokens(tmp_path) -> SignedTokens:
    """Tokens that are signed with the secret."""
    return tokens_of(tmp_path / "secret", SECRET + b"\n")


def jwk(key, kid: str | None = None, **more) -> dict:
    """The public part of a key as it stands in a JWKS."""
    algorithm = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) \
        else jwt.algorithms.ECAlgorithm
    data = algorithm.to_jwk(key.public_key(), as_dict=True)
    return {**data, **({} if kid is None else {"kid": kid}), **more}


def jwks(*keys: object) -> bytes:
    return json.dumps({"keys": keys}).encode()


# which count --------------------------------------------------------------------------------------

def test_tokens_count_by_the_algorithm_of_the_key(tmp_path, secret_tokens):
    assert secret_tokens.caller(token()).id.startswith("jwt:")
    for key, algorithm in ((RSA, "RS256"), (P256, "ES256")):
        tokens = tokens_of(tmp_path / "key", pem(key))
        assert tokens.caller(token(key, algorithm)).id == secret_tokens.caller(token()).id


@pytest.mark.parametrize("name", ["RS256 as HS256", "none", "None", "RS384", "HS512", "no kid"])
def test_tokens_of_another_algorithm_than_the_key_do_not_count(tmp_path, name):
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "u1", "exp": 4_000_000_000}
    public = pem(RSA)
    if name == "RS256 as HS256":  # signed with what everybody may know
        body = f"{encoded({'alg': 'HS256', 'typ': 'JWT'})}.{encoded(claims)}"
        signature = jwt.algorithms.HMACAlgorithm(
            jwt.algorithms.HMACAlgorithm.SHA256).sign(body.encode(), public)
        forged = f"{body}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
    elif name in ("none", "None"):
        forged = f"{encoded({'alg': name})}.{encoded(claims)}."
    elif name == "no kid":
        forged = token(OTHER_RSA, "RS256")
    else:
        forged = token(RSA if name[0] == "R" else SECRET * 2, name)
    for content in (public, jwks(jwk(RSA, "k"))):
        with pytest.raises(UnknownKeyError, match="not signed as it should be"):
            tokens_of(tmp_path / "key", content).caller(forged)


@pytest.mark.parametrize(("claims", "says"), [
    ({"exp": ago(minutes=2)}, "expired"), ({"exp": None}, "has no exp"),
    ({"exp": "never"}, "not signed"), ({"iss": "https://evil.example"}, "another issuer"),
    ({"iss": None}, "has no iss"), ({"aud": "payroll"}, "another audience"),
    ({"aud": None}, "has no aud"), ({"sub": None}, "has no sub"), ({"sub": 7}, "not signed"),
    ({"nbf": ago(hours=-2)}, "not count yet"), ({"iat": ago(hours=-2)}, "not count yet"),
    ({"frontdesk_role": "king"}, "frontdesk_role"), ({"frontdesk_role": ["visitor"]}, "role"),
    ({"frontdesk_role": "employee"}, "nobody an employee"),
    ({"frontdesk_role": "assistant", "email": ""}, "email"),
    ({"email": ["ines@example.org"]}, "email"), ({"email": "x" * 300}, "email"),
    ({"email": "ines@example.org", "email_verified": False}, "not verified"),
    ({"email": "ines@example.org", "email_verified": "no"}, "not verified")])
def test_tokens_with_claims_that_do_not_count_are_told_why(secret_tokens, claims, says):
    with pytest.raises(UnknownKeyError, match=says):
        secret_tokens.caller(token(**claims))


def test_clocks_may_differ_a_little(secret_tokens):
    secret_tokens.caller(token(exp=ago(seconds=10), nbf=ago(seconds=-10), iat=ago(seconds=-10)))


@pytest.mark.parametrize("made", [
    "a.b.c", "..", "x" * 8000 + "..", "é.ü.ß", f"{encoded([])}.{encoded({})}.x",
    f"{encoded({'alg': 'HS256', 'kid': 7})}.{encoded({})}.x",
    f"{encoded({'alg': 'HS256'})}.{encoded([1])}.x", "eyJ." * 2 + "x"])
def test_what_is_no_token_does_not_count(secret_tokens, made):
    with pytest.raises(UnknownKeyError):
        secret_tokens.caller(made)


def test_tokens_that_are_huge_or_want_what_is_not_known_do_not_count(secret_tokens):
    with pytest.raises(UnknownKeyError, match="8192"):
        secret_tokens.caller(token(more="x" * 10_000))
    with pytest.raises(UnknownKeyError, match=r"crit|not signed"):
        secret_tokens.caller(token(headers={"crit": ["b64"], "b64": True}))


# whom they make the caller ------------------------------------------------------------------------

def test_callers_are_told_apart_by_issuer_subject_and_person(tmp_path, secret_tokens):
    other = load_tokens(ServeSettings(jwt_keys=str(tmp_path / "secret"), jwt_issuer="other",
                                      jwt_audience=AUDIENCE))
    ids = [secret_tokens.caller(token(**claims)).id for claims in (
        {}, {"sub": "u2"}, {"email": "ines@example.org"}, {"sub": "x" * 5000},
        {"frontdesk_speaker": "bo"})] + [other.caller(token(iss="other")).id]
    assert len(set(ids)) == 6
    assert all(len(each) <= 64 for each in ids)
    assert secret_tokens.caller(token(email="Ines@Example.org")).id == ids[2]


def test_tokens_make_the_caller_a_person_of_a_role(secret_tokens):
    def found(**claims) -> tuple[str | None, str | None]:
        caller = secret_tokens.caller(token(**claims))
        assert not caller.vouches
        assert not caller.operator
        return caller.person, caller.role

    mail = "ines@example.org"
    assert found() == (None, None)
    assert found(email=mail, email_verified=True) == (mail, None)
    assert found(email=mail, frontdesk_speaker="bo") == ("bo", None)
    assert found(email=mail, frontdesk_role="assistant") == (mail, "assistant")
    assert found(email=mail, frontdesk_role="visitor") == (None, "visitor")
    assert found(operator=True, vouches=True) == (None, None)


# keys ---------------------------------------------------------------------------------------------

def test_keys_of_a_set_are_found_by_their_ids(tmp_path):
    tokens = tokens_of(tmp_path / "k", jwks(jwk(RSA, "one"), jwk(OTHER_RSA, "two"),
                                            jwk(P256, "three")))
    for key, algorithm, kid in ((RSA, "RS256", "one"), (OTHER_RSA, "RS256", "two"),
                                (P256, "ES256", "three")):
        tokens.caller(token(key, algorithm, headers={"kid": kid}))
    for key, headers in ((RSA, {"kid": "two"}), (RSA, {"kid": "four"}), (RSA, {})):
        with pytest.raises(UnknownKeyError):
            tokens.caller(token(key, "RS256", headers=headers))
    for sole in (jwks(jwk(RSA)), codecs.BOM_UTF8 + jwks(jwk(RSA)), jwks(7, jwk(RSA)),
                 codecs.BOM_UTF8 + pem(RSA), jwks(jwk(RSA, key_ops=["verify"]))):
        tokens_of(tmp_path / "k", sole).caller(token(RSA, "RS256"))


@pytest.mark.parametrize(("content", "says"), [
    (b"short", "5 bytes"), (b"", "0 bytes"), (b"{", "no set"), (b'{"keys": 5}', "no set"),
    (b'{"keys": []}', "none of the keys"), (b'{"keys": [7]}', "none of the keys"),
    (b"a secret of at least thirty-two bytes", "nor a secret"),
    (b"https://login.example.org/of/the/company/jwks.json", "nor a secret"),
    (b"<html><body>public</body></html><!-- and more -->", "nor a secret"),
    (b"[" + b"1," * 40 + b"2]", "nor a secret"), (bytes(range(256)), "nor a secret"),
    (pem(RSA).decode().encode("utf-16"), "nor a secret"),
    (b"ssh-rsa " + b"A" * 80, "nor a secret"),
    (b"".join(pem(RSA).split(b"\n")[1:-2]), "nor a secret"),
    (base64.b64decode(b"".join(pem(RSA).split(b"\n")[1:-2])).hex().encode(), "nor a secret"),
    (b"'" + jwks(jwk(RSA)).replace(b" ", b"") + b"'", "nor a secret"),
    (jwks(jwk(RSA, key_ops=["encrypt"])), "none of the keys"),
    (jwks(jwk(RSA, key_ops=5)), "none of the keys"),
    (jwks({"kty": "oct", "k": "c2VjcmV0", "kid": "a"}), "none of the keys"),
    (jwks({"kty": "RSA", "n": "AQAB", "e": "AQAB"}), "none of the keys"),
    (jwks(jwk(RSA, use="enc")), "none of the keys"),
    (jwks(jwk(RSA, alg="RS512")), "none of the keys"),
    (jwks(jwk(RSA, alg="HS256")), "none of the keys"),
    (pem(rsa.generate_private_key(65537, 1024)), "1024 bits"),
    (pem(ec.generate_private_key(ec.SECP384R1())), "secp384r1"),
    (b"-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", "private key"),
    (b"-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----", "certificate")])
def test_keys_that_would_not_do_are_told_at_the_start(tmp_path, content, says):
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(FormatError, match=says):
        load_signing_keys(str(tmp_path / "key"))


@pytest.mark.parametrize("address", [
    "http://login.example.org/jwks", "ftp://localhost/jwks", "file:///etc/passwd", "https://",
    "http://localhost.example.org/jwks", "http://user@192.0.2.1/"])
def test_keys_are_fetched_from_safe_addresses_only(address):
    with pytest.raises(InputError, match="safely"):
        load_signing_keys(address)


def test_settings_of_tokens_have_to_be_whole(tmp_path):
    assert load_tokens(ServeSettings()) is None
    for missing in ("jwt_issuer", "jwt_audience"):
        given = {"jwt_keys": "k", "jwt_issuer": ISSUER, "jwt_audience": AUDIENCE, missing: ""}
        with pytest.raises(InputError, match=missing):
            load_tokens(ServeSettings(**given))
    with pytest.raises(InputError, match="cannot read"):
        load_tokens(ServeSettings(jwt_keys=str(tmp_path / "none"), jwt_issuer=ISSUER,
                                  jwt_audience=AUDIENCE))


class Issuer:
    """What serves a JWKS: its status, its content, and how often it was asked."""

    def __init__(self) -> None:
        self.status, self.content, self.asked = 200, jwks(jwk(RSA, "one")), 0
        self.url = ""
        self.pause_s = 0.0  # after each 100 bytes


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    """An issuer at a real port."""
    found = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked += 1
            self.send_response(found.status)
            if found.status == 302:
                self.send_header("Location", "/elsewhere")
            self.end_headers()
            if found.status == 200:
                with contextlib.suppress(OSError):
                    for start in range(0, len(found.content), 100):
                        self.wfile.write(found.content[start:start + 100])
                        time.sleep(found.pause_s)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    found.url = f"http://127.0.0.1:{server.server_address[1]}/jwks"
    yield found
    server.shutdown()
    server.server_close()


def test_keys_are_fetched_again_when_a_new_one_signs_but_not_at_once(issuer):
    now = 1000.0
    keys = FetchedKeys(issuer.url, lambda: now)
    tokens = SignedTokens(keys, ISSUER, AUDIENCE)
    old = token(RSA, "RS256", headers={"kid": "one"})
    new = token(OTHER_RSA, "RS256", headers={"kid": "two"})
    tokens.caller(old)
    issuer.content = jwks(jwk(OTHER_RSA, "two"))
    for _ in range(20):
        with pytest.raises(UnknownKeyError):
            tokens.caller(new)
    assert issuer.asked == 1
    now += 31
    tokens.caller(new)
    assert issuer.asked == 2
    with pytest.raises(UnknownKeyError):  # withdrawn
        tokens.caller(old)
    now += 31
    for kid in map(str, range(50)):
        with contextlib.suppress(UnknownKeyError):
            tokens.caller(token(RSA, "RS256", headers={"kid": kid}))
    assert issuer.asked == 3


def test_keys_stay_while_the_issuer_is_away_but_not_for_ever(issuer):
    now = 1000.0
    tokens = SignedTokens(FetchedKeys(issuer.url, lambda: now), ISSUER, AUDIENCE)
    good = token(RSA, "RS256", headers={"kid": "one"})
    issuer.status = 500
    now += 4000
    tokens.caller(good)
    assert issuer.asked == 2
    now += 90_000
    with pytest.raises(JwksUnavailableError):
        tokens.caller(good)
    issuer.status = 200
    now += 31
    tokens.caller(good)


@pytest.mark.parametrize(("status", "content", "error"), [
    (500, b"", JwksUnavailableError), (302, b"", JwksUnavailableError), (200, b"[]", FormatError),
    (200, b" " * 1_000_001, FormatError)])
def test_keys_that_cannot_be_fetched_are_told_at_the_start(issuer, status, content, error):
    issuer.status, issuer.content = status, content
    with pytest.raises(error, match=r"serve\.jwt_keys"):
        FetchedKeys(issuer.url)


def test_keys_that_come_too_slowly_are_not_waited_for(issuer, monkeypatch):
    monkeypatch.setattr(signing_keys, "_TIMEOUT_S", 0.5)
    issuer.pause_s = 0.2
    with pytest.raises(JwksUnavailableError, match=r"not all came in 0\.5 seconds"):
        FetchedKeys(issuer.url)


def test_while_one_fetches_the_keys_anew_those_of_before_serve_the_others(issuer):
    now = 1000.0
    tokens = SignedTokens(FetchedKeys(issuer.url, lambda: now), ISSUER, AUDIENCE)
    good = token(RSA, "RS256", headers={"kid": "one"})
    issuer.pause_s = 0.3
    for asked, (later, waits) in enumerate(((4000, False), (100_000, True)), start=2):
        now += later
        slow = threading.Thread(target=tokens.caller, args=(good,))
        slow.start()
        while issuer.asked < asked:
            time.sleep(0.001)
        begun = time.monotonic()
        tokens.caller(good)
        assert (time.monotonic() - begun > 0.6) is waits, "those of a day ago count no longer"
        slow.join()
        assert issuer.asked == asked


# the service --------------------------------------------------------------------------------------

@pytest.fixture
def service(tmp_path, encoder):
    """A service that takes tokens and a key."""
    keys = tmp_path / "k.toml"
    keys.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n')
    tokens = tokens_of(tmp_path / "secret", SECRET)
    with running(tmp_path, encoder, keys=load_keys(keys).with_tokens(tokens)) as found:
        yield found


def ask(service, key: str, *texts: str, **data) -> list[str]:
    """The replies to some utterances of a new session."""
    status, made, _ = call(f"{service.url}/sessions", data, key=key)
    assert status == 201, made
    turns = [call(f"{service.url}/sessions/{made['id']}/turns", {"text": text}, key=key)
             for text in texts]
    return [reply.get("text", str(reply)) for _, reply, _ in turns]


def test_person_of_a_token_speaks_in_all_its_sessions_and_is_nobody_else(service):
    bo, ines = token(email="bo@example.org"), token(sub="u2", email="ines@example.org")
    assert "Beta" in ask(service, bo, "Where is the salary talk?")[0]
    assert "Beta" not in ask(service, ines, "I am Bo Haraldsen", "Where is the salary talk?")[1]
    assert "I have booked" in ask(service, ines, "Book a meeting called glue tomorrow at ten",
                                  "yes")[1]
    for key, data, status in ((ines, {"speaker": "bo@example.org"}, 422),
                              (ines, {"speaker": "Ines@example.org"}, 201),
                              (token(), {"speaker": "ines@example.org"}, 422),
                              (token(email="stranger@example.com"), {}, 422)):
        assert call(f"{service.url}/sessions", data, key=key)[0] == status
    reply = call(f"{service.url}/webhooks/rest/webhook", {
        "message": "Where is the salary talk?", "metadata": {"speaker": "bo@example.org"}},
        key=ines)
    assert (reply[0], "another person" in reply[1]["error"]["message"]) == (422, True)


def test_session_of_a_token_is_there_for_no_other(service):
    bo, same, ines = (token(email="bo@example.org"), token(email="bo@example.org"),
                      token(email="ines@example.org"))
    session = call(f"{service.url}/sessions", {}, key=bo)[1]["id"]
    for key, status in ((same, 200), (ines, 404), (token(), 404), (LOBBY, 404),
                        (token(sub="u2", email="bo@example.org"), 404)):
        assert call(f"{service.url}/sessions/{session}", key=key)[0] == status
        assert call(f"{service.url}/sessions/{session}/turns", {"text": "hello"}, key=key)[0] \
            == status


def test_role_of_a_token_limits_what_is_told_and_done(service):
    visitor = token(email="bo@example.org", frontdesk_role="visitor")
    assistant = token(email="jonas@example.org", frontdesk_role="assistant")
    assert "Beta" in ask(service, assistant, "Where is the salary talk?")[0]
    replies = ask(service, visitor, "I am Bo Haraldsen", "Where is the salary talk?",
                  "Book a meeting called glue tomorrow at ten", "yes")
    assert "Beta" not in replies[1]
    assert "only change the calendar for people" in replies[2]
    assert not service.calendar.trail()


@pytest.mark.parametrize(("made", "says"), [
    (lambda: token(exp=ago(hours=1)), "expired"), (lambda: token(key=b"x" * 40), "signed"),
    (lambda: "wrong", "no key")])
def test_service_tells_what_is_wrong_with_a_token(service, made, says):
    status, problem, headers = call(f"{service.url}/sessions", {}, key=made())
    assert (status, headers["www-authenticate"]) == (401, "Bearer")
    assert says in problem["error"]["message"]


def test_with_tokens_and_no_keys_nobody_else_may_call(secret_tokens):
    keys = Keys({}).with_tokens(secret_tokens)
    assert keys.are_set
    assert keys.caller(None) is None
    assert keys.caller("wrong") is None
    assert keys.caller(token()).id.startswith("jwt:")


@pytest.mark.parametrize("role", ["visitor", "employee", "assistant"])
def test_key_with_a_role_gives_it_to_all_its_users(tmp_path, encoder, role):
    vouches = role != "visitor"
    path = tmp_path / "roles.toml"
    path.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = {str(vouches).lower()}\n'
                    f'role = "{role}"\n')
    with running(tmp_path, encoder, keys=load_keys(path)) as service:
        data = {"speaker": "jonas@example.org"} if vouches else {}
        (reply,) = ask(service, LOBBY, "Where is the salary talk?", **data)
        assert ("Beta" in reply) is (role == "assistant")
        unnamed = {} if vouches else {"speaker": "jonas@example.org"}
        for where, body in (("sessions", unnamed),
                            ("check", {"history": [{"role": "user", "text": "hello"}],
                                       "response": "Hi.", **unnamed}),
                            ("v1/chat/completions", {
                                "messages": [{"role": "user", "content": "hello"}],
                                "frontdesk": unnamed})):
            assert call(f"{service.url}/{where}", body)[0] == 422, where


def test_session_is_not_gone_on_with_when_its_key_does_not_vouch_any_more(tmp_path, encoder):
    path = tmp_path / "k.toml"
    session = ""
    for vouches, role, status in (("true", "", 200), ("false", "", 422),
                                  ("false", 'role = "visitor"', 422),
                                  ("true", 'role = "employee"', 200)):
        path.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = {vouches}\n{role}\n')
        with running(tmp_path, encoder, keys=load_keys(path)) as service:
            if not session:
                session = call(f"{service.url}/sessions",
                               {"speaker": "bo@example.org"})[1]["id"]
            assert call(f"{service.url}/sessions/{session}/turns",
                        {"text": "Where is the salary talk?"})[0] == status
