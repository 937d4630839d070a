import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Entrance } from "../../src/guard/entrance.js";
import { SOCKET_ENTRANCE } from "../../src/guard/entrance.js";
import { openDoors, SESSION } from "../fixtures/door-fixture.js";
import { allCases, type Case, nameOf, neighbours, requestOf, writtenCases } from "../fixtures/guard-cases.js";
import { rawRequest, requestText } from "../fixtures/raw-request.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const SCALE = Number(TMPM_TEST_SCALE);
/** Number of listed cases and of all cases over connections; at full scale all listed cases, and ten times the others. */
const [LISTED, REAL_CASES] = SCALE >= 10 ? [Number.POSITIVE_INFINITY, 1_800 * SCALE] : [250 * SCALE, 700 * SCALE];
const AT_ONCE = 16;

const written = writtenCases();

describe("the guard admits exactly the cases that docs/security.md lists", () => {
  test("all combinations are tried on the guard", async () => {
    const { guard, doors, port } = await openDoors();
    const entrances: Record<Case["entrance"], Entrance | undefined> = { socket: SOCKET_ENTRANCE, tcp: doors.tcp?.entrance };
    const connection = new Socket();
    const accepted = new Set<string>();
    let asked = 0;
    for (const one of allCases()) {
      asked += 1;
      const entrance = entrances[one.entrance];
      if (entrance === undefined) throw new Error("no TCP");
      const request = messageOf(one, { port, connection });
      const verdict = guard.admit(request, { entrance, upgrade: one.asks === "watch" });
      if (verdict.kind === "admitted" && (await isPermitted(guard, { request, one }))) accepted.add(nameOf(one));
    }
    expect(asked).toBeGreaterThan(50_000);
    expect(sorted(accepted)).toEqual(sorted(written));
  });

  test(`listed cases, their neighbours and random ones are tried over real connections`, {
    timeout: 120_000 * SCALE,
  }, async () => {
    const fixture = await openDoors({ handlers: { login: async () => ({ scope: "operator", expires_at: null }) } });
    const chosen = sample();
    console.info(`${chosen.length} cases over connections, seed ${TMPM_TEST_SEED}`);
    const accepted = new Set<string>();
    await eachOf(chosen, async (one) => {
      const { method, path, headers, body } = requestOf(one, fixture.port);
      const where = one.entrance === "socket" ? { path: fixture.socket } : { host: "127.0.0.1", port: fixture.port };
      const answer = await rawRequest(where, requestText(`${method} ${path}`, headers, body));
      expect([200, 101, 400, 401, 403, 421, 429], `${nameOf(one)}: ${answer.body}`).toContain(answer.status);
      expect(answer.head.toLowerCase()).not.toContain("access-control-");
      if (answer.status < 400) accepted.add(nameOf(one));
    });
    expect(fixture.faults).toEqual([]);
    const listed = new Set(chosen.map(nameOf).filter((name) => written.has(name)));
    expect(chosen.length).toBeGreaterThan(REAL_CASES - 5);
    expect(sorted(accepted)).toEqual(sorted(listed));
    const routed = chosen.filter(
      (one) => written.has(nameOf(one)) && !["watch", "login page", "front page", "page file"].includes(one.asks),
    ).length;
    expect(fixture.calls).toHaveLength(routed);
  });
});

async function isPermitted(
  guard: Awaited<ReturnType<typeof openDoors>>["guard"],
  { request, one }: { readonly request: IncomingMessage; readonly one: Case },
): Promise<boolean> {
  const scopes = {
    read: "observer",
    "own session": "observer",
    watch: "observer",
    change: "operator",
    admin: "admin",
    "login page": "anyone",
    "front page": guard.admitted(request).caller.kind === "anyone" ? "anyone" : "observer",
    "page file": "observer",
    "log in": "anyone",
  } as const;
  const session = one.asks === "own session" || one.asks === "change" || one.asks === "watch" ? SESSION : null;
  return guard.permit(request, { scope: scopes[one.asks], own: one.asks === "own session", session }).then(
    () => true,
    () => false,
  );
}

/** Formatted as by Node's parser. */
function messageOf(one: Case, { port, connection }: { readonly port: number; readonly connection: Socket }): IncomingMessage {
  const { method, path, headers } = requestOf(one, port);
  const first = new Map<string, string>();
  for (const [name, value] of headers) if (!first.has(name.toLowerCase())) first.set(name.toLowerCase(), value);
  return {
    method,
    url: path,
    headers: Object.fromEntries(first),
    rawHeaders: headers.flat(),
    socket: connection,
  } as unknown as IncomingMessage;
}

/** Indexes of listed and unlisted cases, starting with those that differ from the list in one part. */
function sample(): readonly Case[] {
  const all = [...allCases()];
  const listed = all.filter((one) => written.has(nameOf(one)));
  const near = new Map(listed.flatMap(neighbours).map((one) => [nameOf(one), one]));
  const others = all.filter((one) => !written.has(nameOf(one)) && !near.has(nameOf(one)));
  const missing = [...near.values()].filter((one) => !written.has(nameOf(one)));
  const asked = shuffled(listed).slice(0, LISTED);
  const left = Math.max(0, REAL_CASES - asked.length);
  return [...asked, ...shuffled(missing).slice(0, left * 0.8), ...shuffled(others).slice(0, left * 0.2)];
}

function shuffled<T>(values: readonly T[]): readonly T[] {
  let state = Number(TMPM_TEST_SEED) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return values
    .map((value) => [next(), value] as const)
    .sort(([one], [other]) => one - other)
    .map(([, value]) => value);
}

async function eachOf<T>(values: readonly T[], act: (value: T) => Promise<void>): Promise<void> {
  const left = [...values];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await act(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function sorted(names: ReadonlySet<string>): readonly string[] {
  return [...names].sort();
}
