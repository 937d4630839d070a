import { type EventBody, keyedQueue, listenerSet, onceDone, timestampFromMs } from "@tmpm/core";
import { decisionBook } from "./answer/kept-decisions.js";
import { recallDecisions } from "./answer/recall-decisions.js";
import { type Background, background } from "./background.js";
import { boundedPorts } from "./bounded-ports.js";
import { changes } from "./changes.js";
import { commentBook } from "./comments/comment-book.js";
import { type Context, DEFAULT_SETTINGS, type Ports, type Settings } from "./context.js";
import { systemAlarm } from "./deadline.js";
import { deferringStore } from "./deferring-store.js";
import { deliveries } from "./delivery/deliveries.js";
import { recoverSends } from "./delivery/recover.js";
import { type Recovery, startRecovery } from "./delivery/start-recovery.js";
import { discoveredBefore } from "./discovery/discovered-before.js";
import { doubt } from "./discovery/doubt.js";
import { type HookCounts, refusals } from "./hooks/refusals.js";
import { hosts } from "./hosts.js";
import { launchEnvs } from "./launch/launch-env.js";
import { directoryBook } from "./looks/directory-book.js";
import { hookEdges } from "./looks/hook-edges.js";
import { observations } from "./looks/observations.js";
import { lookForAll, sharedLooks } from "./looks/shared-looks.js";
import { silences } from "./looks/silences.js";
import { deliverAnswers } from "./messages/deliver-answer.js";
import { messageBook } from "./messages/message-book.js";
import { boundOperations, type Operations } from "./operations.js";
import { pullRequestBook } from "./pull-request/pull-request-book.js";
import { startWatchingPullRequests } from "./pull-request/start-watching.js";
import { rememberingStore } from "./remembering-store.js";
import { madeFor, themeBook } from "./themes/theme-book.js";
import { startThoughts } from "./thoughts/start-thoughts.js";
import { thoughtBook } from "./thoughts/thought-book.js";
import { withFinalWords } from "./turns/final-words.js";
import { turnBook } from "./turns/turn-book.js";
import { turnTrees } from "./turns/turn-trees.js";
import { uploadBook } from "./uploads/upload-book.js";
import { budgets } from "./usage/budgets.js";
import { limitResumes } from "./usage/limit-resumes.js";
import { startUsage } from "./usage/start-usage.js";
import { reportTurnUsage } from "./usage/turn-usage.js";
import { usageBook } from "./usage/usage-book.js";
import { usageReader } from "./usage/usage-reader.js";

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
    ctx.limitResumes.hear(event);
    ctx.budgets.hear(event);
    ctx.turnTrees.hear(event);
  };
  const chosen = { ...DEFAULT_SETTINGS, ...settings };
  const decisions = decisionBook({ documents: ports.decisionStore, report: ports.report });
  const ctx: Context = {
    ...boundedPorts(ports, { alarm: ports.alarm ?? systemAlarm, ms: chosen.callMs }),
    store: deferringStore(rememberingStore(ports.store), ports.deferred),
    host: hosts({ own: ports.hosts, foreign: ports.foreign }),
    settings: chosen,
    queue: keyedQueue(),
    naming: keyedQueue(),
    startingGroups: new Set(),
    observations: observations(decisions.keep),
    decisions,
    recalled: onceDone(() => recallDecisions(ctx)),
    sweepRequests: listenerSet(),
    doubt: doubt(),
    discovered: discoveredBefore(),
    emit,
    launchEnvs: launchEnvs(ports.launchEnvStore),
    uploadBook: uploadBook(ports.uploadStore),
    comments: commentBook(ports.commentStore),
    pullRequests: pullRequestBook(ports.pullRequestStore),
    newsEmitted: new Set(),
    pullRequestRequests: listenerSet(),
    overriding: keyedQueue(),
    messages: messageBook({ documents: ports.messageStore, report: ports.report }),
    thoughts: thoughtBook({
      documents: ports.thoughtStore,
      now: () => timestampFromMs(ports.clock.now()),
      emit,
      report: ports.report,
    }),
    usage: usageBook({ documents: ports.usageStore, now: () => timestampFromMs(ports.clock.now()), report: ports.report }),
    usageReader: usageReader(() => ctx),
    budgets: budgets(() => ctx),
    limitResumes: limitResumes(() => ctx),
    usageLoaded: onceDone(() => ctx.usage.load()),
    silences: silences(ports.clock.now),
    directories: directoryBook(ports),
    themes: themeBook({
      ...ports,
      themeOf: ports.themeOf ?? (async (_, project_path) => madeFor({ project_path })),
      alarm: ports.alarm ?? systemAlarm,
    }),
    changes: listeners,
    looks: sharedLooks(ports, (id) => lookForAll(ctx, id)),
    hookEdges: hookEdges(),
    making: new Map(),
    refusals: refusals(),
    observeRequests: listenerSet(),
    deliveries: deliveries(),
    turns: turnBook({
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
    accepting: keyedQueue(),
    causing: keyedQueue(),
    recovered: onceDone(() => recoverSends(ctx)),
  };
  let looking: Background | null = null;
  let thinking: Background | null = null;
  let counting: Background | null = null;
  let watching: Background | null = null;
  let recovering: Recovery | null = null;
  return {
    ...boundOperations(ctx),
    hookCounts: () => ctx.refusals.counts(),
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
      await ctx.accepting.idle();
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
