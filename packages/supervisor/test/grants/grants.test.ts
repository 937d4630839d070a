import { shell } from "@tmpm/agents";
import { NO_TOKENS, parseGrant, type SessionRecord, type TmpmError, UsageRecord } from "@tmpm/core";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, test } from "vitest";
import { composer, type Fixture, fixture } from "../fixtures/fixture.js";
import { randomly } from "../fixtures/randomly.js";

const MINUTE_MS = 60_000;

/** A session started by a user. */
async function root({ sessions }: Fixture, name: string, grant = "tree") {
  const { session } = await sessions.create({ agent: "composer", cwd: "/w", name, permissions: undefined, grant: parseGrant(grant) });
  return session.record;
}

async function child({ sessions }: Fixture, parent: Pick<SessionRecord, "id">, more: object = {}) {
  const { session } = await sessions.create({ agent: "composer", cwd: "/w", actor: parent.id, ...more });
  return session.record;
}

function send({ sessions }: Fixture, from: { readonly id: string } | null, to: { readonly id: string }, text: string) {
  return sessions.submit({ session: to.id, prompt: text, queue: true, actor: from?.id ?? null });
}

/** The codes of the failures, and the number of successes. */
async function codesOf(work: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(work);
  const codes = settled.flatMap((result) => (result.status === "rejected" ? [String(result.reason.code)] : []));
  return { done: settled.length - codes.length, codes: [...new Set(codes)] };
}

test("a session that a user starts without a grant gets the grant of the settings, and a child gets none", async () => {
  const l = fixture({ settings: { grant: parseGrant("tree,children=2") } });
  const start = async (more: object) => (await l.sessions.create({ agent: "composer", cwd: "/w", ...more })).session.record;
  const planner = await start({});
  expect(planner.grant).toMatchObject({ reach: "tree", children: 2 });
  expect((await start({ grant: parseGrant("none") })).grant).toBeNull();
  expect((await start({ grant: parseGrant("all") })).grant).toMatchObject({ reach: "all", children: 4 });
  expect((await child(l, planner)).grant).toBeNull();
  expect((await fixture().sessions.create({ agent: "composer", cwd: "/w" })).session.record.grant).toBeNull();
});

