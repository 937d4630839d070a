import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, type Fixture, sharedFixture } from "./fixture.js";

const BIN = join(import.meta.dirname, "scripted-claude");

interface HookCall {
  readonly event: string;
  readonly at: number;
  readonly ms: number;
  readonly code: number;
  readonly printed: string;
}

function until(w: Fixture, { session, state }: { readonly session: string; readonly state: string }): Promise<SessionAnswer> {
  return eventually(async () => {
    const shown = await w.api.show({ session });
    return shown.activity.state === state ? shown : null;
  });
}

async function lines(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

/** The hook calls, once there are this many and all have ended. */
function calls(w: Fixture, count: number): Promise<readonly HookCall[]> {
  return eventually(async () => {
    const ended = await lines(join(w.dir, "hooks.log"));
    return ended.length >= count ? ended.map((line): HookCall => JSON.parse(line)) : null;
  });
}

/** A report times out after a second, which a busy machine may exceed. */
function isInTime(call: HookCall | undefined): boolean {
  return call !== undefined && call.ms < 1000;
}

/** doctor's result for the agents' reports. */
async function reports(w: Fixture) {
  return (await w.api.doctor()).checks.find(({ name }) => name === "agent reports");
}

describe("agent that reports its events", () => {
  /** With the scripted agent on the user's PATH. */
  const shared = sharedFixture({ PATH: `${BIN}:${process.env.PATH}` });

  test("asks, is approved from another terminal, is refused, and is interrupted; hooks print nothing to it", {
    timeout: 180_000,
  }, async () => {
    const w = shared();
    const reaches = (state: string) => until(w, { session: "demo", state });
    await w.json(["new", "--agent", "claude", "--name", "demo"]);
    await reaches("idle");

    expect((await w.tmpm(["next"])).code).toBe(3);
    await w.api.send({ session: "demo", text: "RUN:touch it" });
    const session = await eventually(async () => {
      const next = await w.api.next();
      return (next.session?.decision?.choices.length ?? 0) > 0 ? next.session : null;
    });
    expect(session.decision).toMatchObject({
      kind: "approval",
      tool: "Bash",
      subject: "touch it",
      choices: [{ label: "Yes" }, {}, { label: "No" }],
    });
    expect((await w.tmpm(["ls"])).stdout).toMatch(/! approval .* approve Bash: touch it/);
    expect(session.status).toBe("AwaitingApproval");
    const asked = await w.api.why({ session: "demo" });
    const [, , permission] = await calls(w, 3);
    const sources = isInTime(permission) ? ["hook", "screen"] : ["screen"];
    expect(asked.evidence.map(({ source }) => source)).toEqual(expect.arrayContaining(sources));

    const id = session.decision?.id ?? "";
    const answers = await Promise.all([w.tmpm(["approve", "demo", "--id", id]), w.tmpm(["approve", "demo", "--id", id])]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 4]);
    expect(answers.find(({ code }) => code === 4)?.stderr).toMatch(/already answered \(approve\)|does not ask anything/);
    await calls(w, 5);
    await reaches("idle");
    expect(await lines(join(w.dir, "ran.log"))).toEqual(["touch it"]);

    await w.api.send({ session: "demo", text: "RUN:rm it" });
    await reaches("awaiting_approval");
    expect((await w.tmpm(["deny", "demo"])).code).toBe(0);
    await reaches("idle");
    expect(await lines(join(w.dir, "ran.log"))).toEqual(["touch it"]);
    expect((await w.tmpm(["deny", "demo"])).code).toBe(4);

    await w.api.send({ session: "demo", text: "SLOW:60" });
    await calls(w, 8);
    await reaches("working");
    await w.api.keys({ session: "demo", keys: ["Escape"] });
    expect(await reaches("idle")).toMatchObject({ activity: { source: "screen" } });

    const called = await calls(w, 8);
    expect(called.map(({ event }) => event)).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PermissionRequest",
      "PostToolUse",
      "Stop",
      "UserPromptSubmit",
      "PermissionRequest",
      "UserPromptSubmit",
    ]);
    expect(called.filter(({ code, printed }) => code !== 0 || printed !== "")).toEqual([]);
    const { status, message = "" } = (await reports(w)) ?? {};
    expect([status, message]).toEqual(["ok", expect.stringMatching(/^\d taken$/)]);
    expect(Number.parseInt(message, 10)).toBeGreaterThanOrEqual(called.filter(isInTime).length);
  });

  test("keeps its token out of arguments, records and responses; the token survives the daemon", { timeout: 180_000 }, async () => {
    const w = shared();
    const { id } = await w.json<SessionAnswer>(["new", "--agent", "claude", "--name", "kept"]);
    const { pid, conversation_id } = await until(w, { session: "kept", state: "idle" });
    const show = () => w.api.show({ session: "kept" });
    const environment = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0");
    const token = environment.find((entry) => entry.startsWith("TMPM_SESSION_TOKEN="))?.split("=")[1] ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(token);
    expect(await w.tmux("show-environment", "-t", "=tmpm-kept")).not.toContain(token);
    expect(JSON.stringify(await show())).not.toContain(token);

    await w.tmpm(["daemon", "restart"]);
    const env = { TMPM_SESSION_ID: id, TMPM_SESSION_TOKEN: token, TMPM_SOCKET: join(w.home, "run", "tmpm.sock") };
    const hook = async (input: string, more: Readonly<Record<string, string>> = {}) =>
      expect(await w.tmpm(["hook"], { env: { ...env, ...more }, input })).toEqual({ code: 0, stdout: "", stderr: "" });
    await Promise.all([
      hook('{"hook_event_name":"UserPromptSubmit"}', { TMPM_SOCKET: "/nonexistent/tmpm.sock" }),
      hook("no json"),
      hook("{}", { TMPM_SESSION_TOKEN: "" }),
    ]);
    const report = ({ came, more, ...payload }: Report) =>
      eventually(async () => {
        await hook(JSON.stringify({ session_id: conversation_id, ...payload }), more);
        return (await came()) ? true : null;
      });
    const matches = (pattern: RegExp) => async () => pattern.test((await reports(w))?.message ?? "");
    const prompt = { hook_event_name: "UserPromptSubmit" };
    const delegated = { hook_event_name: "SubagentStart", agent_id: "a1" };
    await report({ ...delegated, session_id: "x", came: matches(/\d without effect \(other conversation\)/) });
    await report({ ...prompt, more: { TMPM_SESSION_TOKEN: "wrong" }, came: matches(/ [1-9]\d* with a wrong token/) });
    await report({ ...prompt, more: { TMPM_SESSION_ID: "unknown" }, came: matches(/\([1-9]\d* of unknown sessions, [1-9]\d* with/) });
    expect(await reports(w)).toMatchObject({ status: "warn" });
    expect(await show()).toMatchObject({ activity: { state: "idle" }, conversation_id, active_delegations: 0 });
    const begun = { hook_event_name: "SessionStart", source: "clear", session_id: "another" };
    await report({ ...begun, came: async () => (await show()).conversation_id === "another" });
    await report({ ...delegated, session_id: "another", came: async () => (await show()).active_delegations === 1 });
  });
});

/** A report times out after a second, which a busy machine may exceed: it is repeated until it arrives. */
interface Report {
  readonly hook_event_name: string;
  readonly session_id?: string;
  readonly source?: string;
  readonly agent_id?: string;
  readonly more?: Readonly<Record<string, string>>;
  came(): Promise<boolean>;
}
