import type { Duplex } from "node:stream";
import type { HealthAnswer, Output, Parsed, RouteName } from "@tmpm/api";
import type { Supervisor } from "@tmpm/supervisor";
import type { Access } from "./access.js";
import { keptSend, listAnswer, screenAnswer, sessionAnswer } from "./answer.js";
import { alsoDiscovered, discoveryAnswer, reconcileAnswer } from "./discovery-answer.js";
import type { Doctor } from "./doctor.js";
import type { Events } from "./events.js";
import { exportTo, importFrom } from "./foreign.js";
import type { Admitted } from "./guard/guard.js";
import { projectAnswer, scopeAnswer } from "./project-answer.js";
import { whyAnswer } from "./why-answer.js";

export type Handlers = { readonly [R in RouteName]: (input: Parsed<R>, request: HandlerRequest) => Promise<Output<R>> };

export interface HandlerRequest {
  readonly signal: AbortSignal;
  /** The bearer token that came with the request; null without one. */
  readonly token: string | null;
  /** Who asks. */
  readonly admitted: Admitted;
  readonly connection: Duplex;
  /** Adds a header to the answer. */
  readonly header: (name: string, value: string) => void;
}

export interface HandlerParts {
  readonly supervisor: Supervisor;
  readonly events: Events;
  readonly health: () => HealthAnswer;
  readonly doctor: Doctor;
  readonly access: Access;
  readonly shutdown: () => void;
}

/** One line per route: the contract's name, the operation, the answer. */
export function handlers({ supervisor, events, health, doctor, access, shutdown }: HandlerParts): Handlers {
  return {
    health: async () => health(),
    doctor: async () => ({ checks: [...(await doctor())] }),
    shutdown: async () => {
      shutdown();
      return { stopping: true };
    },
    ...access,
    events: events.page,
    import: async (input) => importFrom(supervisor, input),
    export: async (input) => exportTo(supervisor, input),
    projects: async () => ({ projects: (await supervisor.projects()).map(projectAnswer), next: null }),
    addProject: async (input) => projectAnswer(await supervisor.addProject(input)),
    removeProject: async (input) => projectAnswer(await supervisor.removeProject(input)),
    scope: async (input) => scopeAnswer(await supervisor.scope(input)),
    discover: async (input) => discoveryAnswer(await supervisor.discover(input)),
    adopt: async (input) => sessionAnswer(await supervisor.adopt(input)),
    reconcile: async (input) => reconcileAnswer(await supervisor.reconcile(input)),
    list: async (input) => ({
      ...listAnswer(await supervisor.list(input)),
      ...(input.discovered ? alsoDiscovered(await supervisor.discover({})) : {}),
    }),
    create: async (input) => {
      const { session, receipt } = await supervisor.create(input);
      return { ...sessionAnswer(session), receipt };
    },
    show: async (input) => sessionAnswer(await supervisor.show(input)),
    send: async (input, { signal }) => {
      const { receipt, session } = await supervisor.send({ ...input, signal });
      return { receipt, session: sessionAnswer(session) };
    },
    sends: async (input) => ({ sends: (await supervisor.sends(input)).map(keptSend), next: null }),
    receipt: async (input) => keptSend(await supervisor.receipt(input)),
    cancelSend: async (input) => keptSend(await supervisor.cancelSend(input)),
    keys: async (input) => sessionAnswer(await supervisor.keys(input)),
    capture: async (input) => screenAnswer(await supervisor.capture(input)),
    wait: async (input, { signal }) => sessionAnswer(await supervisor.wait({ ...input, signal })),
    waitMany: async (input, { signal }) => ({ sessions: (await supervisor.waitMany({ ...input, signal })).map(sessionAnswer) }),
    why: async (input) => whyAnswer(await supervisor.why(input)),
    next: async (input) => {
      const { session } = await supervisor.next(input);
      return { session: session === null ? null : sessionAnswer(session) };
    },
    answer: async (input) => {
      const { session, evidence, ...answered } = await supervisor.answer(input);
      return { ...answered, session: sessionAnswer(session), evidence: [...evidence] };
    },
    hook: async ({ session, payload, at_ms }, { token }) => supervisor.hook({ session, payload, at_ms, token }),
    attach: async (input) => {
      const { argv, session } = await supervisor.attach(input);
      return { argv: [...argv], session: sessionAnswer(session) };
    },
    stop: async (input) => stopped(await supervisor.stop(input)),
    remove: async (input) => {
      const { workspace, ...ended } = await supervisor.remove(input);
      return { ...stopped(ended), workspace_end: workspace };
    },
    undo: async (input) => {
      const { session, notes } = await supervisor.undo(input);
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
