import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NextAnswer, SessionAnswer, WhyAnswer } from "@tmpm/api";
import { describe, expect, test } from "vitest";
import { eventually, type World, world } from "./world.js";

const BIN = join(import.meta.dirname, "scripted-claude");

interface HookCall {
  readonly event: string;
  readonly at: number;
  readonly ms: number;
  readonly code: number;
  readonly printed: string;
}

/** A user with the scripted agent on their path. */
async function worldWithClaude(): Promise<World> {
  return world({ PATH: `${BIN}:${process.env.PATH}` });
}

const show = (w: World) => w.json<SessionAnswer>(["show", "demo"]);

function until(w: World, state: string): Promise<SessionAnswer> {
  return eventually(async () => {
    const session = await w.api.show({ session: "demo" });
    return session.activity.state === state ? session : null;
  }, 30_000);
}

async function lines(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

async function calls(w: World): Promise<readonly HookCall[]> {
  return (await lines(join(w.dir, "hooks.log"))).map((line) => JSON.parse(line));
}

describe("an agent that reports its events", () => {
  test("asks, is approved from another terminal, is refused, and is interrupted; hooks say nothing to it", {
    timeout: 180_000,
  }, async () => {
    await using w = await worldWithClaude();
    await w.json(["new", "--agent", "claude", "--name", "demo"]);
    await until(w, "idle");

    expect((await w.tmpm(["next"])).code).toBe(3);
    await w.tmpm(["send", "demo", "RUN:touch it"]);
    const { session } = await eventually(async () => {
      const result = await w.tmpm(["next", "--json"]);
      const answer: NextAnswer = JSON.parse(result.stdout);
      return (answer.session?.decision?.choices.length ?? 0) > 0 ? answer : null;
    }, 30_000);
    expect(session?.decision).toMatchObject({
      kind: "approval",
      tool: "Bash",
      subject: "touch it",
      choices: [{ label: "Yes" }, {}, { label: "No" }],
    });
    expect((await w.tmpm(["ls"])).stdout).toMatch(/! approval .* approve Bash: touch it/);
    expect(session?.status).toBe("AwaitingApproval");
    const asked = await w.json<WhyAnswer>(["why", "demo"]);
    expect(asked.evidence.map(({ source }) => source)).toEqual(expect.arrayContaining(["hook", "screen"]));

    const id = session?.decision?.id ?? "";
    const answers = await Promise.all([w.tmpm(["approve", "demo", "--id", id]), w.tmpm(["approve", "demo", "--id", id])]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 4]);
    expect(answers.find(({ code }) => code === 4)?.stderr).toMatch(/answered already \(approve\)|asks nothing now/);
    await until(w, "idle");
    expect(await lines(join(w.dir, "ran.log"))).toEqual(["touch it"]);

    await w.tmpm(["send", "demo", "RUN:rm it"]);
    await until(w, "awaiting_approval");
    expect((await w.tmpm(["deny", "demo"])).code).toBe(0);
    await until(w, "idle");
    expect(await lines(join(w.dir, "ran.log"))).toEqual(["touch it"]);
    expect((await w.tmpm(["deny", "demo"])).code).toBe(4);

    await w.tmpm(["send", "demo", "SLOW:60"]);
    await until(w, "working");
    await w.tmpm(["keys", "demo", "Escape"]);
    expect(await until(w, "idle")).toMatchObject({ activity: { source: "screen" } });

    const called = await calls(w);
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
    const { checks } = await w.json<{ checks: { name: string; status: string; message: string }[] }>(["doctor"]);
    expect(checks.find(({ name }) => name === "agent reports")).toMatchObject({ status: "ok", message: `${called.length} taken` });
  });

  test("its token is in no argument, no record and no answer, and outlives the daemon", { timeout: 120_000 }, async () => {
    await using w = await worldWithClaude();
    const { id } = await w.json<SessionAnswer>(["new", "--agent", "claude", "--name", "demo"]);
    const { pid } = await until(w, "idle");
    const environment = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0");
    const token = environment.find((entry) => entry.startsWith("TMPM_SESSION_TOKEN="))?.split("=")[1] ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(token);
    expect(await w.tmux("show-environment", "-t", "tmpm-demo")).not.toContain(token);
    expect(JSON.stringify(await show(w))).not.toContain(token);

    await w.tmpm(["daemon", "restart"]);
    const env = { TMPM_SESSION_ID: id, TMPM_SESSION_TOKEN: token, TMPM_SOCKET: join(w.home, "run", "tmpm.sock") };
    const report = (payload: object, more: Readonly<Record<string, string>> = {}) =>
      w.tmpm(["hook"], { env: { ...env, ...more }, input: JSON.stringify({ session_id: id, ...payload }) });
    const silent = { code: 0, stdout: "", stderr: "" };
    expect(await report({ hook_event_name: "SubagentStart", agent_id: "a1", session_id: "x" })).toEqual(silent);
    expect(await report({ hook_event_name: "UserPromptSubmit" }, { TMPM_SESSION_TOKEN: "wrong" })).toEqual(silent);
    expect(await report({ hook_event_name: "UserPromptSubmit" }, { TMPM_SESSION_ID: "unknown" })).toEqual(silent);
    expect(await report({ hook_event_name: "UserPromptSubmit" }, { TMPM_SOCKET: "/nonexistent/tmpm.sock" })).toEqual(silent);
    expect(await w.tmpm(["hook"], { env, input: "no json" })).toEqual(silent);
    expect(await w.tmpm(["hook"], { input: "{}" })).toEqual(silent);
    const { checks } = await w.json<{ checks: { name: string; status: string; message: string }[] }>(["doctor"]);
    expect(checks.find(({ name }) => name === "agent reports")).toMatchObject({
      status: "warn",
      message: expect.stringContaining("2 refused (1 of unknown sessions, 1 with a wrong token)"),
    });
    expect(await report({ hook_event_name: "SessionStart", source: "clear", session_id: "another" })).toEqual(silent);
    expect(await show(w)).toMatchObject({ conversation_id: "another" });
    await report({ hook_event_name: "SubagentStart", agent_id: "a1", session_id: "another" });
    expect(await show(w)).toMatchObject({ active_delegations: 1 });
  });
});
