import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { eventJournalContract } from "../src/contract/index.js";
import type { OutsideChange } from "../src/contract/journal-fixture.js";
import { eventJournal } from "../src/events/event-journal.js";
import { memoryJournal } from "../src/memory.js";
import { scratchFolder } from "./scratch-folder.js";

describe("memory journal", () => {
  eventJournalContract({
    test,
    supports: ["reopen"],
    async open(limits) {
      let journal = memoryJournal(limits);
      return {
        journal,
        async reopen(tampering) {
          await journal.close();
          journal = journal.another();
          if (tampering !== undefined && "damage" in tampering) journal.put({ kind: "damaged", seq: tampering.damage, reason: "tampered" });
          if (tampering !== undefined && "add" in tampering) {
            journal.put({ kind: "unknown", seq: Number(tampering.add.seq), event: tampering.add });
          }
          return journal;
        },
        dispose: () => journal.close(),
      };
    },
  });
});

describe("event journal", () => {
  eventJournalContract({
    test,
    supports: ["reopen"],
    async open(limits) {
      const folder = scratchFolder();
      const dir = join(folder.path, "data", "events");
      let journal = eventJournal({ dir, ...limits });
      return {
        journal,
        async reopen(tampering) {
          await journal.close();
          if (tampering !== undefined) tamper(dir, tampering);
          journal = eventJournal({ dir, ...limits });
          return journal;
        },
        async dispose() {
          await journal.close();
          folder.remove();
        },
      };
    },
  });
});

function tamper(dir: string, tampering: OutsideChange): void {
  const [name = ""] = readdirSync(dir).filter((each) => each.endsWith(".jsonl"));
  const path = join(dir, name);
  if ("add" in tampering) appendFileSync(path, `${JSON.stringify(tampering.add)}\n`);
  else writeFileSync(path, readFileSync(path, "utf8").replace(`{"seq":${tampering.damage},`, `{"seq":${tampering.damage},\u0000`));
}
