import { expect } from "vitest";
import { idOf, specOf } from "../../src/contract/sessions.js";
import type { TmuxFixture } from "../tmux-fixture.js";
import { type JudgedPane, runs } from "./judge.js";
import { type MarkedPane, markedArgv } from "./marked-pane.js";
import { type Chance, pick, SCALE } from "./seeded.js";

/** A sample runs beside other tests, on a machine on which milliseconds may become seconds. */
export const DEADLINES = SCALE < 10 ? { read: 4000, mutate: 5000 } : { read: 1000, mutate: 1500 };
const GRACE_MS = 100;

export interface Scene {
  readonly fixture: TmuxFixture;
  readonly round: string;
  readonly target: MarkedPane;
  readonly chance: Chance;
}

/** A call, its deadline, and its postcondition. */
export interface Call {
  readonly promise: Promise<unknown>;
  readonly name: string;
  /** Whether it had its effect, as observed from outside; for a server that was never replaced. */
  readonly done: (panes: readonly JudgedPane[]) => boolean;
  /** Whether it had no effect. */
  readonly undone: (panes: readonly JudgedPane[]) => boolean;
}

const either = () => true;

/** The calls of one round. Several at once, so that the disturbance hits them at any point. */
export const OPERATIONS: Readonly<Record<string, (scene: Scene) => Call[]>> = {
  create({ fixture, round }) {
    return [0, 1].map((index) => {
      const id = `c${round}-${index}`;
      const tagged = (panes: readonly JudgedPane[]) => panes.filter(({ tag }) => tag === idOf(fixture, id)).length;
      return {
        name: `create ${id}`,
        promise: fixture.driver.create(specOf(fixture, { id, argv: markedArgv(fixture, id) })),
        done: (panes) => tagged(panes) === 1,
        undone: (panes) => tagged(panes) === 0,
      };
    });
  },
  paste({ fixture, target, chance }) {
    return Array.from({ length: 6 }, (_, index) => {
      const text = `<${index}:${"é".repeat(pick([1, 300, 40_000], chance))}>`;
      return {
        name: `paste ${index} of ${text.length}`,
        promise: fixture.driver.paste(target.pane.identity, text),
        done: () => target.received().includes(text),
        undone: () => !target.received().includes(`<${index}:`),
      };
    });
  },
  capture({ fixture, target }) {
    return Array.from({ length: 10 }, () => ({
      name: "capture",
      promise: fixture.driver.capture(target.pane.identity, { history: 100 }).then(({ lines, pane }) => {
        expect(lines[0]).toContain(`mark-${target.id}`);
        expect(pane.identity).toEqual(target.pane.identity);
      }),
      done: either,
      undone: either,
    }));
  },
  kill({ fixture, target }) {
    const lists = (panes: readonly JudgedPane[]) => panes.some(({ pane_id }) => pane_id === target.pane.identity.pane_id);
    return [
      {
        name: "kill",
        promise: fixture.driver.kill(target.pane.identity, { graceMs: GRACE_MS }).then(({ survivors }) => {
          expect(survivors).toEqual([]);
          expect(runs(target.pane.pid)).toBe(false);
        }),
        done: (panes) => !lists(panes),
        undone: lists,
      },
    ];
  },
};
