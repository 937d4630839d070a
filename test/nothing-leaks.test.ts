import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { ask } from "./ask.js";
import { eventually, type Fixture, fixture } from "./fixture.js";

const BIN = join(import.meta.dirname, "scripted-claude");

/** Secrets that may appear only in their own place. Each is unique, so that every copy of it comes from here. */
function plant() {
  const canary = (name: string) => `canary-${name}-${randomBytes(12).toString("hex")}`;
  return {
    firstPrompt: canary("first"),
    prompt: canary("prompt"),
    turn: canary("turn"),
    answer: canary("answer"),
    key: canary("key"),
    refused: canary("refused"),
  };
}

type Canaries = Readonly<Record<string, string>>;

/** Documented: an agent gets its first prompt as an argument. `first_prompt: paste` turns that off. */
const DECLARED: readonly { readonly place: string; readonly canary: string; readonly program: RegExp }[] = [
  { place: "argv", canary: "firstPrompt", program: /scripted-claude\/claude(\0|$)/ },
];

interface Finding {
  readonly place: string;
  readonly canary: string;
  readonly where: string;
}

function hits(
  place: string,
  { text, where = "", canaries }: { readonly text: string; readonly where?: string; readonly canaries: Canaries },
): readonly Finding[] {
  return Object.entries(canaries).flatMap(([canary, secret]) => {
    const declared = DECLARED.some((each) => each.place === place && each.canary === canary && each.program.test(where));
    return text.includes(secret) && !declared ? [{ place, canary, where: where.replaceAll("\0", " ") }] : [];
  });
}

/**
 * A process is checked every time for this long after it first appeared, since a program may replace it; later, and with all the others,
 * occasionally.
 */
const LOOKS_AT_NEW = 20;

/** Repeatedly checks the arguments of running processes, until it is closed. Nothing is stored about foreign processes. */
function watchArguments(canaries: () => Canaries) {
  const found = new Map<string, Finding>();
  let seen = new Map<string, number>();
  let looks = 0;
  function look({ all }: { readonly all: boolean }): void {
    looks += 1;
    const before = seen;
    seen = new Map();
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const times = before.get(pid) ?? 0;
      seen.set(pid, times + 1);
      if (!all && times > LOOKS_AT_NEW) continue;
      const argv = argumentsOf(pid);
      for (const hit of hits("argv", { text: argv, where: argv, canaries: canaries() })) found.set(`${hit.canary} ${argv}`, hit);
    }
  }
  const timer = setInterval(() => look({ all: looks % LOOKS_AT_NEW === 0 }), 20);
  return {
    close(): readonly Finding[] {
      clearInterval(timer);
      look({ all: true });
      expect(looks).toBeGreaterThan(10);
      return [...found.values()];
    },
  };
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

async function tmuxState(w: Fixture): Promise<string> {
  const format = "#{session_name} #{window_name} #{pane_start_command} #{pane_current_command} #{pane_start_path}";
  const ofServer = [
    ["show-environment", "-g"],
    ["show-options", "-s"],
    ["show-options", "-g"],
    ["show-options", "-wg"],
    ["list-buffers"],
    ["list-panes", "-a", "-F", format],
  ];
  const sessions = (await w.tmux("list-sessions", "-F", "#{session_id}")).split("\n").filter((id) => id !== "");
  const ofSessions = sessions.flatMap((id) => [
    ["show-environment", "-t", id],
    ["show-options", "-t", id],
    ["show-options", "-pt", `${id}:`],
  ]);
  return w.tmux(...[...ofServer, ...ofSessions].flatMap((command, index) => (index === 0 ? command : [";", ...command])));
}

async function filesOf(dir: string): Promise<string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "utf8")] : [])).join("\n");
}

/** The token in the environment of the session's own processes. */
async function sessionToken(w: Fixture, id: string): Promise<string> {
  const pid = (await w.tmux("list-panes", "-a", "-F", "#{@tmpm_id} #{pane_pid}"))
    .split("\n")
    .find((line) => line.startsWith(id))
    ?.split(" ")[1];
  return eventually(async () => {
    const environ = await readFile(`/proc/${pid}/environ`, "utf8");
    return /(?:^|\0)TMPM_SESSION_TOKEN=([^\0]+)/.exec(environ)?.[1] ?? null;
  });
}

