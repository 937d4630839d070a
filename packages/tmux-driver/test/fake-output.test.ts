import { expect, test } from "vitest";
import { fakeTmux } from "../src/fake/index.js";
import type { OutputEvent, ServerEvent } from "../src/index.js";

const SPEC = { cwd: "/", env: {}, columns: 40, rows: 6 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function open() {
  const tmux = fakeTmux();
  const pane = await tmux.driver.create({ ...SPEC, sessionId: "one", tmuxName: "one", argv: ["sh"] });
  return { tmux, pane };
}

const brief = (event: OutputEvent) =>
  event.type === "chunk"
    ? Buffer.from(event.bytes).toString()
    : event.type === "closed"
      ? "closed"
      : `${event.type}: ${event.screen.lines[0]}`;

test("the fake emits output in virtual time, with a terminal's line ends and requested gaps", async () => {
  const { tmux, pane } = await open();
  const received: string[] = [];
  const output = await tmux.driver.output(pane.identity, (event) => void received.push(brief(event)));
  await tmux.driver.paste(pane.identity, "sleep 5; echo done");
  await tmux.driver.keys(pane.identity, ["Enter"]);
  await turn();
  expect(received).toEqual(["screen: $", "sleep 5; echo done\r\n"]);
  tmux.advance(5000);
  await turn();
  tmux.loseOutput("one");
  await turn();
  tmux.exit("one", 2);
  await output.done;
  expect(received.slice(2)).toEqual(["done\r\n$ ", "gap: $ sleep 5; echo done", "exited: $ sleep 5; echo done"]);
});

test("the fake sends a slow listener a screen after 1 MiB", async () => {
  const { tmux, pane } = await open();
  const received: OutputEvent[] = [];
  let go = () => {};
  const output = await tmux.driver.output(pane.identity, (event) => {
    received.push(event);
    return event.type === "screen" ? new Promise((resolve) => (go = resolve)) : undefined;
  });
  await turn();
  for (let line = 0; line < 300; line++) tmux.write("one", `${"x".repeat(4096)}\n`);
  go();
  await turn();
  output.close();
  expect(received.map(({ type, offset }) => [type, offset])).toEqual([
    ["screen", 0],
    ["gap", 300 * 4098],
  ]);
});

test("the fake reports names, viewers and titles", async () => {
  const { tmux } = await open();
  const received: ServerEvent[] = [];
  tmux.driver.watch((event) => received.push(event));
  tmux.rename("one", "a.b");
  const leave = tmux.attachViewer("one");
  leave();
  leave();
  tmux.setTitle("one", "busy");
  await turn();
  expect(received).toMatchObject([
    { type: "look" },
    { type: "renamed", sessionId: "one", tmuxName: "a_b" },
    { type: "viewers", viewers: 1 },
    { type: "viewers", viewers: 0 },
    { type: "active" },
  ]);
});

test("the fake fails output and screens on request", async () => {
  const { tmux, pane } = await open();
  tmux.failNext("output", "hang");
  const output = tmux.driver.output(pane.identity, () => undefined);
  await turn();
  tmux.advance(3000);
  await expect(output).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "none" });
  tmux.failNext("captureMany", "unknown");
  expect(await tmux.driver.captureMany([pane.identity])).toMatchObject([{ kind: "unknown" }]);
});
