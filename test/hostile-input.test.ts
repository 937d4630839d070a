import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Asked, ask } from "./ask.js";
import { eventually, type Fixture, sharedFixture } from "./fixture.js";

const run = promisify(execFile);
const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const seed = Number(process.env.TMPM_TEST_SEED ?? 1);
const COUNT = scale >= 10 ? 300 : 8;
/** Each is a session, or a pane that has to print. */
const SLOW = scale >= 10 ? 30 : 2;

/** Text that would run `C` if interpreted by a shell, tmux, git or as a path. */
const COMMANDS = [
  "#(C)",
  "#{E:#(C)}",
  "#{l:#(C)}",
  "$(C)",
  "`C`",
  "; C ;",
  "| C",
  "& C &",
  "\nC\n",
  "' ; C ; '",
  '" ; C ; "',
  "'$(C)'",
  "x && C",
  "${x:-$(C)}",
];
const TMUX = [
  "; run-shell 'C'",
  "\\; run-shell 'C'",
  "';' if-shell true 'C' ';'",
  "} ; run-shell { C }",
  "%if 1\nrun-shell 'C'\n%endif",
  "#{?1,#(C),}",
  "-t =0 run-shell 'C'",
];
const GIT = [
  "--upload-pack=C",
  "ext::sh -c C",
  "-c core.sshCommand=C",
  "--exec=C",
  "-oProxyCommand=C",
  "ssh://-oProxyCommand=C/x",
  "file:///x --upload-pack=C",
  "@{-1}; C",
  "--config=core.fsmonitor=C",
];
const PATHS = ["../../C", "..%2f..%2fC", "/etc/../C", "~/C", "C\u0000x", "./-C", "..\\C", "C/../../x"];
const AROUND = ["@", "x@", "@x", "-@", "--@", "a b@", "@\t", "é@🙂"];

/** All of them in an order rotated by the seed. */
function payloads(canary: string): readonly string[] {
  const templates = [...COMMANDS, ...TMUX, ...GIT, ...PATHS];
  const all = AROUND.flatMap((around) =>
    templates.map((template) => around.replace("@", () => template.replaceAll("C", `touch ${canary}`))),
  );
  return Array.from({ length: COUNT }, (_, index) => all[(seed + index * 37) % all.length] ?? "");
}

async function canaries(root: string): Promise<readonly string[]> {
  return (await readdir(root, { recursive: true })).filter((path) => path.split("/").at(-1) === "canary");
}

/** Every operation with a text from the user, with the payload in its place. */
function requests(payload: string, { socket, dir }: { readonly socket: string; readonly dir: string }): readonly Asked[] {
  const post = (path: string, body: object): Asked => ({ socket, method: "POST", path, body: JSON.stringify(body) });
  const named = encodeURIComponent(payload.replace(/[\ud800-\udfff]/gu, ""));
  const create = { agent: "shell", cwd: dir };
  return [
    post("/v1/sessions", { ...create, name: payload }),
    post("/v1/sessions", { ...create, project_id: payload }),
    post("/v1/sessions", { ...create, cwd: payload }),
    post("/v1/sessions", { ...create, agent: payload }),
    post("/v1/sessions", { ...create, repo: payload }),
    post("/v1/sessions", { ...create, worktree: true, branch: payload, repo: join(dir, "no-repository") }),
    post("/v1/sessions/listens/send", { text: payload, raw: false }),
    post("/v1/sessions/listens/turns", { prompt: payload }),
    post("/v1/sessions/listens/keys", { keys: [payload] }),
    post("/v1/sessions/listens/rename", { name: payload }),
    post("/v1/sessions/listens/set", { task: payload, issue_id: payload }),
    post("/v1/projects", { path: payload }),
    post("/v1/projects", { path: join(dir, payload.replaceAll("\u0000", "")) }),
    post("/v1/import", { from: "ao-rs", path: payload }),
    post("/v1/adopt", { server: payload, session: payload }),
    post("/v1/tokens", { scope: "observer", name: payload }),
    { socket, method: "GET", path: `/v1/sessions/${named}` },
    { socket, method: "GET", path: `/v1/sessions/${named}/screen` },
    { socket, method: "GET", path: `/v1/sessions?q=${named}` },
    { ...post(`/v1/sessions/listens/uploads?name=${named}`, {}), body: payload, type: "application/octet-stream" },
  ];
}

