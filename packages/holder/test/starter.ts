// Starts a holder, and is killed meanwhile.
import { startHolder } from "../src/index.js";

const [, , base = "", entry = ""] = process.argv;
await startHolder({ base, sessionId: "one", name: "one", entry, launch: { argv: ["/bin/cat"], env: {} }, env: process.env });
await new Promise(() => setInterval(() => undefined, 1000));
