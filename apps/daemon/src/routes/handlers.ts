import type { Duplex } from "node:stream";
import type { HealthAnswer, Output, Parsed, ReadyAnswer, RouteName } from "@tmpm/api";
import type { Supervisor } from "@tmpm/supervisor";
import { agentAnswer } from "../answers/agent-answer.js";
import { countsAnswer, keptSend, screenAnswer, sessionAnswer } from "../answers/answer.js";
import { alsoDiscovered, discoveryAnswer, reconcileAnswer } from "../answers/discovery-answer.js";
import type { KnownProfiles } from "../answers/profile-answer.js";
import { projectAnswer, scopeAnswer, trustAnswer } from "../answers/project-answer.js";
import { placeOf, queueAnswer, turnAnswer, turnList } from "../answers/turn-answer.js";
import { whyAnswer } from "../answers/why-answer.js";
import type { Doctor } from "../doctor/doctor.js";
import type { Loopback } from "../doctor/loopback.js";
import type { Events } from "../events/events.js";
import type { Fleet } from "../fleet/fleet.js";
import { clientOf } from "../guard/caller.js";
import type { Admitted } from "../guard/guard.js";
import type { Notices } from "../notify/notices.js";
import { type Written, written } from "../requests/answer.js";
import type { BackgroundOperations } from "../requests/background-operations.js";
import { agentList, operationList, profileList, projectList, sendList, sessionList, sessionListJson } from "../requests/lists.js";
import { sessionEtag, sessionJson } from "../requests/session-json.js";
import { description } from "../server/documentation.js";
import type { TerminalStreams } from "../streams/terminal-streams.js";
import type { Prices } from "../usage/prices.js";
import { usageAnswer } from "../usage/usage-answer.js";
import type { WebDoor } from "../web/web-door.js";
import type { Access } from "./access.js";
import { exportTo, importFrom } from "./foreign.js";
import { messageHandlers } from "./message-handlers.js";
import { reviewHandlers } from "./review-handlers.js";

export type Handlers = {
  readonly [R in RouteName]: (input: Parsed<R>, request: HandlerRequest) => Promise<R extends "list" | "show" ? Written : Output<R>>;
};

export interface HandlerRequest {
  readonly signal: AbortSignal;
  /** Whether the whole response has left this process; resolves once it has, or its connection is closed. */
  readonly received: () => Promise<boolean>;
  /** The id for created resources: the same for a repeated request. */
  readonly id: string;
  /** The bearer token that came with the request; null without one. */
  readonly token: string | null;
  readonly admitted: Admitted;
  /** The session acting with its own token; null for all other callers. */
  readonly actor: string | null;
  readonly connection: Duplex;
  /** The uploaded file, on routes that take one; null on all others. */
  readonly file: IncomingFile | null;
  /** Adds a response header. */
  readonly header: (name: string, value: string) => void;
}

export interface IncomingFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** As declared. */
  readonly size: number | undefined;
}

export interface HandlerParts {
  readonly supervisor: Supervisor;
  readonly events: Events;
  readonly health: () => HealthAnswer;
  readonly ready: () => Promise<ReadyAnswer>;
  readonly doctor: Doctor;
  /** Accepts the doctor's own reports. */
  readonly loopback?: Pick<Loopback, "take">;
  readonly terminals: Pick<TerminalStreams, "about" | "latestSeqs">;
  readonly access: Access;
  readonly web: WebDoor["routes"];
  readonly nodes: Pick<Fleet, "routes" | "list">;
  readonly notices: Pick<Notices, "answer" | "test">;
  readonly operations: Pick<BackgroundOperations, "list" | "wait">;
  readonly prices: () => Prices;
  readonly profiles: () => KnownProfiles;
  readonly shutdown: () => void;
}

