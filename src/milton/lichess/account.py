"""Logging in: is the token good, does it belong to the account, is the account a bot? Plays nothing."""

from milton.config import LichessSettings
from milton.errors import ConfigError

from .calls import AccountCalls
from .events import Account
from .failures import TokenError

NEEDED_SCOPE = "bot:play"
NOT_A_BOT = (
    "{name} is a person's account; only BOT accounts may play by engine. `milton lichess --upgrade` makes it "
    "one. That cannot be undone, needs an account that has never played a game, and the account can then "
    "only play through programs"
)


# Variables that may hold a token: of several bots, each has its own.
TOKEN_VARIABLES = r"(LICHESS|MILTON)_(\w+_)?TOKEN(_\w+)?"


def token_of(settings: LichessSettings) -> str:
    """The token itself, from the environment; ConfigError says what is missing and what to do."""
    try:
        return settings.token.resolve(TOKEN_VARIABLES)
    except ConfigError as error:
        raise ConfigError(
            f"{error}; docs/lichess.md says how to get a token, `milton lichess --demo` needs none"
        ) from error


async def log_in(calls: AccountCalls, settings: LichessSettings, token: str) -> Account:
    """The account of the token, checked; TokenError says what is wrong and how to mend it."""
    where = f"{settings.base_url}/account/oauth/token/create?scopes[]={NEEDED_SCOPE}"
    scopes = await calls.scopes(token)
    if NEEDED_SCOPE not in scopes:
        allows = ", ".join(scope for scope in scopes if scope) or "nothing, or is unknown"
        raise TokenError(
            f"the token of {settings.token} allows {allows}; make one with {NEEDED_SCOPE} at {where}"
        )
    account = await calls.account()
    if settings.account and settings.account.lower() != account.id.lower():
        raise TokenError(
            f"the token of {settings.token} belongs to {account.username!r}, the settings want "
            f"{settings.account!r}; change lichess.account or make a token while logged in as that account"
        )
    return account


def require_bot(account: Account) -> None:
    if not account.is_bot:
        raise TokenError(NOT_A_BOT.format(name=account.username))
