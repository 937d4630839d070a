import { StreamCommand, type StreamMessage } from "@tmpm/api";
import { isTmpmError, TmpmError, toErrorBody } from "@tmpm/core";
import type { TerminalStream } from "./terminal-stream.js";
import type { Viewer } from "./viewer.js";

/** Maximum number of a viewer's commands in progress; more are refused. */
const MOST_AT_ONCE = 64;

export interface ObeyOptions {
  readonly stream: TerminalStream;
  readonly viewer: Viewer;
  /** The owner of the command numbers: the same after a reconnect. */
  readonly client: string;
  /** Why this viewer may not write; null when it may. */
  readonly refusal: () => TmpmError | null;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** Executes and acknowledges a viewer's commands: each once, in order of arrival. */
export function obey({ stream, viewer, client, refusal, report }: ObeyOptions): (text: string) => void {
  let underWay = 0;

  async function perform(command: StreamCommand): Promise<StreamMessage> {
    const { id } = command;
    try {
      const refused = refusal();
      if (refused !== null) return ack(id, refused);
      if (command.type === "input") await stream.terminal.type(command);
      else if (command.type === "size") await stream.resize(viewer, command);
      else await stream.release(viewer);
      return { type: "ack", id, outcome: "done", error: null };
    } catch (error) {
      if (!isTmpmError(error)) report({ doing: "executing a viewer's command", error });
      return ack(id, isTmpmError(error) ? error : fault());
    }
  }

  return (text) => {
    const command = commandOf(text);
    if ("error" in command)
      return viewer.end({ type: "end", reason: "refused", seq: 0, screen: null, error: toErrorBody(command.error) }, 1008);
    const { id } = command;
    if (underWay >= MOST_AT_ONCE) return viewer.say(ack(id, new TmpmError("RESOURCE_EXHAUSTED", "too many commands are in progress")));
    underWay += 1;
    const answer = stream.commands.once({ client, id }, () => perform(command)) ?? Promise.resolve(forgotten(id));
    void answer.then((message) => {
      underWay -= 1;
      viewer.say(message);
    });
  };
}

function commandOf(text: string): StreamCommand | { readonly error: TmpmError } {
  const parsed = StreamCommand.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  return { error: new TmpmError("INVALID_ARGUMENT", "not a stream command", { hint: "See docs/streams.md." }) };
}

/** Null for invalid JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function ack(id: number, error: TmpmError): StreamMessage {
  return { type: "ack", id, outcome: error.effect === "none" ? "refused" : "unknown", error: toErrorBody(error) };
}

function fault(): TmpmError {
  return new TmpmError("INTERNAL", "the daemon failed to execute it", { effect: "unknown" });
}

function forgotten(id: number): StreamMessage {
  return ack(id, new TmpmError("INVALID_ARGUMENT", "a later command came first, so its outcome is no longer known", { effect: "unknown" }));
}
