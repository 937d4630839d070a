import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Client, client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll } from "vitest";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../../..");
const PROGRAM = join(ROOT, "tmpm");
/** Draws the screens and reads the keys of Claude Code. */
const AGENTS = join(ROOT, "test/scripted-claude");
/** Time limit for events that take a second on an idle machine, in ms. */
const PATIENCE_MS = 100_000;
/** The headless shell costs half as much as the whole browser. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const CHROMIUM = process.env.TMPM_CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? "/usr/bin/chromium-headless-shell";

/** Screenshots of the page, for people to look at. */
export const PICTURES = join(ROOT, ".cache/page");

/** Why no browser is available for the tests; null if there is one. */
export const noBrowser = existsSync(CHROMIUM) ? null : `no Chromium at ${CHROMIUM}: install Debian's package, or set TMPM_CHROMIUM`;

export interface PageOptions {
  readonly scope?: "observer" | "operator" | "admin";
  readonly size?: { readonly width: number; readonly height: number };
  readonly scheme?: "dark" | "light";
}

export interface Seat {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors on the console of the page, and thrown errors. */
  readonly faults: readonly string[];
}

/** A host name that resolves to this machine in the browsers. */
export const OTHER_NAME = "evil.example";

/** A user with a temporary home, a daemon and browsers that are logged in to it. Disposing ends all sessions and browsers. */
export interface Bench {
  readonly dir: string;
  /** The search path of programs. */
  readonly path: string;
  readonly api: Client;
  tmpm(...argv: readonly string[]): Promise<string>;
  tmux(...argv: readonly string[]): Promise<string>;
  /** A browser that logged in with a code, shown on the list. */
  seat(options?: PageOptions): Promise<Seat>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const PHONE = { width: 360, height: 740 } as const;
export const DESK = { width: 1440, height: 900 } as const;

/**
 * Shared by the tests of a file: daemon and browser are started for the first test and reset after each, because starting them takes longer than
 * most tests. Called once, outside of tests.
 */
export function benches(): () => Promise<Bench> {
  let open: Opened | null = null;
  const end = async () => {
    const ending = open;
    open = null;
    await ending?.end();
  };
  afterAll(end);
  return async () => {
    open ??= await opened();
    const { bench, empty } = open;
    const dispose = async () => {
      try {
        await empty();
      } catch (error) {
        // The next test gets a new one.
        await end();
        throw error;
      }
    };
    return { ...bench, [Symbol.asyncDispose]: dispose };
  };
}

interface Opened {
  readonly bench: Omit<Bench, typeof Symbol.asyncDispose>;
  /** Closes and logs out every page, and removes every session. */
  empty(): Promise<void>;
  end(): Promise<void>;
}

async function opened(): Promise<Opened> {
  const root = await mkdtemp(join(tmpdir(), "tmpm-page-"));
  const [home, dir] = [join(root, "home"), join(root, "work")];
  await mkdir(dir);
  const env = {
    HOME: root,
    PATH: `${AGENTS}:${process.env.PATH}`,
    SHELL: "/bin/sh",
    TMPM_HOME: home,
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
  };
  const tmpm = async (...argv: readonly string[]) => (await run(PROGRAM, argv, { env, cwd: dir })).stdout;
  await tmpm("web", "--no-open", "--json");
  const api = client({ transport: localTransport({ socket: join(home, "run", "tmpm.sock") }) });
  const tmux = async (...argv: readonly string[]) => (await run("tmux", ["-u", "-S", join(home, "run", "tmux.sock"), ...argv])).stdout;
  let browser: Browser | null = null;

  async function seat({ scope = "operator", size = DESK, scheme = "light" }: PageOptions = {}): Promise<Seat> {
    browser ??= await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`],
    });
    const { url } = await api.createLoginCode({ scope });
    const isPhone = size.width < 700;
    const context = await browser.newContext({ viewport: size, colorScheme: scheme, hasTouch: isPhone });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && /Content Security|Trusted/.test(message.text())) faults.push(message.text());
    });
    await page.goto(url);
    await page.waitForSelector(".list");
    return { page, context, faults };
  }

  async function empty(): Promise<void> {
    for (const context of browser?.contexts() ?? []) await context.close();
    for (const { id } of (await api.devices()).devices) await api.revokeDevice({ device: id });
    for (const archived of [false, true]) {
      for (const { id, state } of (await api.list({ all: true, archived })).sessions) {
        if (state !== "decommissioned" && state !== "deleted") await api.remove({ session: id, discard: true });
        await api.delete({ session: id, purge: true });
      }
    }
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir);
  }

  async function end(): Promise<void> {
    await browser?.close();
    await tmpm("daemon", "stop").catch(() => undefined);
    // The server ends with its last session.
    await tmux("kill-server").catch(() => undefined);
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  return { bench: { dir, path: env.PATH, api, tmpm, tmux, seat }, empty, end };
}