describe("a session with a grant", () => {
  test("may start children, which may start none; without a grant it may start none", async () => {
    const l = fixture();
    const planner = await root(l, "planner", "none");
    await expect(child(l, planner)).rejects.toMatchObject({ code: "GRANT_REFUSED" });
    await l.sessions.set({ session: "planner", grant: parseGrant("tree") });
    const worker = await child(l, planner, { prompt: "work" });
    expect(worker).toMatchObject({ spawned_by: planner.id, grant: null, lineage: { root: planner.id, depth: 1, path: [planner.id] } });
    await expect(child(l, worker)).rejects.toMatchObject({ code: "GRANT_REFUSED" });
    const [first] = await l.sends.list(worker.id);
    expect(first?.cause).toEqual({ parent: planner.id, root: planner.id, hop: 1, path: [planner.id] });
  });

  test("cannot exceed its limits, even with simultaneous requests", async () => {
    const l = fixture();
    const planner = await root(l, "planner", "tree,lineage=6");
    const made = await codesOf(Array.from({ length: 12 }, () => child(l, planner)));
    expect(made).toEqual({ done: 4, codes: ["LINEAGE_LIMIT"] });
    const { sessions } = await l.sessions.list({ actor: planner.id });
    const workers = sessions.filter(({ record }) => record.id !== planner.id);
    for (const { record } of workers) await l.sessions.stop({ session: record.id });
    expect(await codesOf(Array.from({ length: 5 }, () => child(l, planner)))).toEqual({ done: 2, codes: ["LINEAGE_LIMIT"] });
  });

  test("cannot pass on a right that it lacks", async () => {
    const l = fixture();
    const planner = await root(l, "planner", "tree,depth=2");
    const wishes = [
      { cwd: "/" },
      { cwd: "/work" },
      { argv: ["sh"] },
      { agent: "command" },
      { agent: "shell" },
      { trust: true },
      { setup: true },
      { repo: "https://example.com/x" },
      { owner: "me" },
      { env: { HTTP_PROXY: "x" } },
      { search_path: "/evil" },
      { permissions: "bypass" },
      { project_id: "other" },
      { grant: parseGrant("project") },
      { grant: parseGrant("tree,depth=2") },
      { grant: parseGrant("tree,children=5") },
      { grant: parseGrant("tree,keep-children") },
    ];
    for (const wish of wishes)
      await expect(child(l, planner, wish), JSON.stringify(wish)).rejects.toMatchObject({ code: "RIGHTS_EXCEEDED" });
    expect(await child(l, planner, { cwd: "/w/below", grant: parseGrant("tree") })).toMatchObject({ grant: { depth: 1 }, cwd: "/w/below" });
  });

  test("sees, prompts and ends only sessions within its grant", async () => {
    const l = fixture();
    const planner = await root(l, "planner");
    const other = await root(l, "other");
    const worker = await child(l, planner);
    const may = (acting: "read" | "send" | "control", session: string) =>
      l.sessions.authorise({ actor: planner.id, acting, sessions: [session] }).then(
        () => "may",
        (error: { readonly code: string }) => error.code,
      );
    const all = async (session: string) => Promise.all([may("read", session), may("send", session), may("control", session)]);
    expect(await all(worker.id)).toEqual(["may", "may", "may"]);
    expect(await all(planner.id)).toEqual(["may", "GRANT_REFUSED", "GRANT_REFUSED"]);
    for (const unseen of [other.id, "other", "oth", "nothing"]) {
      expect(await all(unseen), unseen).toEqual(["SESSION_NOT_FOUND", "SESSION_NOT_FOUND", "SESSION_NOT_FOUND"]);
    }
    await l.sessions.set({ session: "planner", grant: parseGrant("project") });
    expect(await all(other.id)).toEqual(["may", "may", "GRANT_REFUSED"]);
    await l.sessions.stop({ session: "planner" });
    expect(await may("read", worker.id)).toBe("TOKEN_REFUSED");
  });

  test("learns nothing about other sessions from refusals", async () => {
    const l = fixture();
    const planner = await root(l, "planner");
    await root(l, "secret-one");
    await root(l, "secret-two");
    const worker = await child(l, planner, { name: "secret-three" });
    for (const session of ["secret-on", "secret-one", "secret-onf", "secret-two"]) {
      const error = await l.sessions
        .authorise({ actor: planner.id, acting: "read", sessions: [session] })
        .catch((caught: TmpmError) => caught);
      const { code, message, hint, details } = error as TmpmError;
      expect([code, message, details]).toEqual(["SESSION_NOT_FOUND", `there is no session "${session}"`, { session }]);
      expect(hint).not.toContain("secret");
    }
    // What it sees is found by a prefix that others share.
    expect(await l.sessions.authorise({ actor: planner.id, acting: "control", sessions: ["secret-"] })).toEqual([worker.id]);
    expect(await l.sessions.authorise({ actor: planner.id, acting: "own", sessions: ["planner"] })).toEqual([planner.id]);
  });

  test("sees the usage of sessions within its grant, and its own budgets", async () => {
    const documents = memoryDocuments<UsageRecord>();
    const l = fixture({ ports: { usageStore: documents } });
    const planner = await root(l, "planner");
    const other = await root(l, "other");
    const worker = await child(l, planner);
    const days = [{ day: "2026-01-01", model: "m", requests: 1, tokens: NO_TOKENS }];
    for (const { id, updated_at } of [planner, other, worker])
      await documents.put(id, UsageRecord.parse({ session_id: id, days, updated_at }));
    const sessions = l.restarted();
    const keysOf = async (actor: string | null) => (await sessions.usage({ actor })).groups.map(({ key }) => key).sort();
    expect(await keysOf(null)).toEqual([planner.id, other.id, worker.id].sort());
    expect(await keysOf(planner.id)).toEqual([planner.id, worker.id].sort());
    expect(await keysOf(worker.id)).toEqual([worker.id]);
  });

  test("cannot type over a dialog", async () => {
    const l = fixture();
    const planner = await root(l, "planner");
    const worker = await child(l, planner);
    for (const flag of ["now", "interrupt", "as_command"])
      await expect(l.sessions.send({ session: worker.id, text: "1", actor: planner.id, [flag]: true })).rejects.toMatchObject({
        code: "RIGHTS_EXCEEDED",
      });
  });
});

