"""Drives Hunkwise with the Python SDK: `hunkwise mcp`, or a service.

Arguments: a diff with one finding, and the program, or the service's address and a token."""

import asyncio
import pathlib
import sys

import httpx2
import jsonschema
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ListRootsResult, Root

RULE = "python/mutable-default-argument"
DIFF, PEER, *TOKEN = sys.argv[1:]


async def roots(_context):
    return ListRootsResult(roots=[Root(uri=pathlib.Path.cwd().resolve().as_uri())])


async def call(client, tools, name, arguments, **more):
    """The data of a tool's result, once it is what the tool's schema declares."""
    result = await client.call_tool(name, arguments, **more)
    assert not result.is_error, result
    schema = tools[name].output_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(result.structured_content, schema, jsonschema.Draft202012Validator)
    jsonschema.validate(arguments, tools[name].input_schema, jsonschema.Draft202012Validator)
    return result.structured_content


def rules(review):
    return [finding["ruleId"] for finding in review["findings"]]


async def story(client, organization):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    seen = []

    async def progress(done, total, _message):
        seen.append((done, total))

    review = await call(client, tools, "review_diff", {"diff": DIFF, **organization}, progress_callback=progress)
    assert rules(review) == [RULE], review
    assert seen[-1] == (1, 1), seen
    if not organization:
        review = await call(client, tools, "review_working_tree", {"language": "auto"})
        assert rules(review) == [RULE, RULE], review
        assert review["untrackedFiles"] == 0, review
    rule = await call(client, tools, "explain_rule", {"ruleId": RULE})
    assert rule["why"] and rule["badExample"], rule
    names, page = [], {"language": "python"}
    while page:
        listed = await call(client, tools, "list_rules", page)
        names += [rule["ruleId"] for rule in listed["rules"]]
        following = listed.get("nextCursor")
        page = {"language": "python", "cursor": following} if following else None
    assert RULE in names, names
    refused = await client.call_tool("review_diff", {"diff": "no diff", **organization})
    assert refused.is_error, refused


async def main():
    # One that begins as the protocol did until 2025, and one that first asks what is spoken.
    for mode in ["legacy", "auto"]:
        if TOKEN:
            headers = {"Authorization": f"Bearer {TOKEN[0]}"}
            async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
                made = await http.post(f"{PEER}/v1/organizations", json={"name": "Acme"})
                transport = streamable_http_client(f"{PEER}/mcp", http_client=http)
                async with Client(transport, mode=mode) as client:
                    await story(client, {"organizationId": made.json()["organizationId"]})
        else:
            server = StdioServerParameters(command=PEER, args=["mcp"], cwd=".")
            async with Client(server, mode=mode, list_roots_callback=roots) as client:
                await story(client, {})
    print("all as declared")


asyncio.run(main())
