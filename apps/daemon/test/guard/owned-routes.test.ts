import { CONTRACTS, type Contract, PATHS, type RouteName } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { requireOwner } from "@tmpm/supervisor";
import { expect, test } from "vitest";
import { requireOwned } from "../../src/requests/require-owned.js";
import { openDoors, SECRETS } from "../fixtures/door-fixture.js";

/** A token of the scope operator acts for the client of its name. */
const CLIENT = "operator";
const OWNERS: Readonly<Record<string, string | null>> = { theirs: "tui1", own: CLIENT, "no-ones": null };

/** The routes that every client may use with every session. All others, including new ones, are refused to all but the owner. */
const OPEN: readonly RouteName[] = [
  ...([
    "scope",
    "show",
    "sends",
    "receipt",
    "turns",
    "turn",
    "queue",
    "capture",
    "stream",
    "wait",
    "why",
    "uploads",
    "oneUpload",
    "diff",
    "comments",
    "pullRequest",
    "question",
  ] as const),
  // With the token of the session itself.
  "hook",
];

const ROUTES = (Object.keys(PATHS) as RouteName[]).filter((name) => {
  const { scope, example, body }: Contract = CONTRACTS[name];
  const named = PATHS[name].path.includes(":session") || (body !== null && ("session" in { ...example.body } || name === "adopt"));
  return named && scope !== "admin";
});

async function hostFixture() {
  const find = async (session: string) => {
    const owner = OWNERS[session];
    if (owner === undefined) throw new TmpmError("SESSION_NOT_FOUND", `there is no session ${session}`);
    return { id: session, name: session, owner };
  };
  const supervisor = {
    requireOwned: async ({ session, client }: { readonly session: string; readonly client: string | null }) =>
      requireOwner(await find(session), client),
  };
  const fixture = await openDoors({ owned: (request) => requireOwned(supervisor, request) });
  const ask = async (name: RouteName, { session, secret = SECRETS.operator }: { session: string; secret?: string }) => {
    const { method, path } = PATHS[name];
    const { example, bytes }: Contract = CONTRACTS[name];
    const query = new URLSearchParams(Object.entries({ ...example.query }).map(([key, value]) => [key, String(value)]));
    const inPath = path.includes(":session");
    const body =
      method !== "POST"
        ? null
        : bytes === true
          ? "x"
          : JSON.stringify({ ...example.body, ...(inPath ? {} : { [name === "adopt" ? "as" : "session"]: session }) });
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(body === null ? {} : { "content-type": bytes === true ? "application/octet-stream" : "application/json" }),
    };
    const url = `http://127.0.0.1:${fixture.port}${path.replace(":session", session).replace(/:\w+/g, "x")}?${query}`;
    const before = fixture.calls.length;
    const answer = await fetch(url, { method, headers, body });
    const text = await answer.text();
    const code = answer.ok ? "" : (JSON.parse(text) as { error: { code: string } }).error.code;
    return { status: answer.status, code, ran: fixture.calls.length > before };
  };
  return { ask };
}

test("for another client's session, all routes but reading ones are refused, and no operation runs (zeroclaw 40)", {
  timeout: 120_000,
}, async () => {
  const { ask } = await hostFixture();
  expect(ROUTES.length).toBeGreaterThan(35);
  for (const name of ROUTES) {
    const answer = await ask(name, { session: "theirs" });
    const open = OPEN.includes(name);
    expect([name, answer.code === "SESSION_NOT_OWNED", answer.ran && !open]).toEqual([name, !open, false]);
    if (!open) expect([name, answer.status]).toEqual([name, 403]);
  }
});

test.each(["own", "no-ones"])("for a session that is %s, nothing is refused to its owner", { timeout: 120_000 }, async (session) => {
  const { ask } = await hostFixture();
  for (const name of ROUTES) expect([name, (await ask(name, { session })).code]).not.toEqual([name, "SESSION_NOT_OWNED"]);
});

test("an admin may use every session", { timeout: 120_000 }, async () => {
  const { ask } = await hostFixture();
  for (const name of ROUTES)
    expect([name, (await ask(name, { session: "theirs", secret: SECRETS.admin })).code]).not.toEqual([name, "SESSION_NOT_OWNED"]);
});

test.each([
  { client: CLIENT, input: { owner: "tui1" }, refused: true },
  { client: CLIENT, input: { owner: CLIENT }, refused: false },
  { client: CLIENT, input: {}, refused: false },
  { client: null, input: { owner: "tui1" }, refused: false },
])("creating a session as $client with $input is refused: $refused", async ({ client, input, refused }) => {
  const asking = requireOwned({ requireOwned: async () => undefined }, { name: "create", input, client });
  if (refused) await expect(asking).rejects.toMatchObject({ code: "SESSION_NOT_OWNED" });
  else await asking;
});