describe("a prompt from a session", () => {
  test("is refused when it would return to its sender, until a user prompts", async () => {
    const l = fixture();
    const [a, b] = [await root(l, "a", "all"), await root(l, "b", "all")];
    await send(l, a, b, "look at this");
    await expect(send(l, b, a, "and you at that")).rejects.toMatchObject({ code: "CAUSATION_REFUSED", details: { rule: "circle" } });
    await send(l, null, b, "ask a");
    await send(l, b, a, "and you at that");
  });

  test("is refused the third time within ten minutes, and beyond the hourly limit", async () => {
    const l = fixture();
    const [a, b] = [await root(l, "a", "all,sends=4"), await root(l, "b")];
    await send(l, a, b, "again");
    await send(l, a, b, "again");
    await expect(send(l, a, b, "again")).rejects.toMatchObject({ code: "CAUSATION_REFUSED", details: { rule: "repetition" } });
    l.tmux.advance(11 * MINUTE_MS);
    await send(l, a, b, "again");
    const rest = await codesOf(["x", "y", "z"].map((text) => send(l, a, b, text)));
    expect(rest).toEqual({ done: 1, codes: ["LINEAGE_LIMIT"] });
    l.tmux.advance(60 * MINUTE_MS);
    await send(l, a, b, "z");
  });

  test("is sent and counted once when it is repeated with its key", async () => {
    const l = fixture();
    const [a, b] = [await root(l, "a", "all,sends=1"), await root(l, "b")];
    const sent = () => l.sessions.submit({ session: b.id, prompt: "once", queue: true, idempotency_key: "k", actor: a.id });
    expect((await sent()).turn.id).toBe((await sent()).turn.id);
  });

  test("travels through at most eight sessions", async () => {
    const l = fixture();
    const chain = await Promise.all(Array.from({ length: 10 }, (_, index) => root(l, `s${index}`, "all")));
    const sent: string[] = [];
    for (const [index, from] of chain.slice(0, -1).entries()) {
      const to = chain[index + 1] ?? from;
      sent.push(
        await send(l, from, to, "pass it on").then(
          () => "sent",
          (error: { readonly details: { readonly rule: string } }) => error.details.rule,
        ),
      );
    }
    expect(sent).toEqual([...Array<string>(8).fill("sent"), "hops"]);
  });
});

describe("end of a parent", () => {
  test("stops its children, unless the grant keeps them", async () => {
    const l = fixture();
    const [planner, keeper] = [await root(l, "planner"), await root(l, "keeper", "tree,keep-children")];
    const [worker, kept] = [await child(l, planner), await child(l, keeper)];
    await l.sessions.stopLeftBehind();
    expect((await l.sessions.show({ session: worker.id })).record.state).toBe("active");
    for (const session of ["planner", "keeper"]) await l.sessions.stop({ session });
    await l.restarted().stopLeftBehind();
    expect((await l.sessions.show({ session: worker.id })).record).toMatchObject({ state: "stopped", stop_cause: "deliberate" });
    expect((await l.sessions.show({ session: kept.id })).record.state).toBe("active");
    expect(l.events.find((event) => event.type === "session_stopped" && event.session_id === worker.id)).toMatchObject({
      reason: "parent_ended",
    });
  });

  test("stops them once: a user resumes them for good, until the parent runs again and ends", async () => {
    const l = fixture();
    const planner = await root(l, "planner");
    const workers = [await child(l, planner, { name: "running" }), await child(l, planner, { name: "resting" })];
    const states = async () => Promise.all(workers.map(async ({ id }) => (await l.sessions.show({ session: id })).record.state));
    await l.sessions.stop({ session: "resting" });
    await l.sessions.stop({ session: "planner" });
    await l.sessions.stopLeftBehind();
    expect(await states()).toEqual(["stopped", "stopped"]);
    l.tmux.advance(1_000);
    for (const { id } of workers) await l.sessions.resume({ session: id });
    await l.restarted().stopLeftBehind();
    expect(await states()).toEqual(["active", "active"]);
    await l.sessions.resume({ session: "planner" });
    await l.sessions.stopLeftBehind();
    expect(await states()).toEqual(["active", "active"]);
    await l.sessions.stop({ session: "planner" });
    await l.sessions.stopLeftBehind();
    expect(await states()).toEqual(["stopped", "stopped"]);
  });

  test("stops them after its grant was revoked too", async () => {
    const l = fixture();
    const planner = await root(l, "planner");
    const worker = await child(l, planner);
    await l.sessions.set({ session: "planner", grant: parseGrant("none") });
    await l.sessions.stop({ session: "planner" });
    await l.sessions.stopLeftBehind();
    expect((await l.sessions.show({ session: worker.id })).record.state).toBe("stopped");
  });
});

