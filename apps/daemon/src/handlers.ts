import type { HealthAnswer, Output, Parsed, RouteName } from "@tmpm/api";
import type { Supervisor } from "@tmpm/supervisor";
import { keptSend, listAnswer, screenAnswer, sessionAnswer } from "./answer.js";
import type { Doctor } from "./doctor.js";
import type { Events } from "./events.js";
import { exportTo, importFrom } from "./foreign.js";
import { projectAnswer, scopeAnswer } from "./project-answer.js";

export type Handlers = { readonly [R in RouteName]: (input: Parsed<R>, request: { readonly signal: AbortSignal }) => Promise<Output<R>> };

export interface HandlerParts {
  readonly supervisor: Supervisor;
  readonly events: Events;
  readonly health: () => HealthAnswer;
  readonly doctor: Doctor;
  readonly shutdown: () => void;
}

/** One line per route: the contract's name, the operation, the answer. */
export function handlers({ supervisor, events, health, doctor, shutdown }: HandlerParts): Handlers {
  return {
    health: async () => health(),
    doctor: async () => ({ checks: [...(await doctor())] }),
    shutdown: async () => {
      shutdown();
      return { stopping: true };
    },
    events: events.page,
    import: async (input) => importFrom(supervisor, input),
    export: async (input) => exportTo(supervisor, input),
    projects: async () => ({ projects: (await supervisor.projects()).map(projectAnswer), next: null }),
    addProject: async (input) => projectAnswer(await supervisor.addProject(input)),
    removeProject: async (input) => projectAnswer(await supervisor.removeProject(input)),
    scope: async (input) => scopeAnswer(await supervisor.scope(input)),
    list: async (input) => listAnswer(await supervisor.list(input)),
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
    attach: async (input) => {
      const { argv, session } = await supervisor.attach(input);
      return { argv: [...argv], session: sessionAnswer(session) };
    },
    stop: async (input) => stopped(await supervisor.stop(input)),
    remove: async (input) => stopped(await supervisor.remove(input)),
    resume: async (input) => sessionAnswer(await supervisor.resume(input)),
  };
}

function stopped({ session, survivors }: Awaited<ReturnType<Supervisor["stop"]>>): Output<"stop"> {
  return { ...sessionAnswer(session), survivors: [...survivors] };
}
