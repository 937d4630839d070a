import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answering, runIn } from "../fixtures/answering.js";
import { sessionAnswer } from "../fixtures/session-answer.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

/** A user with a configuration file that may contain `text`. */
function user(text?: string, env: Readonly<Record<string, string>> = {}) {
  const dir = temporaryDir();
  const path = join(dir.path, "config.yaml");
  if (text !== undefined) writeFileSync(path, text, { mode: 0o600 });
  return {
    dir: dir.path,
    path,
    file: () => readFileSync(path, "utf8"),
    config: (...argv: readonly string[]) =>
      runIn({ TMPM_HOME: dir.path, TMPM_CONFIG: path, PATH: process.env.PATH, ...env }, ["config", ...argv]),
    run: (...argv: readonly string[]) => runIn({ TMPM_HOME: dir.path, TMPM_CONFIG: path, PATH: process.env.PATH, ...env }, argv),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** A program that changes the draft like a user in an editor. */
function editor(dir: string, script: string): string {
  const path = join(dir, "editor");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return path;
}

describe("tmpm config", () => {
  test("list shows changed settings with their source, and --all shows every setting", async () => {
    using me = user("sessions: {max: 4}\nprofiles: {fast: {agent: claude, model: haiku}}\n", {
      TMPM_LOG_LEVEL: "debug",
      TMPM_TOKEN: "secret-x",
    });
    const { exit, stdout, stderr } = await me.config("list");
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["SETTING", "VALUE", "FROM"],
      ["home", me.dir, "TMPM_HOME"],
      ["client.token", "(set)", "TMPM_TOKEN"],
      ["log.level", "debug", "TMPM_LOG_LEVEL"],
      ["sessions.max", "4", "file"],
      ["profiles.fast", "agent=claude model=haiku", "file"],
      [""],
    ]);
    const all = JSON.parse((await me.config("list", "--all", "--json")).stdout);
    expect(all).toMatchObject({ path: me.path, exists: true, profiles: { fast: { model: "haiku" } }, mistakes: [], next: null });
    expect(all.settings).toContainEqual(expect.objectContaining({ key: "sessions.queue_depth", value: 32, source: "default" }));
    expect(JSON.stringify(all)).not.toContain("secret-x");
  });

  test("list shows a value from an option that still applies", async () => {
    using me = user("listen: {address: '127.0.0.1:1'}\n");
    expect((await me.config("list")).stdout).toMatch(/^listen\.address +127\.0\.0\.1:1 +file$/m);
    writeFileSync(join(me.dir, "listening.json"), '{"listen": "127.0.0.1:7777"}');
    expect((await me.config("list")).stdout).toMatch(/^listen\.address +127\.0\.0\.1:7777 +--listen$/m);
  });

  test("set, get and unset change the file, keep its comments, and keep its access to the user only", async () => {
    using me = user("# mine\nlog:\n  level: info # quiet\n");
    expect(await me.config("set", "log.level", "warn")).toEqual({ exit: 0, stdout: "log.level: warn\n", stderr: "" });
    const set = await me.config("set", "sessions.max", "12");
    expect([set.stdout, set.stderr]).toEqual(["sessions.max: 12\n", expect.stringContaining("tmpm daemon restart")]);
    await me.config("set", "notify.command", '["say", "a b"]');
    await me.config("set", "profiles.careful.permissions", "plan");
    await me.config("set", "profiles.careful.env", "A,B");
    expect(me.file()).toBe(
      "# mine\nlog:\n  level: warn # quiet\nsessions:\n  max: 12\nnotify:\n  command: [ say, a b ]\nprofiles:\n  careful:\n    permissions: plan\n    env: [ A, B ]\n",
    );
    expect(statSync(me.path).mode & 0o777).toBe(0o600);
    expect((await me.config("get", "notify.command")).stdout).toBe('["say","a b"]\n');
    expect((await me.config("get", "profiles.careful")).stdout).toBe('env          ["A","B"]\npermissions  plan\n');
    await me.config("unset", "sessions.max");
    expect(me.file()).not.toContain("sessions");
  });

  test.each([
    [["set", "log.level", "loud"], /log\.level is one of trace/],
    [["set", "log.levle", "info"], /unknown setting log\.levle\n +Did you mean log\.level\?/],
    [["get", "level"], /Did you mean log\.level\?/],
    [["set", "client.token", "abc"], /is a secret/],
    [["set", "profiles.x", "abc"], /field by field/],
    [["set", "log.level"], /set takes a key and a value/],
    [["path", "log.level"], /path takes no key/],
  ])("%j is refused, and nothing is written", async (argv, message) => {
    using me = user();
    const { exit, stderr } = await me.config(...argv);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(me.path)).toBe(false);
  });

  test("list shows every mistake with its position, and valid settings apply", async () => {
    using me = user("sessions:\n  max: many\n  queue_depht: 4\nlog: {level: warn}\n");
    const { exit, stdout, stderr } = await me.config("list");
    expect(exit).toBe(2);
    expect(stdout).toContain("log.level");
    expect(stderr).toContain(`${me.path}:2:8: sessions.max is a whole number`);
    expect(stderr).toContain(`${me.path}:3:3: unknown setting sessions.queue_depht; did you mean sessions.queue_depth?`);
    expect((await me.config("set", "sessions.max", "3")).exit).toBe(0);
    expect(me.file()).toContain("max: 3\n  queue_depht: 4");
  });

  test("a file that is not YAML is reported only by the commands that need it", async () => {
    using me = user("socket: [\n");
    for (const argv of [["ls"], ["daemon", "status"]]) {
      const { exit, stderr } = await me.run(...argv);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`${me.path}:`)]);
      expect(stderr).toContain("tmpm config edit");
    }
    expect((await me.run("config", "path")).exit).toBe(0);
    expect((await me.run("--help")).exit).toBe(0);
    expect((await me.config("set", "log.level", "info")).stderr).toContain(`${me.path}:`);
    expect(me.file()).toBe("socket: [\n");
  });

  test("the file sets the daemon's address, and the environment overrides it", async () => {
    await using daemon = await answering(() => ({
      body: { sessions: [], problems: [], store: { state: "ok", message: null }, next: null },
    }));
    using me = user(`home: ${daemon.home}\n`);
    const env = { TMPM_CONFIG: me.path, PATH: process.env.PATH };
    expect((await runIn(env, ["ls"])).exit).toBe(0);
    expect(daemon.asked.length).toBe(1);
    using other = user(`home: /nowhere\nlog:\n  # socket: here\n  level: info\n`);
    expect((await runIn({ ...env, TMPM_CONFIG: other.path, TMPM_HOME: daemon.home }, ["ls"])).exit).toBe(0);
  });

  test.each([[["ls"]], [["daemon", "start"]], [["daemon", "run"]], [["daemon", "restart"]]])(
    "daemon.program of the file is what %j starts",
    async (argv) => {
      using me = user("daemon:\n  program: /no/such/daemon\n");
      const env = { TMPM_CONFIG: me.path, TMPM_HOME: me.dir, PATH: process.env.PATH };
      expect(await runIn(env, argv)).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining("the daemon's program is missing: /no/such/daemon"),
      });
      const other = await runIn({ ...env, TMPM_DAEMON: "/nor/this/one" }, argv);
      expect(other.stderr).toContain("the daemon's program is missing: /nor/this/one");
    },
  );

  test("edit applies a valid draft; an invalid one is kept and opened again", async () => {
    using me = user("# mine\nlog: {level: info}\n");
    const bad = editor(me.dir, 'echo "sessions: {max: x}" >> "$1"');
    const first = await runIn({ TMPM_CONFIG: me.path, PATH: process.env.PATH, EDITOR: bad }, ["config", "edit"]);
    expect([first.exit, first.stderr]).toEqual([2, expect.stringContaining(`${me.path}.draft:3:17: sessions.max is`)]);
    expect(first.stderr).toContain("reopens it");
    expect(me.file()).toBe("# mine\nlog: {level: info}\n");
    const good = editor(me.dir, 'sed -i "s/x}/7}/" "$1"');
    const second = await runIn({ TMPM_CONFIG: me.path, PATH: process.env.PATH, VISUAL: good, EDITOR: "false" }, ["config", "edit"]);
    expect([second.exit, second.stdout]).toEqual([0, expect.stringContaining("changed")]);
    expect(me.file()).toBe("# mine\nlog: {level: info}\nsessions: {max: 7}\n");
    expect(existsSync(`${me.path}.draft`)).toBe(false);
  });

  test.each([
    ["of a file", "# mine\nlog: {level: info}\n"],
    ["without a file", undefined],
  ])("edit does not reopen a draft %s that was changed since, and changes nothing", async (_, text) => {
    using me = user(text);
    const env = { TMPM_CONFIG: me.path, PATH: process.env.PATH };
    await runIn({ ...env, EDITOR: editor(me.dir, 'echo "sessions: {max: x}" >> "$1"') }, ["config", "edit"]);
    await runIn(env, ["config", "set", "log.level", "warn"]);
    const changed = me.file();
    const second = await runIn({ ...env, EDITOR: editor(me.dir, 'sed -i "s/x}/7}/" "$1"') }, ["config", "edit"]);
    expect([second.exit, second.stderr]).toEqual([2, expect.stringContaining("has changed since your draft was created")]);
    expect(me.file()).toBe(changed);
    expect(readFileSync(`${me.path}.draft`, "utf8")).toContain("max: x");
    rmSync(`${me.path}.draft`);
    const third = await runIn({ ...env, EDITOR: editor(me.dir, 'echo "sessions: {max: 7}" >> "$1"') }, ["config", "edit"]);
    expect([third.exit, me.file()]).toEqual([0, `${changed}sessions: {max: 7}\n`]);
  });

  test.each([
    ["no-such-editor", "no-such-editor is not on your PATH"],
    ["/no/such/editor", "/no/such/editor cannot be run (ENOENT)"],
    ["/etc/passwd", "/etc/passwd cannot be run (EACCES)"],
  ])("edit with the editor %s names it", async (EDITOR, message) => {
    using me = user();
    const { exit, stderr } = await runIn({ TMPM_CONFIG: me.path, PATH: process.env.PATH, EDITOR }, ["config", "edit"]);
    expect([exit, stderr]).toEqual([6, `tmpm: ${message}\n      Set EDITOR to an editor that is installed.\n`]);
  });

  test("edit without a file opens a draft with every setting, and does not write it without changes", async () => {
    using me = user();
    const look = editor(me.dir, `cp "$1" "${me.dir}/seen"`);
    const { stdout } = await runIn({ TMPM_CONFIG: me.path, PATH: process.env.PATH, EDITOR: look }, ["config", "edit"]);
    expect([stdout, existsSync(me.path)]).toEqual(["nothing was changed\n", false]);
    expect(readFileSync(join(me.dir, "seen"), "utf8")).toContain("quiet_hours");
  });

  test("schema is JSON Schema with every group", async () => {
    using me = user();
    expect(Object.keys(JSON.parse((await me.config("schema")).stdout).properties)).toEqual(
      expect.arrayContaining(["notify", "profiles", "sessions"]),
    );
  });
});