async function shows(w: Fixture, { session, text }: { readonly session: string; readonly text: string }): Promise<void> {
  await eventually(async () => ((await w.api.capture({ session })).lines.join("\n").includes(text) ? true : null));
}

/** Allowed output to a terminal (reliability C9). */
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("hostile text", () => {
  const shared = sharedFixture({ TMPM_FOREIGN_SOCKETS: "" });

  test(`in ${COUNT} payloads for shells, tmux, git and paths runs nothing in any place`, {
    timeout: 60_000 + COUNT * 5_000,
  }, async () => {
    const w = shared();
    const root = dirname(w.home);
    const socket = join(w.home, "run", "tmpm.sock");
    const canary = join(root, "canary");
    await w.json(["new", "--name", "listens", "--", "cat"]);
    const unexpected: unknown[] = [];
    for (const payload of payloads(canary)) {
      const answers = await Promise.all(
        requests(payload, { socket, dir: w.dir }).map(async (asked) => ({ asked, answer: await ask(asked) })),
      );
      unexpected.push(...answers.filter(({ answer }) => answer.kind !== "answered" || answer.status === 500));
    }
    expect(unexpected).toEqual([]);
    await run("git", ["init", "-q", w.dir]);
    await run("git", ["-C", w.dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "first"]);
    for (const [index, payload] of payloads(canary).slice(0, SLOW).entries()) {
      const directory = join(w.dir, `d${index} ${payload.replace(/[/\u0000]/g, "_")}`);
      await mkdir(directory);
      await w.api.create({ name: `in${index}`, cwd: directory });
      await w.tmpm(["new", "--name", `branch${index}`, "--worktree", "--branch", payload.replaceAll("\u0000", "")]);
      const title = `\u001b]2;${payload.replace(/[\u0000-\u001f]/g, "")}\u0007`;
      const argv = ["sh", "-c", 'printf %s "$1"; echo printed; exec cat', "sh", title];
      await w.api.create({ name: `title${index}`, cwd: w.dir, agent: "command", argv });
      await shows(w, { session: `title${index}`, text: "printed" });
    }
    await w.tmpm(["doctor"]);
    await Promise.all([w.api.list({ all: true, discovered: true }), w.api.why({ session: "listens" }), w.api.discover()]);
    expect(await canaries(root)).toEqual([]);
  });

  test("printed by a pane reaches other terminals as text only", { timeout: 180_000 }, async () => {
    const w = shared();
    await writeFile(join(w.dir, "noise"), noise(20_000 * scale));
    // Ends any sequence that the bytes have started, and resets the terminal.
    const script = String.raw`cat noise; printf '\033\\\007\030\033c'; printf '\033]2;t\302\233\342\200\256\007a\302\233b\342\200\256c\n'; echo printed; exec cat`;
    await w.json(["new", "--name", "noisy", "--", "sh", "-c", script]);
    await shows(w, { session: "noisy", text: "printed" });
    for (const command of [
      ["capture", "noisy", "--history", "500"],
      ["ls"],
      ["show", "noisy"],
      ["why", "noisy"],
      ["send", "noisy", "\u009b31m"],
      ["events"],
    ]) {
      const { stdout, stderr } = await w.tmpm(command);
      expect(FORBIDDEN.exec(stdout + stderr), command.join(" ")).toBeNull();
    }
    expect((await w.tmpm(["capture", "noisy"])).stdout).toContain("printed");
  });
});

/** The same bytes for the same seed. */
function noise(count: number): Buffer {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  };
  return Buffer.from(Array.from({ length: count }, next));
}
