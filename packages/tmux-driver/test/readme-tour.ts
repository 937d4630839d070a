import { tmuxDriver, waitForScreen } from "@tmpm/tmux-driver";

const dir = process.argv[2] ?? "/tmp/tour";
const driver = tmuxDriver({ socket: { path: `${dir}/tmux.sock` }, stateDir: dir, env: process.env });

// Run a program: argv, never a shell string.
const spec = { sessionId: "3f1c", tmuxName: "demo", cwd: "/tmp", env: { PS1: "ready> " }, columns: 80, rows: 24 };
const { identity } = await driver.create({ ...spec, argv: ["sh"] });

// Watch all sessions of the server, and read this one's output.
const events = driver.watch((event) => console.log("event:", event.type));
const output = await driver.output(identity, (event) => console.log("output:", event.type, event.offset));

// Wait for text, send, and capture.
const shows = (text: string) => ({ withinMs: 10_000, until: ({ lines }: { lines: readonly string[] }) => lines.includes(text) });
await waitForScreen(driver, identity, shows("ready>"));
await driver.paste(identity, "echo 'hello;'");
await driver.keys(identity, ["Enter"]);
await waitForScreen(driver, identity, shows("hello;"));

const list = await driver.list();
if (list.kind === "present") console.log(list.value.map(({ tmuxName, command, viewers }) => ({ tmuxName, command, viewers })));
console.log((await driver.capture(identity, { history: 100 })).lines.filter((line) => line !== ""));

console.log(await driver.kill(identity, { graceMs: 2000 }));
await output.done;
events.close();
await driver.close();
