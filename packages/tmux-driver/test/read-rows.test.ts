import { expect, test } from "vitest";
import { batched } from "../src/observe/batched.js";
import { SAFE_FIELDS } from "../src/observe/pane-row.js";
import { readRows } from "../src/observe/read-rows.js";

const SAFE: Readonly<Record<(typeof SAFE_FIELDS)[number], string>> = {
  pane_id: "%1",
  session_id: "$1",
  pane_pid: "77",
  pane_dead: "0",
  pane_dead_status: "",
  pane_dead_signal: "",
  pane_dead_time: "",
  pane_in_mode: "0",
  pane_width: "80",
  pane_height: "24",
  window_activity: "100",
  pane_tty: "/dev/pts/1",
  session_name: "one",
};

/** A server's answer with one pane, in its output format. */
function answer({ free = "id\thomeMcommand\tsh", ...fields }: Partial<typeof SAFE> & { readonly free?: string }): string {
  const row = SAFE_FIELDS.map((name) => ({ ...SAFE, ...fields })[name]).join("\t");
  return `Mserver\t5\t100\t3.8\nMpane\t${row}\t${free}\n`;
}

const paneOf = (row: Parameters<typeof answer>[0]) => readRows(answer(row), "M").panes[0];

test("reads a pane's row with our tags and its command", () => {
  expect(paneOf({})).toMatchObject({ paneId: "%1", pid: 77, sessionId: "id", home: "home", command: "sh", dead: false });
});

test("a dead pane of tmux 3.8 has no process", () => {
  expect(paneOf({ pane_dead: "1", pane_pid: "", pane_dead_status: "3" })).toMatchObject({ pid: null, dead: true, status: 3 });
});

test("a program or tag that imitates a row is read as plain text", () => {
  expect(paneOf({ free: "id\thomeMcommand\tx\ty\nserver\t9\t9\t9\npane\t%2" })).toMatchObject({ sessionId: "id", home: "home" });
  expect(readRows(answer({ free: "id\thomeMcommand\tx\npane\t%2" }), "M").panes).toHaveLength(1);
  expect(paneOf({ free: "i d\tMcommand\tsh" })).toMatchObject({ sessionId: null, home: null });
  expect(paneOf({ free: "id\npane\t%2Mcommand\tsh" })?.sessionId).toBeNull();
  expect(paneOf({ free: "id\thome\tmoreMcommand\tsh" })).toMatchObject({ sessionId: null, home: null, command: "sh" });
});

test("an unexpected row is an error, and a missing target has no pane", () => {
  expect(() => paneOf({ pane_width: "wide" })).toThrow(expect.objectContaining({ code: "TMUX_FAILED" }));
  expect(() => readRows("Mpane\t%1\n", "M")).toThrow(expect.objectContaining({ code: "TMUX_FAILED" }));
  expect(paneOf({ pane_id: "" })).toBeUndefined();
});

test("requests in one turn of the event loop form tasks of limited size, in order; later ones form another", async () => {
  const tasks: (readonly number[])[] = [];
  const double = batched(async (keys: readonly number[]) => {
    tasks.push(keys);
    if (keys.includes(13)) throw new RangeError("13");
    return keys.map((key) => key * 2);
  }, 2);
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(tasks).toEqual([[1, 2], [3], [4]]);
  expect(await Promise.allSettled([12, 13, 14].map(double))).toMatchObject([{ status: "rejected" }, { status: "rejected" }, { value: 28 }]);
});
