import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { describe, test } from "vitest";
import { sessionStoreContract } from "../src/contract/index.js";
import { sampleRecord } from "../src/contract/sample-record.js";
import { directoryStore } from "../src/index.js";
import { memoryStore } from "../src/memory.js";
import { scratchFolder } from "./scratch-folder.js";

describe("the memory store", () => {
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

describe("the directory store", () => {
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
