import type { QueueAnswer, TurnAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { command } from "../command.js";
import { partly } from "../input/partly.js";
import { promptText } from "../input/prompt-text.js";
import { usageError } from "../parse/usage-error.js";
import { answerOf, component, listOf, NO_NEXT, objectOf } from "../printed.js";
import { renderQueue, turnLine } from "../render/turn.js";
import { SESSION } from "./shared-arguments.js";

const ACTIONS = ["list", "add", "remove", "move", "clear"] as const;

type Done =
  | { readonly kind: "queue"; readonly queue: QueueAnswer }
  | { readonly kind: "added"; readonly name: string; readonly turn: TurnAnswer }
  | { readonly kind: "removed"; readonly name: string; readonly turns: readonly TurnAnswer[] };

const TAKEN_BY = {
  ...{ file: ["add"], key: ["add"] },
  ...{ front: ["move"], back: ["move"], position: ["move"], before: ["move"], after: ["move"] },
};

export const queue = command({
  name: "queue",
  group: "Send prompts and answers",
  summary: "List, add, move or remove queued prompts",
  more: [
    "Prompts are typed one after the other, each when the agent is ready. A queued prompt can be moved or removed until then.",
    "",
    "Examples:",
    "  tmpm queue demo",
    '  tmpm queue demo add "Run the tests"',
    "  tmpm queue demo add --file task.md",
    "  tmpm queue demo move 6d1f3c5a --front",
    "  tmpm queue demo remove 6d1f3c5a",
    "  tmpm queue demo clear",
  ].join("\n"),
  args: {
    session: SESSION,
    action: { takes: "optional", label: "ACTION", summary: "list (default), add, remove, move or clear", choices: ACTIONS },
    rest: {
      takes: "any",
      mayBeEmpty: true,
      label: "TEXT|TURN",
      summary: "add: the prompt, - for standard input; remove, move: turns, by id or key",
      completes: ([, action]) => (action === "remove" || action === "move" ? { kind: "waiting_turns" } : { kind: "anything" }),
    },
  },
  options: {
    file: { takes: "text", label: "F", summary: "add: the contents of a file, byte for byte" },
    key: { takes: "text", label: "K", summary: "add: idempotency key" },
    front: { takes: "flag", summary: "move: to the front" },
    back: { takes: "flag", summary: "move: to the back" },
    position: { takes: "count", label: "N", summary: "move: to position N" },
    before: { takes: "text", label: "TURN", summary: "move: before this one", completes: { kind: "waiting_turns" } },
    after: { takes: "text", label: "TURN", summary: "move: after this one", completes: { kind: "waiting_turns" } },
  },
  printed: { forms: [answerOf("queue"), answerOf("turn"), objectOf({ turns: listOf(component("TurnAnswer")), ...NO_NEXT })] },
  modes: [{ of: ({ action = "list" }) => action, takenBy: TAKEN_BY }],
  async run({ session, action = "list", rest, file, key, ...place }, context): Promise<Done> {
    if ((action === "list" || action === "clear") && rest.length > 0)
      throw usageError(
        `${action} does not accept a turn or a text`,
        action === "clear" ? "`tmpm queue SESSION remove TURN` removes one turn." : SEE,
      );
    const client = context.client();
    switch (action) {
      case "list":
        return { kind: "queue", queue: await client.queue({ session }) };
      case "add":
        return { kind: "added", name: session, turn: await add(client, { session, words: rest, file, key }) };
      case "remove":
        return { kind: "removed", name: session, turns: await remove(client, { session, turns: rest }) };
      case "move":
        return { kind: "queue", queue: await move(client, { session, turns: rest, place }) };
      case "clear":
        return { kind: "removed", name: session, turns: (await client.clearQueue({ session })).cleared };
    }
  },
  render(done, view) {
    if (done.kind === "queue") return renderQueue(done.queue, view);
    return (done.kind === "added" ? [done.turn] : done.turns).map((turn) => turnLine(done.name, turn, view)).join("\n");
  },
  json: (done) =>
    JSON.stringify(done.kind === "queue" ? done.queue : done.kind === "added" ? done.turn : { turns: done.turns, next: null }),
  notes: (done) => {
    const nothing = done.kind === "queue" ? done.queue.depth === 0 : done.kind === "removed" && done.turns.length === 0;
    return nothing ? ["the queue is empty"] : [];
  },
});

const SEE = "See `tmpm queue --help`.";

interface Added {
  readonly session: string;
  readonly words: readonly string[];
  readonly file: string | undefined;
  readonly key: string | undefined;
}

async function add(client: Client, { session, words, file, key }: Added): Promise<TurnAnswer> {
  const prompt = await promptText({ words, file });
  if (prompt === null) throw usageError("the prompt is missing", "Give it as TEXT, with --file, or as - for standard input.");
  return client.submit({ session, prompt, queue: true, idempotency_key: key });
}

interface Named {
  readonly session: string;
  readonly turns: readonly string[];
}

async function remove(client: Client, { session, turns }: Named): Promise<readonly TurnAnswer[]> {
  if (turns.length === 0) throw usageError("the turn to remove is missing", SEE);
  const removed: TurnAnswer[] = [];
  for (const turn of turns) {
    const done = removed.length === 0 ? null : `removed before: ${removed.map(({ id }) => id.slice(0, 8)).join(", ")}`;
    removed.push(await partly(client.cancelTurn({ session, turn, waiting: true }), done));
  }
  return removed;
}

interface Place {
  readonly front: boolean;
  readonly back: boolean;
  readonly position: number | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

async function move(client: Client, { session, turns, place }: Named & { readonly place: Place }): Promise<QueueAnswer> {
  const [turn, ...more] = turns;
  if (turn === undefined || more.length > 0) throw usageError("move takes one turn", SEE);
  const { front, back, position, before, after } = place;
  const wishes = [front || undefined, back || undefined, position, before, after].filter((wish) => wish !== undefined);
  if (wishes.length !== 1)
    throw usageError("exactly one position is needed", "Give one of --front, --back, --position, --before, --after.");
  const to = front ? "front" : back ? "back" : undefined;
  return client.moveTurn({ session, turn, to, position, before, after });
}
