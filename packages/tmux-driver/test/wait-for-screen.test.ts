import { expect, test } from "vitest";
import { fakeTmux } from "../src/fake/index.js";
import { type Screen, waitForScreen } from "../src/index.js";

const SPEC = { sessionId: "one", tmuxName: "one", cwd: "/", argv: ["sh"], env: {}, columns: 40, rows: 6 } as const;
const shows = (text: string) => ({ withinMs: 30_000, until: ({ lines }: Screen) => lines.includes(text) });

test("a wait ends when the pane shows the text, also when it already does", async () => {
  const tmux = fakeTmux();
  const { identity } = await tmux.driver.create(SPEC);
  const waiting = waitForScreen(tmux.driver, identity, shows("ready"));
  tmux.write("one", "\nrea");
  tmux.write("one", "dy\n");
  expect((await waiting).lines[1]).toBe("ready");
  expect((await waitForScreen(tmux.driver, identity, shows("ready"))).pane.identity).toEqual(identity);
});

test("a wait distinguishes a program that ends from a timeout", async () => {
  const tmux = fakeTmux();
  const { identity } = await tmux.driver.create(SPEC);
  await expect(waitForScreen(tmux.driver, identity, { ...shows("never"), withinMs: 20 })).rejects.toMatchObject({ code: "TIMEOUT" });
  const waiting = waitForScreen(tmux.driver, identity, shows("never"));
  tmux.exit("one", 1);
  await expect(waiting).rejects.toMatchObject({ code: "PANE_DEAD" });
  const [last, other] = [waitForScreen(tmux.driver, identity, shows("$")), await tmux.driver.find(identity)];
  expect((await last).pane.exit?.status).toBe(1);
  expect(other.kind).toBe("present");
});
