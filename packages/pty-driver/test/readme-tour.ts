import { fileURLToPath } from "node:url";
import { ptyDriver } from "@tmpm/pty-driver";

// Programs that run in their own processes; without a build, pass their paths.
const [, , base = "/tmp/tour/h", holder, attacher] = process.argv;
const entry = holder ?? fileURLToPath(import.meta.resolve("@tmpm/pty-driver/holder"));
const attach = attacher ?? fileURLToPath(import.meta.resolve("@tmpm/pty-driver/attach"));
const driver = ptyDriver({ base, entry, attach, env: process.env });

// Run a program: argv, never a shell string.
const spec = { sessionId: "3f1c", tmuxName: "demo", cwd: "/tmp", env: { PS1: "ready> " }, columns: 80, rows: 24 };
const { identity } = await driver.create({ ...spec, argv: ["sh"] });

// Read all of its output, type, and capture.
const seen: string[] = [];
const output = await driver.output(identity, (event) => void seen.push(event.type));
const shows = async (line: string) => (await driver.capture(identity)).lines.includes(line);
while (!(await shows("ready>"))) await new Promise((resolve) => setTimeout(resolve, 20));
await driver.paste(identity, "echo 'hello;'");
await driver.keys(identity, ["Enter"]);
while (!(await shows("hello;"))) await new Promise((resolve) => setTimeout(resolve, 20));
console.log((await driver.capture(identity, { history: 100 })).lines.filter((line) => line !== ""));

// The session outlives this process; killing it ends the whole process tree, and proves it.
console.log(await driver.kill(identity, { graceMs: 2000 }));
await output.done;
console.log(seen[0], seen.at(-1));
await driver.close();
