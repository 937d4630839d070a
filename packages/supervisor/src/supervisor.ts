import { type EventBody, keyedQueue, listenerSet, onceDone, timestampFromMs } from "@tmpm/core";
import { decisionRegistry } from "./answer/kept-decisions.js";
import { recallDecisions } from "./answer/recall-decisions.js";
import { type Background, background } from "./background.js";
import { boundedPorts } from "./bounded-ports.js";
import { changes } from "./changes.js";
import { commentRegistry } from "./comments/comment-registry.js";
import type { Context, Ports } from "./context.js";
import { systemAlarm } from "./deadline.js";
import { deferringStore } from "./deferring-store.js";
import { deliveries } from "./delivery/deliveries.js";
import { recoverSends } from "./delivery/recover.js";
import { type Recovery, startRecovery } from "./delivery/start-recovery.js";
import { discoveredBefore } from "./discovery/discovered-before.js";
import { massLossGuard } from "./discovery/mass-loss-guard.js";
import { type HookCounts, refusals } from "./hooks/refusals.js";
import { hosts } from "./hosts.js";
import { launchEnvs } from "./launch/launch-env.js";
import { deliverAnswers } from "./messages/deliver-answer.js";
import { messageRegistry } from "./messages/message-registry.js";
import { directoryRegistry } from "./observe/directory-registry.js";
import { hookEdges } from "./observe/hook-edges.js";
import { observations } from "./observe/observations.js";
import { observeForAll, sharedObservations } from "./observe/shared-observations.js";
import { silences } from "./observe/silences.js";
import { boundOperations, type Operations } from "./operations.js";
import { pullRequestRegistry } from "./pull-request/pull-request-registry.js";
import { startWatchingPullRequests } from "./pull-request/start-watching.js";
import { rememberingStore } from "./remembering-store.js";
import { DEFAULT_SETTINGS, type Settings } from "./settings.js";
import { madeFor, themeRegistry } from "./themes/theme-registry.js";
import { startThoughts } from "./thoughts/start-thoughts.js";
import { thoughtRegistry } from "./thoughts/thought-registry.js";
import { withFinalWords } from "./turns/final-words.js";
import { turnRegistry } from "./turns/turn-registry.js";
import { turnTrees } from "./turns/turn-trees.js";
import { uploadRegistry } from "./uploads/upload-registry.js";
import { budgets } from "./usage/budgets.js";
import { limitResumes } from "./usage/limit-resumes.js";
import { startUsage } from "./usage/start-usage.js";
import { reportTurnUsage } from "./usage/turn-usage.js";
import { usageReader } from "./usage/usage-reader.js";
import { usageRegistry } from "./usage/usage-registry.js";

/** The use cases. Effects on one session happen in call order; different sessions do not wait for each other. */
export interface Supervisor extends Operations {
  /** Counts of agents' reports since the start. */
  hookCounts(): HookCounts;
  /** Reconciles, then keeps observing until closed. */
  start(): void;
  /** Whether the last daemon's operations have been resumed. */
  isRecovered(): boolean;
  /** Resolves when nothing of the supervisor runs. Sessions are not touched. Idempotent. */
  close(): Promise<void>;
}

export interface SupervisorOptions extends Ports {
  readonly settings: Partial<Settings> & Pick<Settings, "sessionEnv" | "homeDir">;
}

