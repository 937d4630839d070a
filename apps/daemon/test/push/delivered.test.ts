import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { PushAnswer } from "@tmpm/api";
import { client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { expect, onTestFinished, test } from "vitest";
import { rawRequest, requestText } from "../fixtures/raw-request.js";
import { pushService } from "./push-service-fixture.js";

const ROOT = resolve(import.meta.dirname, "../../../..");
const PROGRAM = join(ROOT, "tmpm");

/** A daemon as a separate process, with a TCP port. */
async function home() {
  const root = await mkdtemp(join(tmpdir(), "tmpm-push-"));
  const env = {
    HOME: root,
    PATH: `${join(ROOT, "test/scripted-claude")}:${process.env.PATH}`,
    SHELL: "/bin/sh",
    TMPM_HOME: join(root, "home"),
    TMPM_NOTIFY_WINDOW_SECONDS: "0",
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
  };
  const dir = join(root, "work");
  await mkdir(dir);
  const tmpm = async (...argv: readonly string[]) => (await promisify(execFile)(PROGRAM, argv, { env, cwd: dir })).stdout;
  onTestFinished(async () => {
    await tmpm("daemon", "stop").catch(() => undefined);
    await promisify(execFile)("tmux", ["-S", join(root, "home/run/tmux.sock"), "kill-server"]).catch(() => undefined);
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  await tmpm("web", "--no-open", "--json");
  const api = client({ transport: localTransport({ socket: join(root, "home/run/tmpm.sock") }) });
  return { dir, env, tmpm, api };
}

type Home = Awaited<ReturnType<typeof home>>;

/** Logs a browser in; returns a client with its cookie. */
async function browser({ api }: Home) {
  const { code, url } = await api.createLoginCode({ scope: "operator" });
  const { host, port, origin } = new URL(url);
  const ask = (line: string, body: unknown = "", cookie = "") =>
    rawRequest(
      { host: "127.0.0.1", port: Number(port) },
      requestText(
        line,
        [["host", host], ["origin", origin], ["sec-fetch-site", "same-origin"], ...(cookie === "" ? [] : [["cookie", cookie] as const])],
        body === "" ? "" : JSON.stringify(body),
      ),
    );
  const { head } = await ask("POST /v1/login", { code, device: "Chrome on Android" });
  const cookie = /set-cookie: ([^;]+)/i.exec(head)?.[1] ?? "";
  return (line: string, body: unknown = "") => ask(line, body, cookie);
}

/** Each requests a different approval. */
async function asks({ api, dir, env }: Home, name: string): Promise<void> {
  await api.create({ agent: "claude", cwd: dir, name, search_path: env.PATH });
  await api.wait({ session: name, until: "idle", timeout_ms: "100000" });
  await api.send({ session: name, text: "RUN:secret command" });
  await api.wait({ session: name, until: "awaiting_approval", timeout_ms: "100000" });
}

test("a request for approval is pushed to a browser, not to an open page, and survives a killed daemon", async () => {
  const fixture = await home();
  const service = await pushService();
  const ask = await browser(fixture);
  expect((await ask("POST /v1/push/subscription", service.subscription)).status).toBe(200);
  const ledger = async () =>
    (JSON.parse(await fixture.tmpm("web", "push", "--json")) as PushAnswer).ledger.map(({ title, outcome }) => `${outcome}: ${title}`);

  await asks(fixture, "first");
  await expect.poll(() => service.pushed.length).toBe(1);
  const { id } = await fixture.api.show({ session: "first" });
  expect(JSON.parse(service.pushed[0]?.text ?? "")).toEqual({ kind: "needs_you", session_id: id, title: "first waits for your approval" });
  expect(JSON.stringify(service.pushed[0]?.headers)).not.toMatch(/secret command|first/);

  expect((await ask("POST /v1/push/presence", { visible: true, focused: true })).status).toBe(200);
  await asks(fixture, "second");
  await expect.poll(ledger).toContain("suppressed: second waits for your approval");
  expect((await ask("POST /v1/push/presence", { visible: false, focused: false })).status).toBe(200);

  process.kill((await fixture.api.health()).pid, "SIGKILL");
  // A busy machine may take longer than a command's timeout for starting a daemon.
  await expect.poll(() => fixture.tmpm("ls").then(Boolean, () => false)).toBe(true);
  // Pending notices are sent again when a daemon starts.
  expect((await ledger()).slice(-2)).toEqual(["suppressed: second waits for your approval", "accepted: first waits for your approval"]);
});
