import { mkdir, readFile, rename, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { describe, test } from "vitest";
import { sessionStoreContract } from "../src/contract/index.js";
import { sampleRecord } from "../src/contract/sample-record.js";
import { directoryStore, singleFileStore } from "../src/index.js";
import { memoryStore } from "../src/memory.js";
import { scratchFolder } from "./scratch-folder.js";

describe("memory store", () => {
  sessionStoreContract({
    test,
    supports: ["plant", "obstruct", "another"],
    async open() {
      const store = memoryStore();
      return {
        store,
        another: store.another,
        async plant(kind, place) {
          const reason = "planted";
          store.put(kind === "damaged" ? { kind, ...place, reason, path: "/planted" } : { kind, ...place, reason, document: {} });
        },
        async obstruct() {
          store.degrade(new TmpmError("STORE_DEGRADED", "obstructed"));
          return async () => store.degrade(null);
        },
        dispose: () => store.close(),
      };
    },
  });
});

describe("directory store", () => {
  sessionStoreContract({
    test,
    supports: ["plant", "obstruct", "another"],
    async open() {
      const folder = scratchFolder();
      const base = join(folder.path, "sessions");
      const stores = [directoryStore({ base })];
      const [store = directoryStore({ base })] = stores;
      return {
        store,
        another() {
          const other = directoryStore({ base });
          stores.push(other);
          return other;
        },
        async plant(kind, { id, project_id }) {
          const document = JSON.stringify({ ...sampleRecord(1), id, project_id, state: "hibernating" });
          await writeFile(join(base, project_id, `${id}.json`), kind === "damaged" ? "{ not json ]" : document);
        },
        async obstruct() {
          await rename(base, `${base}-aside`);
          await writeFile(base, "");
          return async () => {
            await rename(base, `${base}-file`);
            await rename(`${base}-aside`, base);
          };
        },
        async dispose() {
          for (const each of stores) await each.close();
          folder.remove();
        },
      };
    },
  });
});

describe("single-file store", () => {
  sessionStoreContract({
    test,
    supports: ["plant", "obstruct", "another"],
    async open() {
      const folder = scratchFolder();
      const path = join(folder.path, "manager", "sessions.json");
      const stores = [singleFileStore({ path })];
      const [store = singleFileStore({ path })] = stores;
      return {
        store,
        another() {
          const other = singleFileStore({ path });
          stores.push(other);
          return other;
        },
        async plant(kind, { id, project_id }) {
          const file = JSON.parse(await readFile(path, "utf8"));
          const { tmux_name, cwd, created_at } = sampleRecord(1);
          const record = { id, tmux_name, cwd, task: "", state: "hibernating", created_at, tmpm: { project_id } };
          file.sessions[id] = kind === "damaged" ? { ...record, id: 1 } : record;
          await writeFile(path, JSON.stringify(file, null, 2));
        },
        async obstruct() {
          await rename(path, `${path}-aside`);
          await mkdir(path);
          return async () => {
            await rmdir(path);
            await rename(`${path}-aside`, path);
          };
        },
        async dispose() {
          for (const each of stores) await each.close();
          folder.remove();
        },
      };
    },
  });
});