describe("a smaller grant of an ancestor", () => {
  test("limits the grants of descendants, and its revocation ends them", async () => {
    const l = fixture();
    const planner = await root(l, "planner", "all,depth=3,children=8,sends=50");
    const lead = await child(l, planner, { name: "lead", grant: parseGrant("all,depth=2,children=8,sends=50") });
    const worker = await child(l, lead, { name: "worker", grant: parseGrant("all,children=8,sends=50") });
    const other = await root(l, "other");
    await child(l, worker, { name: "first" });
    const may = (acting: "read" | "send" | "start", session: string) =>
      l.sessions.authorise({ actor: worker.id, acting, sessions: [session] }).then(
        () => "may",
        (error: { readonly code: string }) => error.code,
      );
    expect(await may("send", other.id)).toBe("may");
    await l.sessions.set({ session: "planner", grant: parseGrant("tree,depth=3,children=1,sends=1") });
    expect(await may("read", other.id)).toBe("SESSION_NOT_FOUND");
    await expect(child(l, worker)).rejects.toMatchObject({ code: "LINEAGE_LIMIT", details: { limit: "children", most: 1 } });
    await send(l, worker, { id: "first" }, "one");
    await expect(send(l, worker, { id: "first" }, "two")).rejects.toMatchObject({ code: "LINEAGE_LIMIT" });
    await l.sessions.set({ session: "planner", grant: parseGrant("tree,depth=2") });
    await expect(child(l, worker)).rejects.toMatchObject({ code: "GRANT_REFUSED", message: expect.stringContaining("planner") });
    await expect(child(l, lead, { grant: parseGrant("tree") })).rejects.toMatchObject({ code: "RIGHTS_EXCEEDED" });
    await l.sessions.set({ session: "planner", grant: parseGrant("none") });
    for (const { id } of [planner, lead, worker])
      await expect(l.sessions.authorise({ actor: id, acting: "start", sessions: [] })).rejects.toMatchObject({ code: "GRANT_REFUSED" });
    expect(await may("read", "first")).toBe("may");
  });
});

describe("a grant that a user gives to a started session", () => {
  test("is refused beyond its ancestors' grants, with the largest possible one", async () => {
    const l = fixture();
    const planner = await root(l, "planner", "project,depth=2,children=3");
    const worker = await child(l, planner, { name: "worker" });
    const give = (text: string) => l.sessions.set({ session: "worker", grant: parseGrant(text) });
    const most = "project,children=3";
    await expect(give("all,depth=2,children=8")).rejects.toMatchObject({
      code: "RIGHTS_EXCEEDED",
      effect: "none",
      message: expect.stringContaining(most),
      details: { field: "grant", session: worker.id, most: expect.objectContaining({ reach: "project", depth: 1, children: 3 }) },
    });
    expect((await l.sessions.show({ session: "worker" })).record.grant).toBeNull();
    expect((await give(most)).record.grant).toMatchObject({ reach: "project", depth: 1, children: 3 });
    await l.sessions.set({ session: "planner", grant: parseGrant("none") });
    await expect(give("tree")).rejects.toMatchObject({ code: "RIGHTS_EXCEEDED", message: expect.stringContaining("planner") });
    expect((await give("none")).record.grant).toBeNull();
  });
});

describe("another agent for a child", () => {
  const agent = (id: string, asksFirst?: boolean) => ({ ...composer, id, ...(asksFirst === undefined ? {} : { asksFirst }) });
  const adapters = [shell, agent("asks", true), agent("unknown"), agent("acts", false)];

  test.each([
    ["asks", ["asks"]],
    ["unknown", ["asks", "unknown"]],
    ["acts", ["acts", "asks", "shell", "unknown"]],
  ])("of %s is only one that asks before it acts", async (parent, able) => {
    const l = fixture({ adapters });
    const { session } = await l.sessions.create({ agent: parent, cwd: "/w", grant: parseGrant("tree,children=8") });
    const started: string[] = [];
    for (const { id } of adapters) {
      const made = l.sessions.create({ agent: id, cwd: "/w", actor: session.record.id });
      await made.then(
        () => started.push(id),
        (error: unknown) => expect(error).toMatchObject({ code: "RIGHTS_EXCEEDED", details: { field: "agent" } }),
      );
    }
    expect(started.sort()).toEqual(able);
  });
});

