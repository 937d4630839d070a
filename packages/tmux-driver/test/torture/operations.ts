import { expect } from "vitest";
import { idOf, specOf } from "../../src/contract/sessions.js";
import type { TmuxHarness } from "../tmux-harness.js";
import { type JudgedPane, runs } from "./judge.js";
import { type MarkedPane, markedArgv } from "./marked-pane.js";
import { type Chance, pick } from "./seeded.js";

export const DEADLINES = { read: 1000, mutate: 1500 };
const GRACE_MS = 100;

export interface Scene {
  readonly harness: TmuxHarness;
  readonly round: string;
  readonly target: MarkedPane;
  readonly chance: Chance;
}

/** A call, when it has to end at the latest, and what has to be true once it has. */
export interface Call {
  readonly promise: Promise<unknown>;
  readonly deadlineMs: number;
  /** On a server that was never replaced, some time afterwards. */
  readonly done: (panes: readonly JudgedPane[]) => void;
  /** Failed without an effect, on a server that was never replaced. */
  readonly undone: (panes: readonly JudgedPane[]) => void;
}

const nothing = () => undefined;

/** The calls of one round. Several at once, so that the disturbance meets them at any point. */
export const OPERATIONS: Readonly<Record<string, (scene: Scene) => Call[]>> = {
  create({ harness, round }) {
    return [0, 1].map((index) => {
      const id = `c${round}-${index}`;
      const tagged = (panes: readonly JudgedPane[]) => panes.filter(({ tag }) => tag === idOf(harness, id)).length;
      return {
        promise: harness.driver.create(specOf(harness, { id, argv: markedArgv(harness, id) })),
        deadlineMs: DEADLINES.mutate,
        done: (panes) => expect(tagged(panes)).toBe(1),
        undone: (panes) => expect(tagged(panes)).toBe(0),
      };
    });
  },
  paste({ harness, target, chance }) {
    return Array.from({ length: 6 }, (_, index) => {
      const text = `<${index}:${"é".repeat(pick([1, 300, 40_000], chance))}>`;
      return {
        promise: harness.driver.paste(target.pane.identity, text),
        deadlineMs: DEADLINES.mutate,
        done: () => expect(target.received().includes(text), `text ${index} was pasted`).toBe(true),
        undone: () => expect(target.received().includes(`<${index}:`), `text ${index} was not pasted`).toBe(false),
      };
    });
  },
  capture({ harness, target }) {
    return Array.from({ length: 10 }, () => ({
      promise: harness.driver.capture(target.pane.identity, { history: 100 }).then(({ lines, pane }) => {
        expect(lines[0]).toContain(`mark-${target.id}`);
        expect(pane.identity).toEqual(target.pane.identity);
      }),
      deadlineMs: DEADLINES.read,
      done: nothing,
      undone: nothing,
    }));
  },
  kill({ harness, target }) {
    return [
      {
        promise: harness.driver.kill(target.pane.identity, { graceMs: GRACE_MS }).then(({ survivors }) => {
          expect(survivors).toEqual([]);
          expect(runs(target.pane.pid)).toBe(false);
        }),
        deadlineMs: DEADLINES.mutate + GRACE_MS,
        done: (panes) => expect(panes.map(({ pane_id }) => pane_id)).not.toContain(target.pane.identity.pane_id),
        undone: (panes) => expect(panes.map(({ pane_id }) => pane_id)).toContain(target.pane.identity.pane_id),
      },
    ];
  },
};
