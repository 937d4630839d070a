import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PullRequestWatch, pullRequestAt } from "@tmpm/core";
import { type Forge, ghForge } from "@tmpm/workspace";
import { describe, expect, onTestFinished, test } from "vitest";
import { type FakeHost, fakeHost } from "../fixtures/fake-host.js";
import { HOST, realHost } from "../fixtures/real-host.js";

const lacking = ["gh", "openssl"].filter((program) => spawnSync(program, ["version"]).error !== undefined);
const none = lacking.length === 0 ? null : `not installed: ${lacking.join(", ")}`;
if (none !== null) console.warn(`the real gh is not tried: ${none}`);

const TOKEN = "secret-of-the-user";
const TEXT = 'Fix "it"\n@file $(true) `x`\n\u00e9\u{1f600}\n';

interface Using {
  readonly host: FakeHost;
  readonly forge: Forge;
  readonly logins: readonly (string | undefined)[];
}

/** The installed `gh` with the login of a user, who has nothing else. */
async function withGh(env: Readonly<Record<string, string>> = { GH_ENTERPRISE_TOKEN: TOKEN }): Promise<Using> {
  const home = mkdtempSync(join(tmpdir(), "tmpm-gh-"));
  const host = fakeHost();
  const real = await realHost(host, home);
  onTestFinished(async () => {
    await real[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });
  const forge = ghForge({ env: { PATH: process.env.PATH, HOME: home, GH_HOST: HOST, ...real.env, ...env }, timeoutMs: 60_000 });
  return { host, forge, logins: real.logins };
}

const wanted = {
  at: { host: HOST, owner: "demo", repository: "proj" },
  branch: "tmpm/demo",
  base: "main",
  title: "Fix the login",
  body: TEXT,
  draft: true,
};

function watching(url: string): PullRequestWatch {
  const nothing = { checks: null, reviews: {}, pages: {}, reported: {}, unconfirmed: [], undelivered: [], prompts: 0, failures: 0 };
  const never = { mode: "events", from: [], state: "unknown", head: null, looked_at: null, next_at: null, failure: null };
  return PullRequestWatch.parse({ ...nothing, ...never, ...pullRequestAt(url), url });
}

describe.skipIf(none !== null)("the real gh", () => {
  test("opens a pull request once, with its text unchanged and the user's login", async () => {
    const { host, forge, logins } = await withGh();
    const opened = await forge.open(wanted);
    expect(opened).toMatchObject({ number: 7, existed: false });
    expect(host.pulls).toMatchObject([{ head: "tmpm/demo", base: "main", title: "Fix the login", body: TEXT, draft: true }]);
    expect(await forge.open(wanted)).toEqual({ ...opened, existed: true });
    expect(host.pulls).toHaveLength(1);
    expect(new Set(logins)).toEqual(new Set([`token ${TOKEN}`]));
  });

  test("reads every page, and then only what has changed", async () => {
    const { host, forge } = await withGh();
    const { url } = await forge.open(wanted);
    host.reviews.push({ id: 1, user: { login: "ann", type: "User" }, state: "CHANGES_REQUESTED", body: TEXT, html_url: `${url}#1` });
    for (let id = 0; id < 101; id++) host.comments.push({ id, user: { login: "bob", type: "User" }, body: `No. ${id}`, html_url: url });
    const first = await forge.read(watching(url), 0);
    if (first.kind !== "seen") throw new Error(first.reason);
    expect(first.news.map(({ text }) => text)).toContain(TEXT);
    expect(first.news.filter(({ author }) => author === "bob")).toHaveLength(101);
    host.log.length = 0;
    const second = await forge.read(first.watch, 0);
    expect(second).toMatchObject({ kind: "seen", news: [] });
    expect(new Set(host.log.map(({ status }) => status))).toEqual(new Set([304]));
    host.comments.push({ id: 500, user: { login: "bob", type: "User" }, body: "one more", html_url: url });
    const third = await forge.read(first.watch, 0);
    expect(third.kind === "seen" ? third.news.map(({ text }) => text) : third).toEqual(["one more"]);
  });

  test("passes on the delay that the host asks for, and every other refusal with its reason", async () => {
    const { host, forge } = await withGh();
    const { url } = await forge.open(wanted);
    host.refusals.push({ status: 429, headers: { "retry-after": "90" } });
    expect(await forge.read(watching(url), 0)).toMatchObject({ kind: "refused", waitMs: 90_000, reason: "the host answered 429" });
    host.refusals.push({ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "120" } });
    expect(await forge.read(watching(url), 60_000)).toMatchObject({ kind: "refused", waitMs: 60_000 });
    host.refusals.push({ status: 502 });
    expect(await forge.read(watching(url), 0)).toMatchObject({ kind: "refused", waitMs: null, reason: "the host answered 502" });
    host.refusals.push(null, { status: 422 });
    await expect(forge.open({ ...wanted, branch: "other" })).rejects.toMatchObject({ code: "FORGE_FAILED", effect: "none" });
  });

  test("reports a missing login, and a host that cannot be reached", async () => {
    const { forge, host } = await withGh({});
    await expect(forge.open(wanted)).rejects.toMatchObject({
      code: "FORGE_FAILED",
      message: expect.stringContaining("Requires authentication"),
      hint: expect.stringContaining("gh auth status"),
    });
    expect(host.log).toEqual([]);
    const away = await withGh({ GH_ENTERPRISE_TOKEN: TOKEN, HTTPS_PROXY: "http://127.0.0.1:9" });
    await expect(away.forge.open(wanted)).rejects.toThrow(/127\.0\.0\.1:9|host\.example/);
  });
});
