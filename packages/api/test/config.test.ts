import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  clientEnv,
  configJsonSchema,
  configTemplate,
  didYouMean,
  editConfig,
  readConfig,
  resolveSettings,
  SETTING_KEYS,
  settingOf,
  shownValue,
  withFile,
} from "../src/config/index.js";
import { configPath, readConfigFile, writeConfigFile } from "../src/local/index.js";

const SCHEMA = fileURLToPath(new URL("../config.schema.json", import.meta.url));
const DOC = fileURLToPath(new URL("../../../docs/config.md", import.meta.url));

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "tmpm-config-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("reading", () => {
  test("an empty file and one with comments only set nothing", () => {
    for (const text of ["", "# nothing\n", "---\n", "log:\n  # level: debug\nhome:\n"])
      expect(readConfig(text)).toEqual({ values: new Map(), profiles: {}, mistakes: [] });
  });

  test("settings are read by key, and profiles by name", () => {
    const { values, profiles, mistakes } = readConfig(
      "log: {level: debug}\nnotify:\n  command: [say, --fast]\n  webhook:\n    url: https://example.com/x\nprofiles:\n  fast: {agent: claude, model: haiku, env: [FOO]}\n",
    );
    expect(mistakes).toEqual([]);
    expect(Object.fromEntries(values)).toEqual({
      "log.level": "debug",
      "notify.command": ["say", "--fast"],
      "notify.webhook.url": "https://example.com/x",
    });
    expect(profiles).toEqual({ fast: { agent: "claude", model: "haiku", env: ["FOO"] } });
  });

  test.each([
    ["log:\n  levle: debug\n", 2, 3, "log.levle", "unknown setting log.levle", "did you mean log.level?"],
    ["max: 3\n", 1, 1, "max", "unknown setting max", "did you mean sessions.max?"],
    ["sessions:\n  max: many\n", 2, 8, "sessions.max", 'sessions.max is a whole number from 0 to 999999, not "many"', null],
    ["log: debug\n", 1, 6, "log", "log is a group; its keys are level", null],
    ["- a\n", 1, 1, null, "the file must contain keys and values", null],
    ["notify: {quiet_hours: 22-7}\n", 1, 23, "notify.quiet_hours", expect.stringContaining("such as 22:00-07:30"), null],
    [
      "notify:\n  of: [needs_you, nothing]\n",
      2,
      7,
      "notify.of.1",
      expect.stringContaining("a list of needs_you, finished and failed"),
      null,
    ],
    [
      "profiles:\n  fast:\n    modle: x\n",
      3,
      5,
      "profiles.fast.modle",
      "unknown setting profiles.fast.modle",
      "did you mean profiles.fast.model?",
    ],
    [
      "profiles:\n  fast: {agent: claude, command: [ls]}\n",
      2,
      34,
      "profiles.fast.command",
      expect.stringContaining("either an agent or a command"),
      null,
    ],
    [
      "client:\n  token: abc\n",
      2,
      3,
      "client.token",
      "client.token is a secret, and cannot be in the file",
      expect.stringContaining("client.token_file"),
    ],
    [
      "client:\n  url: https://box.example:99999/\n",
      2,
      8,
      "client.url",
      'client.url is the http or https address of a daemon, not "https://box.example:99999/"',
      null,
    ],
    ["a: [1\nb: 2\n", 2, 1, null, expect.stringContaining("Flow sequence"), null],
    ["log: {level: info}\nlog: {level: debug}\n", 2, 1, null, expect.stringContaining("unique"), null],
  ])("a mistake has its line and column: %j", (text, line, column, key, message, hint) => {
    expect(readConfig(text).mistakes[0]).toEqual({ line, column, key, message, hint });
  });

  test("the value of an invalid secret is not repeated", () => {
    const { mistakes } = readConfig("notify: {webhook: {url: ftp-secret-abc}}\n");
    expect(JSON.stringify(mistakes)).not.toContain("secret-abc");
  });

  test.each(["notify.webhook.url", "client.url", "listen.public_url"] as const)("%s is an address that can be used", (key) => {
    const { form } = settingOf(key);
    expect(form.parse("https://box.example:8443/x")).toBe("https://box.example:8443/x");
    for (const unusable of ["https://box.example:99999/x", "https://[::1/x", "https://%/x"]) expect(form.parse(unusable)).toBeUndefined();
  });

  test("the valid rest of a file with a mistake applies", () => {
    const { values, mistakes } = readConfig("sessions: {max: x, queue_depth: 4}\nlog: {level: warn}\n");
    expect([mistakes.length, Object.fromEntries(values)]).toEqual([1, { "sessions.queue_depth": 4, "log.level": "warn" }]);
  });

  test("anchors that would exhaust memory are a mistake", () => {
    const bomb = [
      "a0: &a0 [x, x, x, x, x, x, x, x, x]",
      ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`),
    ];
    expect(readConfig(bomb.join("\n")).mistakes[0]?.message).toContain("alias");
  });
});

describe("effective settings", () => {
  test("precedence is options, environment, file, defaults", () => {
    const file = readConfig("listen: {address: 127.0.0.1:1}\nlog: {level: debug}\nsessions: {max: 4}\n").values;
    const env = { TMPM_LISTEN: "127.0.0.1:2", TMPM_LOG_LEVEL: "warn" };
    const { all, values } = resolveSettings({ env, file, flags: new Set(["listen.address"]) });
    const source = (key: string) => all.find((each) => each.key === key)?.source;
    expect([values["listen.address"], source("listen.address")]).toEqual(["127.0.0.1:2", "flag"]);
    expect([values["log.level"], source("log.level")]).toEqual(["warn", "environment"]);
    expect([values["sessions.max"], source("sessions.max")]).toEqual([4, "file"]);
    expect([values["sessions.queue_depth"], source("sessions.queue_depth")]).toEqual([32, "default"]);
  });

  test("an invalid variable is reported, and the file applies", () => {
    const { values, mistakes } = resolveSettings({ env: { TMPM_MAX_SESSIONS: "many" }, file: new Map([["sessions.max", 3]]) });
    expect([values["sessions.max"], mistakes[0]?.message]).toEqual([3, "TMPM_MAX_SESSIONS is a whole number from 0 to 999999"]);
  });

  test("an empty variable sets nothing, except an empty list", () => {
    const { values } = resolveSettings({ env: { TMPM_LOG_LEVEL: "", TMPM_FOREIGN_SOCKETS: "" }, file: new Map() });
    expect([values["log.level"], values["tmux.foreign_sockets"]]).toEqual(["info", []]);
  });

  test("the text of every setting parses back to its value", () => {
    for (const key of SETTING_KEYS) {
      const { form, fallback } = settingOf(key);
      if (fallback !== null) expect(form.parse(form.print(fallback)), key).toEqual(fallback);
    }
  });

  test("the file's values are added to the environment if it does not set them", () => {
    const { values } = readConfig("sessions: {auto_resume: false, pass_env: [A, B]}\nlog: {level: debug}\n");
    const env = withFile({ TMPM_LOG_LEVEL: "warn", X: "1" }, values);
    expect(env).toEqual({ TMPM_LOG_LEVEL: "warn", X: "1", TMPM_AUTO_RESUME: "off", TMPM_PASS_ENV: "A,B" });
  });

  test("a client fails only on mistakes in its own settings", () => {
    expect(clientEnv({}, { path: "c", text: "sessions: {max: x}\nsocket: /run/x\n" })).toEqual({ TMPM_SOCKET: "/run/x" });
    expect(() => clientEnv({}, { path: "/c.yaml", text: "client:\n  url: nowhere\n" })).toThrow("/c.yaml:2:8: client.url is");
  });

  test("secrets are not shown", () => {
    expect(shownValue({ key: "client.token", value: "abc" })).toBe("(set)");
    expect(shownValue({ key: "notify.webhook.url", value: "https://hooks.example/s/abc" })).toBe("https://hooks.example/…");
  });
});

describe("editing", () => {
  const TEXT = "# mine\nlog:\n  level: info # quiet\n\n# limits\nsessions:\n  max: 4\n";

  test("changing one value keeps comments and order", () => {
    expect(editConfig(TEXT, { key: "log.level", change: { kind: "value", value: "debug" } })).toBe(TEXT.replace("info", "debug"));
    const added = editConfig(TEXT, { key: "notify.webhook.url", change: { kind: "value", value: "https://x.example/" } });
    expect(added).toBe(`${TEXT}notify:\n  webhook:\n    url: https://x.example/\n`);
  });

  test("removing the last value of a group removes the group", () => {
    expect(editConfig(TEXT, { key: "sessions.max", change: { kind: "absent" } })).toBe("# mine\nlog:\n  level: info # quiet\n");
    expect(editConfig(TEXT, { key: "sessions.queue_depth", change: { kind: "absent" } })).toBe(TEXT);
  });

  test("an empty file and one with comments only can be extended, and emptied again", () => {
    const one = { key: "log.level", change: { kind: "value", value: "warn" } } as const;
    expect(editConfig("", one)).toBe("log:\n  level: warn\n");
    const commented = editConfig("# mine\n", one);
    expect(commented).toContain("# mine");
    expect(readConfig(commented).values.get("log.level")).toBe("warn");
    const emptied = editConfig(commented, { key: "log.level", change: { kind: "absent" } });
    expect(emptied).toContain("# mine");
    expect(readConfig(emptied).values.size).toBe(0);
  });

  test("the template sets nothing, lists every setting, and yields the defaults if all its lines are used", () => {
    expect(readConfig(configTemplate()).values.size).toBe(0);
    const used = configTemplate()
      .replace(/^#(?! )/gm, "")
      .replace(/^#( +\w+:)/gm, "$1");
    const { mistakes, values } = readConfig(used.replace(/^profiles:[\s\S]*/m, ""));
    expect(mistakes).toEqual([]);
    for (const [key, value] of values) expect(value, key).toEqual(settingOf(key).fallback);
    expect(values.size).toBe(SETTING_KEYS.filter((key) => settingOf(key).fallback !== null).length);
  });
});

describe("the file", () => {
  test("is at the path in the variable, else in the configuration folder", () => {
    const at = (env: Record<string, string>) => configPath(env, () => "/home/me");
    expect(at({ TMPM_CONFIG: "/x/y.yaml" })).toBe("/x/y.yaml");
    expect(at({ XDG_CONFIG_HOME: "/c" })).toBe("/c/tmpm/config.yaml");
    expect(at({ XDG_CONFIG_HOME: "relative", HOME: "/h" })).toBe("/h/.config/tmpm/config.yaml");
    expect(at({})).toBe("/home/me/.config/tmpm/config.yaml");
  });

  test("is created for its user only, in new folders, and through a symbolic link", () => {
    const dir = folder();
    const path = join(dir, "a", "b", "config.yaml");
    expect(writeConfigFile(path, { text: "log: {level: warn}\n", before: null })).toBe(true);
    expect([statSync(path).mode & 0o777, readConfigFile(path)]).toEqual([0o600, "log: {level: warn}\n"]);
    const link = join(dir, "link.yaml");
    symlinkSync(path, link);
    writeConfigFile(link, { text: "x", before: "log: {level: warn}\n" });
    expect([lstatSync(link).isSymbolicLink(), readFileSync(path, "utf8")]).toEqual([true, "x"]);
  });

  test("does not overwrite another process's concurrent change", () => {
    const path = join(folder(), "config.yaml");
    writeFileSync(path, "theirs", { mode: 0o600 });
    expect([writeConfigFile(path, { text: "mine", before: "old" }), readFileSync(path, "utf8")]).toEqual([false, "theirs"]);
  });

  test("is not read if others can write it, and is null if missing", () => {
    const path = join(folder(), "config.yaml");
    expect(readConfigFile(path)).toBeNull();
    writeFileSync(path, "");
    chmodSync(path, 0o622);
    expect(() => readConfigFile(path)).toThrow("can be written by others");
  });
});

test("the published JSON Schema matches the settings", async () => {
  await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(SCHEMA);
});

test("the table in docs/config.md lists every setting with its variable, value and time of effect", async () => {
  const row = /^\| `[a-z_.]+` \| `TMPM_.*\n/gm;
  const page = readFileSync(DOC, "utf8");
  const declared = SETTING_KEYS.map((key) => {
    const { env, usual = "", counts, fallback, form, summary } = settingOf(key);
    const value = fallback === null ? usual : `\`${form.print(fallback)}\``;
    return `| \`${key}\` | \`${env}\` | ${value} | ${counts} | ${summary} |\n`;
  });
  let written = false;
  const rewritten = page.replace(row, () => {
    const table = written ? "" : declared.join("");
    written = true;
    return table;
  });
  await expect(rewritten).toMatchFileSnapshot(DOC);
});

test("the suggestion is close to the typed key", () => {
  const known = ["level", "max", "quiet_hours"];
  expect(["levle", "Max", "quite_hours", "nothing"].map((word) => didYouMean(word, known))).toEqual(["level", "max", "quiet_hours", null]);
});
