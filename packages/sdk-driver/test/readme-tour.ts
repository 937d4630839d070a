import { setTimeout as sleep } from "node:timers/promises";
import { sdkHost } from "@tmpm/sdk-driver";

const [base = "", entry = "", program = "opencode", ...args] = process.argv.slice(2);
const host = sdkHost({ base, entry, env: process.env, home: null, version: "1" });

const { identity } = await host.create({
  ...{ sessionId: "3f1c", tmuxName: "demo", cwd: "/", argv: [program, ...args], columns: 100, rows: 30 },
  env: { PATH: process.env.PATH ?? "" },
  beginning: { conversationId: null, overrides: {} },
});
const until = async (state: string) => {
  for (;;) {
    const { reading, lines } = await host.capture(identity);
    if (reading.state === state) return { lines, request: reading.decision?.request ?? "" };
    await sleep(50);
  }
};

await until("idle");
const text = 'Is it green?\nagent: {"ask": ["make test"], "say": "All green."}'; // the second line instructs a scripted agent
console.log(await host.conversation.prompt(identity, { key: "1", text })); // { kind: "taken", evidence: ["session/prompt was sent to the agent in full", …] }
const { request } = await until("awaiting_approval");
console.log(await host.conversation.answer(identity, { request, answer: { kind: "approve" } })); // { label: "Allow once" }
const { lines } = await until("idle");
console.log(lines.at(-1)); // "All green."
console.log((await host.kill(identity, { graceMs: 2_000 })).survivors); // [] when the whole tree is proven gone
await host.close();
