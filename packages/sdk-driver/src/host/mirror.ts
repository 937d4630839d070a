import type { HolderLink } from "@tmpm/holder";
import { afterEvent } from "../conversation/after-event.js";
import type { NumberedEvent } from "../conversation/event.js";
import { type ConversationState, NO_CONVERSATION } from "../conversation/state.js";
import { type Followed, HolderEvent } from "../holder/calls.js";
import { callHolder } from "./call-holder.js";

/** The size of a conversation's screens, and its program. */
export type About = Pick<Followed, "columns" | "rows" | "command">;

/** The current conversation of one holder. */
export interface Mirror {
  state(): ConversationState;
  about(): About;
  /** What the holder reported. */
  hear(event: unknown): void;
  /** Resolves when the conversation is known completely. @throws the errors of `callHolder` */
  readonly ready: Promise<void>;
}

export interface MirrorOptions {
  readonly link: HolderLink;
  /** Called with every new event, and the state after it. */
  readonly happened: (numbered: NumberedEvent, state: ConversationState) => void;
  /** The conversation as it was found. */
  readonly found: (state: ConversationState) => void;
  /** Stops listening to it. */
  readonly lost: (error: unknown) => void;
}

export function mirror({ link, happened, found, lost }: MirrorOptions): Mirror {
  let state = NO_CONVERSATION;
  let about: About = { columns: 1, rows: 1, command: "" };
  let seq = 0;
  /** Events that arrived before the answer that they follow; null when no answer is pending. */
  let early: NumberedEvent[] | null = [];

  /** Known events are skipped. */
  function take(numbered: NumberedEvent): void {
    if (numbered.seq !== seq + 1) return;
    seq = numbered.seq;
    state = afterEvent(state, numbered);
    happened(numbered, state);
  }

  async function follow(onFollowed: (followed: Followed) => void): Promise<void> {
    early = [];
    const followed = await callHolder(link, { name: "follow", args: { since: seq } });
    about = followed;
    onFollowed(followed);
    const waiting = early ?? [];
    early = null;
    for (const numbered of waiting) take(numbered);
  }

  return {
    state: () => state,
    about: () => about,
    hear(event) {
      const parsed = HolderEvent.safeParse(event);
      // Not an event, but a message that only a holder of a later version sends.
      if (!parsed.success) return;
      const again = () => void follow(({ missed }) => catchUp(missed)).catch(lost);
      if ("behind" in parsed.data) return again();
      if (early !== null) early.push(parsed.data);
      else if (parsed.data.seq > seq + 1) again();
      else take(parsed.data);
    },
    ready: follow(({ missed }) => {
      begin(missed);
      found(state);
    }),
  };

  function begin(missed: Followed["missed"]): void {
    if (missed.kind === "whole") ({ seq, state } = missed);
    else for (const numbered of missed.events) ({ seq, state } = { seq: numbered.seq, state: afterEvent(state, numbered) });
  }

  function catchUp(missed: Followed["missed"]): void {
    if (missed.kind === "events") for (const numbered of missed.events) take(numbered);
    else {
      ({ seq, state } = missed);
      found(state);
    }
  }
}
