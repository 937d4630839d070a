import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LosslessNumber } from "lossless-json";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ForeignExport, readForeign, requireFree, writeForeign } from "../src/foreign/index.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

let folder: ScratchFolder;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.remove());

const at = (name: string) => join(folder.path, name);
const FILE: ForeignExport = { to: "trusty-mpm", document: { sessions: { a: { big: new LosslessNumber("9007199254740993") } } } };
const ODD = {
  text: 'yes\n"\u2028 \t: #',
  number: "12",
  big: 18446744073709551615n,
  none: null,
  nested: { list: [1, "0x1"] },
  "a key": true,
};
const FOLDER: ForeignExport = {
  to: "ao-rs",
  files: [
    { file: "sessions/p/a.yaml", document: ODD },
    { file: "sessions/p/.archive/b.yaml", document: { id: "b" } },
  ],
};

describe("export", () => {
  test("to trusty-mpm is a private file that reads back", async () => {
    await writeForeign(at("sessions.json"), FILE);
    expect(readFileSync(at("sessions.json"), "utf8")).toBe('{\n  "sessions": {\n    "a": {\n      "big": 9007199254740993\n    }\n  }\n}');
    expect(statSync(at("sessions.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(["sessions.json"]);
    expect(await readForeign({ from: "trusty-mpm", path: at("sessions.json") })).toMatchObject({ sessions: { readable: true } });
  });

  test("to ao-rs is a private folder, new or empty, that reads back value for value", async () => {
    mkdirSync(at("empty"));
    for (const name of ["new", "empty"]) {
      await writeForeign(at(name), FOLDER);
      const read = await readForeign({ from: "ao-rs", path: at(name) });
      expect(read).toMatchObject({
        sessions: [
          { id: "a", archived: false, document: ODD },
          { id: "b", archived: true, document: { id: "b" } },
        ],
      });
      expect(statSync(at(`${name}/sessions/p/a.yaml`)).mode & 0o777).toBe(0o600);
      expect(statSync(at(name)).mode & 0o777).toBe(0o700);
    }
    expect(readdirSync(folder.path).sort()).toEqual(["empty", "new"]);
    await writeForeign(at("none"), { to: "ao-rs", files: [] });
    expect(await readForeign({ from: "ao-rs", path: at("none") })).toMatchObject({ sessions: [] });
  });

  test.each([
    ["trusty-mpm", "file"],
    ["trusty-mpm", "folder"],
    ["trusty-mpm", "empty"],
    ["trusty-mpm", "link"],
    ["trusty-mpm", "dangling"],
    ["ao-rs", "file"],
    ["ao-rs", "folder"],
    ["ao-rs", "link"],
    ["ao-rs", "dangling"],
  ] as const)("to %s never replaces an existing target: %s", async (to, name) => {
    writeFileSync(at("file"), "mine");
    mkdirSync(at("folder"));
    writeFileSync(at("folder/x"), "mine");
    mkdirSync(at("empty"));
    symlinkSync(at("empty"), at("link"));
    symlinkSync(at("nowhere"), at("dangling"));
    const before = readdirSync(folder.path);
    await expect(writeForeign(at(name), to === "ao-rs" ? FOLDER : FILE)).rejects.toMatchObject({ code: "TARGET_EXISTS", effect: "none" });
    expect(() => requireFree(at(name), to)).toThrow(expect.objectContaining({ code: "TARGET_EXISTS" }));
    expect(readdirSync(folder.path)).toEqual(before);
    expect([readFileSync(at("file"), "utf8"), readdirSync(at("folder")), readdirSync(at("empty"))]).toEqual(["mine", ["x"], []]);
  });

  test("by two writers at once is complete from one of them", async () => {
    for (const sessions of [FILE, FOLDER]) {
      const results = await Promise.allSettled([1, 2].map(() => writeForeign(at(sessions.to), sessions)));
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "TARGET_EXISTS" } });
    }
  });

  test("to ao-rs quotes every text, so that no version of YAML reads another type", async () => {
    await writeForeign(at("new"), { to: "ao-rs", files: [{ file: "sessions/p/a.yaml", document: { a: "yes", b: "0o7", c: 7, d: null } }] });
    expect(readFileSync(at("new/sessions/p/a.yaml"), "utf8")).toBe('a: "yes"\nb: "0o7"\nc: 7\nd: null\n');
  });

  test("requires a parent folder, an absolute path, and files inside the target", async () => {
    for (const path of [at("no/sessions.json"), at("file/x")]) {
      writeFileSync(at("file"), "");
      await expect(writeForeign(path, FILE)).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
    }
    await expect(writeForeign("sessions.json", FILE)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(writeForeign(at("out"), { to: "ao-rs", files: [{ file: "../escaped.yaml", document: {} }] })).rejects.toThrow(
      /is outside/,
    );
    expect(readdirSync(folder.path)).toEqual(["file"]);
  });
});
