"""The client of the official SDK for Python, from nothing to a note that it may add."""

import asyncio
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

server, redirect, consent = sys.argv[1:]


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class User:
    """Opens the URL that it is sent to."""

    async def redirect(self, url):
        async with httpx2.AsyncClient() as browser:
            self.back = (await browser.post(consent, content=url)).text

    async def callback(self):
        answer = {name: value for name, [value] in parse_qs(urlsplit(self.back).query).items()}
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer.get("iss"))


async def main():
    user = User()
    auth = OAuthClientProvider(
        server,
        OAuthClientMetadata(
            client_name="python",
            redirect_uris=[redirect],
            grant_types=["authorization_code"],
            token_endpoint_auth_method="none",
            application_type="native",
        ),
        Storage(),
        user.redirect,
        user.callback,
    )
    async with httpx2.AsyncClient(auth=auth) as http, streamable_http_client(server, http_client=http) as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            tools = await session.list_tools()
            assert sorted(tool.name for tool in tools.tools) == ["add_note", "clear_notes", "list_notes"]

            async def call(name, arguments):
                result = await session.call_tool(name, arguments)
                return "".join(part.text for part in result.content)

            assert await call("list_notes", {}) == ""
            assert await call("add_note", {"text": "Buy milk."}) == "1 notes"
            assert (await call("list_notes", {})).endswith(": Buy milk.")


asyncio.run(main())