/** One line per route: the contract's name, the operation, the response. */
export function handlers({
  supervisor,
  events,
  health,
  ready,
  doctor,
  loopback,
  terminals,
  access,
  web,
  nodes,
  notices,
  operations,
  prices,
  profiles,
  shutdown,
}: HandlerParts): Handlers {
  return {
    health: async () => health(),
    ready: async () => ready(),
    doctor: async () => ({ checks: [...(await doctor())] }),
    shutdown: async () => {
      shutdown();
      return { stopping: true };
    },
    openapi: async () => description(health().version),
    ...access,
    ...reviewHandlers(supervisor),
    ...messageHandlers(supervisor),
    ...web,
    ...nodes.routes,
    fleet: async (input, { actor }) =>
      nodes.list(input, async ({ node: _, within_ms: __, ...query } = input) =>
        sessionList(await supervisor.list({ ...query, actor }), query),
      ),
    events: events.page,
    import: async (input) => importFrom(supervisor, input),
    export: async (input) => exportTo(supervisor, input),
    operations: async (input) => operationList(await operations.list(), input),
    operation: async ({ operation, wait_ms = 0 }, { signal }) => operations.wait(operation, { ms: wait_ms, signal }),
    agents: async (input) => agentList(await supervisor.agents(), input),
    agent: async (input) => agentAnswer(await supervisor.agent(input)),
    profiles: async (input) => profileList(profiles(), input),
    projects: async (input) => projectList(await supervisor.projects(), input),
    addProject: async (input) => projectAnswer(await supervisor.addProject(input)),
    setProject: async (input) => projectAnswer(await supervisor.setProject(input)),
    removeProject: async (input) => projectAnswer(await supervisor.removeProject(input)),
    trust: async (input) => trustAnswer(await supervisor.trust(input)),
    scope: async (input) => scopeAnswer(await supervisor.scope(input)),
    discover: async (input) => discoveryAnswer(await supervisor.discover(input)),
    adopt: async (input) => sessionAnswer(await supervisor.adopt(input)),
    reconcile: async (input) => reconcileAnswer(await supervisor.reconcile(input)),
    list: async (input, { actor }) => {
      const listing = await supervisor.list({ ...input, actor });
      const more = input.discovered && actor === null ? alsoDiscovered(await supervisor.discover({})) : {};
      return sessionListJson(listing, { wanted: input, more });
    },
    create: async (input, { id, actor }) => {
      const { session, receipt, turn_id, evicted, notes } = await supervisor.create({ ...input, id, actor });
      const stoppedFor = input.evict_siblings === true ? { evicted: evicted.map(({ id: other, name }) => ({ id: other, name })) } : {};
      return { ...sessionAnswer(session), receipt, turn_id, ...stoppedFor, ...(notes.length === 0 ? {} : { notes: [...notes] }) };
    },
    show: async (input) => {
      const facts = await supervisor.show(input);
      return written(sessionJson(facts), sessionEtag(facts));
    },
    send: async (input, { signal, actor }) => {
      const { receipt, session } = await supervisor.send({ ...input, signal, actor });
      return { receipt, session: sessionAnswer(session) };
    },
    sends: async (input) => sendList(await supervisor.sends(input), input),
    receipt: async (input) => keptSend(await supervisor.receipt(input)),
    cancelSend: async (input) => keptSend(await supervisor.cancelSend(input)),
    submit: async (input, { actor }) => turnAnswer(await supervisor.submit({ ...input, actor })),
    turns: async (input) => turnList(await supervisor.turns(input), input),
    turn: async (input, { signal }) => turnAnswer(await supervisor.turn({ ...input, signal })),
    cancel: async (input) => turnAnswer(await supervisor.cancel(input)),
    cancelTurn: async (input) => turnAnswer(await supervisor.cancel(input)),
    queue: async (input) => queueAnswer(await supervisor.queue(input)),
    moveTurn: async ({ session, turn, ...place }) => queueAnswer(await supervisor.moveTurn({ session, turn, place: placeOf(place) })),
    clearQueue: async (input) => ({ cleared: (await supervisor.clearQueue(input)).map(turnAnswer) }),
    keys: async (input) => sessionAnswer(await supervisor.keys(input)),
    capture: async (input) => {
      const latestSeqs = terminals.latestSeqs();
      return screenAnswer(await supervisor.capture(input), latestSeqs);
    },
    stream: async ({ session }) => terminals.about(session),
    wait: async (input, { signal }) => sessionAnswer(await supervisor.wait({ ...input, signal })),
    waitMany: async (input, { signal }) => ({
      sessions: (await events.waitFrom(supervisor.waitMany, { ...input, signal })).map(sessionAnswer),
    }),
    why: async (input) => whyAnswer(await supervisor.why(input)),
    next: async (input) => {
      const { session } = await supervisor.next(input);
      return { session: session === null ? null : sessionAnswer(session) };
    },
    answer: async (input) => {
      const { session, evidence, ...answered } = await supervisor.answer(input);
      return { ...answered, session: sessionAnswer(session), evidence: [...evidence] };
    },
    hook: async ({ session, payload, at_ms }, { token }) =>
      loopback?.take({ session, token }) ?? supervisor.hook({ session, payload, at_ms, token }),
    attach: async (input) => {
      const { argv, nested, within, session } = await supervisor.attach(input);
      const inside = within === null ? null : { socket: within.socket, argv: [...within.argv] };
      return { argv: [...argv], nested, within: inside, session: sessionAnswer(session) };
    },
    stop: async (input) => stopped(await supervisor.stop(input)),
    remove: async (input) => {
      const { workspace, ...ended } = await supervisor.remove(input);
      return { ...stopped(ended), workspace_end: workspace };
    },
    undo: async (input, { admitted }) => {
      const { session, notes } = await supervisor.undo({ ...input, client: clientOf(admitted.caller) });
      return { ...sessionAnswer(session), notes: [...notes] };
    },
    resume: async (input) => sessionAnswer(await supervisor.resume(input)),
    restart: async (input) => leftAlone(await supervisor.restart(input)),
    pause: async (input) => {
      const { session, interrupt } = await supervisor.pause(input);
      return { ...sessionAnswer(session), interrupt: interrupt === null ? null : seen(interrupt) };
    },
    interrupt: async (input) => {
      const { session, ...interrupted } = await supervisor.interrupt(input);
      return { ...sessionAnswer(session), ...seen(interrupted) };
    },
    rename: async (input) => leftAlone(await supervisor.rename(input)),
    set: async (input) => sessionAnswer(await supervisor.set(input)),
    override: async (input) => {
      const { session, applied, notes, overrides } = await supervisor.override(input);
      return { ...sessionAnswer(session), overrides, applied, notes: [...notes] };
    },
    upload: async (input, { file }) => {
      if (file === null) throw new TypeError("an upload without a file");
      const { upload, deduplicated } = await supervisor.upload({ ...input, ...file });
      return { ...upload, deduplicated };
    },
    uploads: async (input) => ({ uploads: [...(await supervisor.uploads(input))], next: null }),
    oneUpload: async (input) => supervisor.oneUpload(input),
    discardUpload: async (input) => supervisor.discardUpload(input),
    usage: async (input, { actor }) => usageAnswer(await supervisor.usage({ ...input, actor }), prices()),
    directories: async (input) => ({ directories: [...(await supervisor.directories(input))], next: null }),
    counts: async () => countsAnswer(await supervisor.counts()),
    notify: async () => notices.answer(),
    testNotify: async () => notices.test(),
    markErrored: async (input) => sessionAnswer(await supervisor.markErrored(input)),
    archive: async (input) => sessionAnswer(await supervisor.archive(input)),
    reactivate: async (input) => sessionAnswer(await supervisor.reactivate(input)),
    delete: async (input) => {
      const { session, purged } = await supervisor.delete(input);
      return { ...sessionAnswer(session), purged };
    },
  };
}

function stopped({ session, survivors, left_alone }: Awaited<ReturnType<Supervisor["stop"]>>): Output<"stop"> {
  return { ...sessionAnswer(session), survivors: [...survivors], left_alone };
}

function leftAlone({ session, left_alone }: Awaited<ReturnType<Supervisor["rename"]>>): Output<"rename"> {
  return { ...sessionAnswer(session), left_alone };
}

function seen<T>({ outcome, evidence }: { readonly outcome: T; readonly evidence: readonly string[] }): { outcome: T; evidence: string[] } {
  return { outcome, evidence: [...evidence] };
}