describe("random starts, sends, stops, grants and kills of the daemon, concurrently", () => {
  test("never exceed a limit, extend a right, leave a child behind or send without a cause", { timeout: 600_000 }, async () => {
    const { below, pick, rounds } = randomly();
    let killed = 0;
    for (let round = 0; round < rounds(100); round += 1) {
      let l = fixture();
      const people = await Promise.all(["a", "b"].map((name) => root(l, name, pick(GRANTS))));
      for (let step = 0; step < 6; step += 1) {
        const all = (await l.sessions.list({ all: true })).sessions.map(({ record }) => record);
        const acts = Array.from({ length: 2 + below(5) }, () => {
          const [actor, target] = [pick(all), pick(all)];
          switch (below(6)) {
            case 0:
              return () => l.sessions.set({ session: actor.id, grant: parseGrant(pick(GRANTS)) });
            case 1:
              return () => l.sessions.stop({ session: target.id });
            case 2:
              return () => guarded(l, { actor, target }, () => send(l, actor, target, pick(["x", "y"])));
            default:
              return () => child(l, actor, { grant: below(2) === 0 ? undefined : parseGrant(pick(GRANTS)), prompt: "go" });
          }
        });
        const before = new Map(all.map((record) => [record.id, record]));
        const dies = below(3) === 0 ? killAfter(l, below(12)) : null;
        await Promise.allSettled(acts.map((act) => act()));
        if (dies !== null) {
          killed += dies() ? 1 : 0;
          l = await restarted(l);
        }
        await requireLimits(l, before);
      }
      for (const { id } of people) await l.sessions.stop({ session: id });
      for (let generation = 0; generation < 8; generation += 1) await l.sessions.stopLeftBehind();
      await requireNobodyLeft(l);
    }
    expect(killed).toBeGreaterThan(rounds(100) / 2);
  });
});

const GRANTS = ["tree", "tree,depth=2,children=2", "project,lineage=5", "all,depth=3,sends=5", "none"];

/** Ends every operation at its next step once this many steps were reached, as `kill -9` does. Returns whether it came to that. */
function killAfter(l: Fixture, steps: number): () => boolean {
  let reached = 0;
  l.onStep(() => {
    reached += 1;
    if (reached > steps) throw new Error("killed");
  });
  return () => reached > steps;
}

/** The next daemon, on the same records and the same tmux. */
async function restarted(l: Fixture): Promise<Fixture> {
  await l.sessions.close().catch(() => undefined);
  l.onStep(null);
  const next = { ...l, sessions: l.restarted() };
  await next.sessions.reconcile();
  return next;
}

/** The same check as by the daemon. */
async function guarded<T>(
  { sessions }: Fixture,
  { actor, target }: { readonly actor: SessionRecord; readonly target: SessionRecord },
  act: () => Promise<T>,
) {
  await sessions.authorise({ actor: actor.id, acting: "send", sessions: [target.id] });
  return act();
}

const MOST = { children: 4, lineage: 16 };

async function requireLimits(l: Fixture, before: ReadonlyMap<string, SessionRecord>): Promise<void> {
  const records = (await l.sessions.list({ all: true })).sessions.map(({ record }) => record);
  const byId = new Map(records.map((record) => [record.id, record]));
  for (const record of records) {
    const children = records.filter(({ spawned_by, state }) => spawned_by === record.id && state === "active");
    expect(children.length).toBeLessThanOrEqual(MOST.children);
    expect(records.filter(({ lineage }) => lineage?.root === record.id).length).toBeLessThanOrEqual(MOST.lineage);
    if (record.lineage === null || before.has(record.id)) continue;
    const parent = byId.get(record.spawned_by ?? "");
    expect(parent).toBeDefined();
    expect(record.lineage.depth).toBe((parent?.lineage?.depth ?? 0) + 1);
    expect([record.owner, record.project_id]).toEqual([parent?.owner, parent?.project_id]);
    for (const { cause } of await l.sends.list(record.id)) expect(cause?.path.at(-1)).toBe(cause?.parent);
    expect((await l.sends.list(record.id)).every(({ cause }) => cause !== undefined && cause.hop <= 8)).toBe(true);
  }
}

/** Every child runs under a parent that runs, is stopped, or was kept by its parent's grant. */
async function requireNobodyLeft(l: Fixture): Promise<void> {
  const records = (await l.sessions.list({ all: true })).sessions.map(({ record }) => record);
  const byId = new Map(records.map((record) => [record.id, record]));
  const left = records.filter(({ state, spawned_by }) => {
    const parent = byId.get(spawned_by ?? "");
    return state === "active" && parent !== undefined && parent.state !== "active" && parent.grant?.stop_children !== false;
  });
  expect(left).toEqual([]);
}
