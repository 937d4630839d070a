import type { HookReading, Decision as Shown, Transcript } from "@tmpm/agents";
import { type PaneInfo, TmpmError } from "@tmpm/core";
import type { Answering, ConversationUpdate, HostCreateSpec, HostScreen, Prompt, SessionHost } from "@tmpm/host";

/** A protocol agent in memory: it works on a prompt until the test finishes it. */
export interface ScriptedProtocol {
  readonly host: SessionHost;
  readonly prompts: readonly Prompt[];
  readonly answers: readonly Answering[];
  readonly cancelled: () => number;
  readonly begun: readonly HostCreateSpec["beginning"][];
  /** Its turn is over. */
  done(): void;
  ask(decision: Shown): void;
  /** Prompts are sent, and no answer comes. */
  fallSilent(): void;
}

const PLACE = "/fake/holders";
const NO_TERMINAL = { why: "a protocol agent has no terminal", instead: "`tmpm send` speaks to it." };

export function scriptedProtocol(now: () => number): ScriptedProtocol {
  const panes = new Map<string, PaneInfo>();
  const prompts: Prompt[] = [];
  const answers: Answering[] = [];
  const begun: HostCreateSpec["beginning"][] = [];
  const listeners = new Set<(update: ConversationUpdate) => void>();
  let cancelled = 0;
  let working = false;
  let silent = false;
  let asks: Shown | null = null;
  let transcript: Transcript = { prompt: null, message: null, reply: null, model: null, tokens: 0, contextLimit: 0, prompts: 0 };

  const paneAt = ({ socket }: { readonly socket: string }) => {
    const pane = panes.get(socket);
    if (pane === undefined) throw new TmpmError("PANE_GONE", "no such conversation");
    return pane;
  };
  const report = (change: Partial<HookReading> & Pick<HookReading, "event" | "state">) => {
    const reading = {
      conversationId: "talk-1",
      binds: true,
      prompted: false,
      evidence: change.event,
      tool: null,
      decision: null,
      ...change,
    };
    for (const { identity, sessionId } of panes.values())
      for (const listener of listeners)
        listener({ pane: identity, sessionId: sessionId ?? "", atMs: now(), reading: { subagent: null, tokens: null, ...reading } });
  };
  const screenOf = (pane: PaneInfo): HostScreen => ({
    lines: prompts.map(({ text }) => `> ${text}`),
    cursor: { column: 0, row: 0, visible: false },
    historySize: 0,
    title: "",
    pane,
    reading: {
      state: asks !== null ? "awaiting_approval" : working ? "working" : "idle",
      source: "protocol",
      confidence: 1,
      evidence: ["the protocol says so"],
      hint: null,
      draft: working || asks !== null ? null : "",
      decision: asks,
    },
  });
  const end = () => {
    working = false;
    asks = null;
    report({ event: "turn ended", state: "idle" });
  };
  return {
    prompts,
    answers,
    begun,
    cancelled: () => cancelled,
    done() {
      transcript = { ...transcript, message: "done", reply: "done" };
      end();
    },
    ask(decision) {
      asks = decision;
      report({ event: "asked", state: "awaiting_approval", decision });
    },
    fallSilent() {
      silent = true;
    },
    host: {
      control: "Sdk",
      place: PLACE,
      cannot: {
        adopt: NO_TERMINAL,
        attach: NO_TERMINAL,
        keys: NO_TERMINAL,
        type: NO_TERMINAL,
        stream: NO_TERMINAL,
        replay: NO_TERMINAL,
        resize: NO_TERMINAL,
      },
      holds: (socket) => socket.startsWith(`${PLACE}/`),
      available: async () => ({ kind: "available", detail: "always" }),
      list: async () => ({ kind: "present", value: [...panes.values()] }),
      listAgain: async () => ({ kind: "present", value: [...panes.values()] }),
      find: async ({ socket }) => {
        const value = panes.get(socket);
        return value === undefined ? { kind: "absent", reason: "no such conversation" } : { kind: "present", value };
      },
      async create({ sessionId, tmuxName, beginning }) {
        begun.push(beginning);
        const socket = `${PLACE}/${sessionId}/${begun.length}`;
        const identity = { socket, server_pid: 100 + begun.length, server_start: 1, pane_id: "%0" };
        const pane: PaneInfo = {
          ...{ identity, tmuxName, sessionId, home: "fixture", pid: 1_000, exit: null, inMode: false, viewers: 0, columns: 80, rows: 24 },
          ...{ activeAt: Math.floor(now() / 1000), foreground: true, command: "agent" },
        };
        panes.set(socket, pane);
        return pane;
      },
      async kill({ socket }) {
        panes.delete(socket);
        return { survivors: [], exit: null, lastLines: ["last words"] };
      },
      capture: async (identity) => screenOf(paneAt(identity)),
      captureMany: async (identities) => identities.map((identity) => ({ kind: "present", value: screenOf(paneAt(identity)) })),
      directories: async (identities) => identities.map(() => "/w"),
      watch(listener) {
        listener({ type: "look" });
        return { close: () => undefined };
      },
      close: async () => undefined,
      conversation: {
        async prompt(identity, prompt) {
          paneAt(identity);
          prompts.push(prompt);
          if (silent) throw new TmpmError("UNRESPONSIVE", "the agent does not answer", { effect: "unknown" });
          if (prompt.text === "nonsense") return { kind: "refused", reason: "it takes no nonsense" };
          working = true;
          transcript = { ...transcript, prompt: prompt.text, reply: null, prompts: transcript.prompts + 1 };
          report({ event: "turn began", state: "working", prompted: true });
          return { kind: "taken", evidence: ["session/prompt was accepted"] };
        },
        prompted: async (_, key) =>
          prompts.some((prompt) => prompt.key === key) ? { kind: "taken", evidence: ["it had been taken"] } : null,
        async cancel() {
          cancelled += 1;
          end();
        },
        async answer(_, answering) {
          if (answering.request !== asks?.request) throw new TmpmError("DECISION_GONE", "it is not asked any more");
          answers.push(answering);
          asks = null;
          return { label: "Allow" };
        },
        set: async (_, { field, value }) =>
          value === "none" ? { kind: "refused", message: `it knows no ${field} ${value}` } : { kind: "applied" },
        transcript: async () => transcript,
        updates(listener) {
          listeners.add(listener);
          return { close: () => void listeners.delete(listener) };
        },
      },
    },
  };
}