describe("profiles", () => {
  const FILE =
    "profiles:\n  careful: {agent: claude, model: opus, effort: high, permissions: plan, env: [NAMED]}\n  web: {command: [npm, run, dev]}\nnew: {profile: web}\nsessions: {pass_env: [ALWAYS]}\n";

  async function created(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    await using daemon = await answering(() => ({ status: 201, body: { ...sessionAnswer(), receipt: null } }));
    writeFileSync(join(daemon.home, "config.yaml"), FILE, { mode: 0o600 });
    const base = { TMPM_HOME: daemon.home, TMPM_CONFIG: join(daemon.home, "config.yaml"), NAMED: "1", ALWAYS: "2", OTHER: "3" };
    const result = await runIn({ ...base, ...env }, ["new", ...argv]);
    return { ...result, body: daemon.asked[0]?.body };
  }

  test("new adds the profile's values to the command line, and passes its variables to the session", async () => {
    const { body } = await created(["--profile", "careful", "--model", "haiku"]);
    expect(body).toMatchObject({
      agent: "claude",
      model: "haiku",
      reasoning_effort: "high",
      permissions: "plan",
      env: { NAMED: "1", ALWAYS: "2" },
    });
    expect(JSON.stringify(body)).not.toContain("OTHER");
  });

  test("the default profile applies unless another is named, a variable names another, and a custom command overrides it", async () => {
    expect((await created([])).body).toMatchObject({ agent: "command", argv: ["npm", "run", "dev"], env: { ALWAYS: "2" } });
    expect((await created([], { TMPM_PROFILE: "careful" })).body).toMatchObject({ agent: "claude", model: "opus" });
    expect((await created(["--", "ls"])).body).toMatchObject({ agent: "command", argv: ["ls"] });
    expect((await created(["--agent", "shell"])).body).toMatchObject({ agent: "shell" });
    const other = (await created(["--profile", "careful", "--agent", "codex"])).body;
    expect(other).not.toHaveProperty("model");
    expect(other).toMatchObject({ agent: "codex", env: { NAMED: "1" } });
  });

  test("an unknown profile is refused, with a suggestion", async () => {
    const { exit, stderr, body } = await created(["--profile", "carefull"]);
    expect([exit, stderr, body]).toEqual([2, expect.stringContaining("Did you mean careful?"), undefined]);
  });
});

test("trust approves a repository's file and shows it, and --revoke withdraws that", async () => {
  const setup = { copy: [".env"], link: [], run: ["npm ci"], teardown: [], ports: [], timeout: 600 };
  await using daemon = await answering(({ body }) => {
    const trusted = typeof body === "object" && body !== null && "trusted" in body && body.trusted === true;
    return { body: { source: "/srv/api", trusted, sha256: trusted ? "ab" : null, setup: trusted ? setup : null } };
  });
  const agreed = await daemon.tmpm("trust", "/srv/api");
  expect([agreed.exit, agreed.stdout]).toEqual([
    0,
    expect.stringMatching(/until its \.tmpm\.yaml changes:\n {2}copy {2}\.env\n {2}run {2}npm ci\n$/),
  ]);
  expect((await daemon.tmpm("trust", "--revoke", "/srv/api")).stdout).toBe("consent to /srv/api is revoked: none of it runs\n");
  expect(daemon.asked.map(({ body }) => body)).toEqual([
    { path: "/srv/api", trusted: true },
    { path: "/srv/api", trusted: false },
  ]);
});