/** Typical use of tmpm, with secrets; returns all output of failed commands. */
async function work(
  w: Fixture,
  { canaries, learn }: { readonly canaries: ReturnType<typeof plant>; readonly learn: (more: Canaries) => void },
): Promise<string> {
  const socket = join(w.home, "run", "tmpm.sock");
  const env = { ANTHROPIC_API_KEY: canaries.key };
  const agent = await w.json<CreateAnswer>(["new", "--agent", "claude", "--name", "agent", "--prompt", "-"], {
    input: canaries.firstPrompt,
    env,
  });
  await w.json(["new", "--name", "plain", "--", "cat"]);
  learn({ session: await sessionToken(w, agent.id) });
  const token = join(w.dir, "token");
  await w.tmpm(["token", "create", "--scope", "operator", "--name", "mine", "--file", token]);
  const secret = (await readFile(token, "utf8")).trim();
  learn({ token: secret });
  const failures: string[] = [];
  const failed = async (argv: readonly string[], options: Parameters<Fixture["tmpm"]>[1] = {}) => {
    const { stdout, stderr } = await w.tmpm(argv, options);
    failures.push(stdout, stderr);
  };
  expect((await w.tmpm(["send", "plain", "-"], { input: canaries.prompt })).code).toBe(0);
  await w.tmpm(["ls"], { env: { TMPM_TOKEN_FILE: token } });
  await ask({ socket, method: "POST", path: "/v1/sessions/plain/turns", body: JSON.stringify({ prompt: canaries.turn }), token: secret });
  await ask({ socket, method: "POST", path: "/v1/sessions/agent/answer", body: JSON.stringify({ text: canaries.answer }), token: secret });
  await failed(["send", "plain", "-"], { input: `\u001b${canaries.refused}` });
  await failed(["send", "nobody", "-"], { input: canaries.refused });
  await failed(["ls"], { env: { TMPM_TOKEN: `${secret}x` } });
  for (const body of [
    `{"text": "${canaries.refused}`,
    JSON.stringify({ text: canaries.refused, odd: 1 }),
    JSON.stringify({ text: 7, key: canaries.refused }),
  ]) {
    const answer = await ask({ socket, method: "POST", path: "/v1/sessions/plain/send", body, token: secret });
    failures.push(answer.kind === "answered" ? answer.text : "");
  }
  await ask({ socket, method: "GET", path: `/v1/nothing?token=${secret}&prompt=${canaries.refused}` });
  await ask({ socket, method: "GET", path: `/v1/sessions/${secret}` });
  await w.tmpm(["stop", "plain"]);
  await failed(["send", "plain", "-"], { input: canaries.refused });
  return failures.join("\n");
}

test("secrets and prompts are only in the places that need them", { timeout: 180_000 }, async () => {
  const planted = plant();
  const canaries: Record<string, string> = { ...planted };
  await using w = await fixture({ PATH: `${BIN}:${process.env.PATH}`, TMPM_LOG_LEVEL: "trace" });
  const daemonSecret = `canary-env-${randomBytes(12).toString("hex")}`;
  canaries.daemonEnvironment = daemonSecret;
  await w.tmpm(["daemon", "start"], { env: { MY_DATABASE_PASSWORD: daemonSecret } });
  const watched = watchArguments(() => canaries);
  const failures = await work(w, { canaries: planted, learn: (more) => Object.assign(canaries, more) });
  const socket = join(w.home, "run", "tmpm.sock");
  const page = async (path: string) => {
    const answer = await ask({ socket, method: "GET", path });
    return answer.kind === "answered" ? answer.text : answer.why;
  };
  const places: Readonly<Record<string, string>> = {
    tmux: await tmuxState(w),
    log: readFileSync(join(w.home, "daemon.log"), "utf8"),
    audit: await filesOf(join(w.home, "audit")),
    "the audit's answer": await page("/v1/audit?limit=1000"),
    errors: failures,
    metrics: await page("/metrics"),
    health: `${await page("/healthz")}${await page("/readyz")}`,
    doctor: await page("/v1/doctor"),
    tokens: await page("/v1/tokens"),
    events: await page("/v1/events?after=0&limit=1000"),
  };
  for (const [place, text] of Object.entries(places)) expect(text.length, `${place} says something`).toBeGreaterThan(20);
  expect(places.log).toMatch(/"msg":"a request was answered"/);
  const found = [...watched.close(), ...Object.entries(places).flatMap(([place, text]) => hits(place, { text, canaries }))];
  expect(found).toEqual([]);
  // Proves the check: the prompt reached its session.
  expect(await page("/v1/sessions/plain")).toContain(planted.prompt);
});