export function supervisor(options: SupervisorOptions): Supervisor {
  const { settings, ...ports } = options;
  const listeners = changes(ports.clock);
  const emit = (event: EventBody) => {
    ports.emit(event);
    listeners.publish(event);
    ctx.usage.limitResumes.hear(event);
    ctx.usage.budgets.hear(event);
    ctx.turnTrees.hear(event);
  };
  const chosen = { ...DEFAULT_SETTINGS, ...settings };
  const decisions = decisionRegistry({ documents: ports.decisionStore, report: ports.report });
  const ctx: Context = {
    ...boundedPorts(ports, { alarm: ports.alarm ?? systemAlarm, ms: chosen.callMs }),
    store: deferringStore(rememberingStore(ports.store), ports.deferred),
    host: hosts({ own: ports.hosts, foreign: ports.foreign }),
    settings: chosen,
    queue: keyedQueue(),
    queues: { naming: keyedQueue(), overriding: keyedQueue(), accepting: keyedQueue(), causing: keyedQueue() },
    observations: observations(decisions.keep),
    decisions,
    recalled: onceDone(() => recallDecisions(ctx)),
    requests: { sweep: listenerSet(), observe: listenerSet() },
    discovery: { massLossGuard: massLossGuard(), before: discoveredBefore() },
    emit,
    launchEnvs: launchEnvs({ documents: ports.launchEnvStore, report: ports.report }),
    uploadRegistry: uploadRegistry({ documents: ports.uploadStore, report: ports.report }),
    comments: commentRegistry(ports.commentStore),
    pullRequests: {
      registry: pullRequestRegistry({ documents: ports.pullRequestStore, report: ports.report }),
      emitted: new Set(),
      requests: listenerSet(),
    },
    messages: messageRegistry({ documents: ports.messageStore, report: ports.report }),
    thoughts: thoughtRegistry({
      documents: ports.thoughtStore,
      now: () => timestampFromMs(ports.clock.now()),
      emit,
      report: ports.report,
    }),
    usage: {
      registry: usageRegistry({ documents: ports.usageStore, now: () => timestampFromMs(ports.clock.now()), report: ports.report }),
      reader: usageReader(() => ctx),
      budgets: budgets(() => ctx),
      limitResumes: limitResumes(() => ctx),
      loaded: onceDone(() => ctx.usage.registry.load()),
    },
    directories: directoryRegistry(ports),
    themes: themeRegistry({
      ...ports,
      themeOf: ports.themeOf ?? (async (_, project_path) => madeFor({ project_path })),
      alarm: ports.alarm ?? systemAlarm,
    }),
    changes: listeners,
    looks: sharedObservations(ports, (id) => observeForAll(ctx, id)),
    hookReports: { edges: hookEdges(), refusals: refusals(), silences: silences(ports.clock.now) },
    creating: { steps: new Map(), answered: new Set(), groups: new Set() },
    deliveries: deliveries(),
    turns: turnRegistry({
      journal: ports.turnJournal,
      now: () => timestampFromMs(ports.clock.now()),
      emit,
      report: ports.report,
      withWords: async (each) => {
        const whole = await withFinalWords(ctx, each);
        await reportTurnUsage(ctx, whole);
        return whole;
      },
      release: (each) =>
        ctx.deliveries
          .get(each)
          ?.takeBack(each.reason === "session_closed" || each.reason === "session_exited" ? "session_ended" : "cancelled"),
      wake: listeners.wake,
    }),
    turnTrees: turnTrees(() => ctx),
    recovered: onceDone(() => recoverSends(ctx)),
  };
  let looking: Background | null = null;
  let thinking: Background | null = null;
  let counting: Background | null = null;
  let watching: Background | null = null;
  let recovering: Recovery | null = null;
  return {
    ...boundOperations(ctx),
    hookCounts: () => ctx.hookReports.refusals.counts(),
    start() {
      looking ??= background(ctx);
      thinking ??= startThoughts(ctx);
      counting ??= startUsage(ctx);
      if (recovering !== null) return;
      recovering = startRecovery(ctx);
      watching = startWatchingPullRequests(ctx, recovering.done);
      recovering.done
        .then((isDone) => (isDone ? deliverAnswers(ctx) : undefined))
        .catch((error: unknown) => ctx.report({ doing: "delivering answers", error }));
    },
    isRecovered: () => recovering?.isDone() ?? false,
    async close() {
      await recovering?.close();
      await looking?.close();
      await thinking?.close();
      await watching?.close();
      await ctx.queues.accepting.idle();
      await ctx.deliveries.close();
      await ctx.queue.idle();
      await ctx.turns.close();
      await ctx.turnTrees.idle();
      await ctx.sends.close();
      await ctx.decisions.drained();
      await counting?.close();
    },
  };
}
