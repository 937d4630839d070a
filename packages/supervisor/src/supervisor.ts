import { type EventBody, themeFromPath, timestampFromMs } from "@tmpm/core";
import { decisionBook } from "./answer/kept-decisions.js";
import { recallDecisions } from "./answer/recall-decisions.js";
import { type Background, background } from "./background.js";
import { bell } from "./bell.js";
import { boundedPorts } from "./bounded-ports.js";
import { changes } from "./changes.js";
import { type Context, DEFAULT_SETTINGS, type Ports, type Settings } from "./context.js";
import { systemAlarm } from "./deadline.js";
import { deferringStore } from "./deferring-store.js";
import { deliveries } from "./delivery/deliveries.js";
import { recoverSends } from "./delivery/recover.js";
import { discoveredBefore } from "./discovery/discovered-before.js";
import { doubt } from "./discovery/doubt.js";
import { type HookCounts, refusals } from "./hooks/refusals.js";
import { silentAgents } from "./hooks/silent-agents.js";
import { hosts } from "./hosts.js";
import { type Housekept, housekeep } from "./housekeeping/housekeeping.js";
import { launchEnvs } from "./launch/launch-env.js";
import { directoryBook } from "./looks/directory-book.js";
import { hookEdges } from "./looks/hook-edges.js";
import { nudges } from "./looks/nudges.js";
import { observations } from "./looks/observations.js";
import { lookForAll, sharedLooks } from "./looks/shared-looks.js";
import { silences } from "./looks/silences.js";
import { onceDone } from "./once-done.js";
import { adopt } from "./operations/adopt.js";
import { agent, agents } from "./operations/agents.js";
import { answer } from "./operations/answer.js";
import { archive } from "./operations/archive.js";
import { cancel } from "./operations/cancel.js";
import { counts } from "./operations/counts.js";
import { create } from "./operations/create.js";
import { deleteSession } from "./operations/delete.js";
import { discover } from "./operations/discover.js";
import { exportSessions } from "./operations/export.js";
import { hook } from "./operations/hook.js";
import { importSessions } from "./operations/import.js";
import { interrupt } from "./operations/interrupt.js";
import { markErrored } from "./operations/mark-errored.js";
import { next } from "./operations/next.js";
import { override } from "./operations/override.js";
import { pause } from "./operations/pause.js";
import { addProject, projects, removeProject } from "./operations/projects.js";
import { clearQueue, moveTurn, queue } from "./operations/queue.js";
import { reactivate } from "./operations/reactivate.js";
import { attach, capture, list, show } from "./operations/read.js";
import { cancelSend, receipt, sends } from "./operations/receipts.js";
import { type Reconciled, reconcile } from "./operations/reconcile.js";
import { remove } from "./operations/remove.js";
import { rename } from "./operations/rename.js";
import { restart } from "./operations/restart.js";
import { resume } from "./operations/resume.js";
import { scope } from "./operations/scope.js";
import { keys, send } from "./operations/send.js";
import { set } from "./operations/set.js";
import { stop } from "./operations/stop.js";
import { submit } from "./operations/submit.js";
import { type Tally, tally } from "./operations/tally.js";
import { terminal } from "./operations/terminal.js";
import { trust } from "./operations/trust.js";
import { turn, turns } from "./operations/turns.js";
import { undo } from "./operations/undo.js";
import { discardUpload, upload, uploads } from "./operations/uploads.js";
import { wait, waitMany } from "./operations/wait.js";
import { why } from "./operations/why.js";
import { projectIdOf } from "./projects/registry.js";
import { sessionQueue } from "./session-queue.js";
import { themeBook } from "./themes/theme-book.js";
import { startThoughts } from "./thoughts/start-thoughts.js";
import { thoughtBook } from "./thoughts/thought-book.js";
import { withFinalWords } from "./turns/final-words.js";
import { turnBook } from "./turns/turn-book.js";
import { uploadBook } from "./uploads/upload-book.js";

type Operation<F> = F extends (ctx: Context, input: infer I) => Promise<infer O> ? (input: I) => Promise<O> : never;

/** The use cases. Effects on one session happen in the order of the calls; sessions do not wait for one another. */
export interface Supervisor {
  readonly create: Operation<typeof create>;
  agents(): ReturnType<typeof agents>;
  readonly agent: Operation<typeof agent>;
  projects(): ReturnType<typeof projects>;
  readonly addProject: Operation<typeof addProject>;
  readonly removeProject: Operation<typeof removeProject>;
  /** The id of a project that is named by it or by its path. */
  projectId(text: string): Promise<string>;
  readonly trust: Operation<typeof trust>;
  readonly scope: Operation<typeof scope>;
  readonly list: Operation<typeof list>;
  readonly show: Operation<typeof show>;
  readonly capture: Operation<typeof capture>;
  readonly attach: Operation<typeof attach>;
  readonly send: Operation<typeof send>;
  readonly sends: Operation<typeof sends>;
  readonly receipt: Operation<typeof receipt>;
  readonly cancelSend: Operation<typeof cancelSend>;
  readonly submit: Operation<typeof submit>;
  readonly turns: Operation<typeof turns>;
  readonly turn: Operation<typeof turn>;
  readonly cancel: Operation<typeof cancel>;
  readonly queue: Operation<typeof queue>;
  readonly moveTurn: Operation<typeof moveTurn>;
  readonly clearQueue: Operation<typeof clearQueue>;
  readonly keys: Operation<typeof keys>;
  readonly terminal: Operation<typeof terminal>;
  readonly wait: Operation<typeof wait>;
  readonly why: Operation<typeof why>;
  readonly next: Operation<typeof next>;
  readonly answer: Operation<typeof answer>;
  readonly hook: Operation<typeof hook>;
  /** What became of the reports of agents since the start. */
  hookCounts(): HookCounts;
  /** The sessions whose agents were told to report and were not heard, although their screens showed a whole turn. */
  silentAgents(): ReturnType<typeof silentAgents>;
  readonly waitMany: Operation<typeof waitMany>;
  readonly stop: Operation<typeof stop>;
  readonly resume: Operation<typeof resume>;
  readonly restart: Operation<typeof restart>;
  readonly pause: Operation<typeof pause>;
  readonly interrupt: Operation<typeof interrupt>;
  readonly rename: Operation<typeof rename>;
  readonly set: Operation<typeof set>;
  readonly override: Operation<typeof override>;
  readonly upload: Operation<typeof upload>;
  readonly uploads: Operation<typeof uploads>;
  readonly discardUpload: Operation<typeof discardUpload>;
  counts(): ReturnType<typeof counts>;
  readonly markErrored: Operation<typeof markErrored>;
  readonly archive: Operation<typeof archive>;
  readonly reactivate: Operation<typeof reactivate>;
  readonly delete: Operation<typeof deleteSession>;
  /** One round of what is done unasked: reaps ephemeral sessions, archives and deletes finished ones after their time. */
  housekeep(): Promise<Housekept>;
  readonly remove: Operation<typeof remove>;
  readonly undo: Operation<typeof undo>;
  readonly import: Operation<typeof importSessions>;
  readonly export: Operation<typeof exportSessions>;
  readonly adopt: Operation<typeof adopt>;
  readonly discover: Operation<typeof discover>;
  reconcile(input?: { readonly dry_run?: boolean | undefined }): Promise<Reconciled>;
  /** What all sessions do, in numbers. */
  tally(): Promise<Tally>;
  /** Reconciles, then keeps looking until closed. */
  start(): void;
  /** Whether what the last daemon was doing is taken up again. */
  isRecovered(): boolean;
  /** Resolves when nothing of the supervisor runs any more. Sessions are not touched. Idempotent. */
  close(): Promise<void>;
}

export interface SupervisorOptions extends Ports {
  readonly settings: Partial<Settings> & Pick<Settings, "sessionEnv" | "homeDir">;
}

export function supervisor(options: SupervisorOptions): Supervisor {
  const { settings, ...ports } = options;
  const told = changes(ports.clock);
  const emit = (event: EventBody) => {
    ports.emit(event);
    told.publish(event);
  };
  const chosen = { ...DEFAULT_SETTINGS, ...settings };
  const decisions = decisionBook({ documents: ports.decisionStore, report: ports.report });
  const ctx: Context = {
    ...boundedPorts(ports, { alarm: ports.alarm ?? systemAlarm, ms: chosen.callMs }),
    store: deferringStore(ports.store),
    host: hosts({ own: ports.hosts, foreign: ports.foreign }),
    settings: chosen,
    queue: sessionQueue(),
    naming: sessionQueue(),
    observations: observations(decisions.keep),
    decisions,
    recalled: onceDone(() => recallDecisions(ctx)),
    bell: bell(),
    doubt: doubt(),
    discovered: discoveredBefore(),
    emit,
    launchEnvs: launchEnvs(ports.launchEnvStore),
    uploadBook: uploadBook(ports.uploadStore),
    overriding: sessionQueue(),
    thoughts: thoughtBook({
      documents: ports.thoughtStore,
      now: () => timestampFromMs(ports.clock.now()),
      emit,
      report: ports.report,
    }),
    silences: silences(ports.clock.now),
    directories: directoryBook(ports),
    themes: themeBook({ ...ports, themeOf: ports.themeOf ?? (async (root) => themeFromPath(root)), alarm: ports.alarm ?? systemAlarm }),
    changes: told,
    looks: sharedLooks(ports, (id) => lookForAll(ctx, id)),
    hookEdges: hookEdges(),
    making: new Map(),
    refusals: refusals(),
    nudges: nudges(),
    deliveries: deliveries(),
    turns: turnBook({
      journal: ports.turnJournal,
      now: () => timestampFromMs(ports.clock.now()),
      emit,
      report: ports.report,
      withWords: (each) => withFinalWords(ctx, each),
      release: (each) =>
        ctx.deliveries
          .get(each)
          ?.takeBack(each.reason === "session_closed" || each.reason === "session_exited" ? "session_ended" : "cancelled"),
      wake: told.wake,
    }),
    accepting: sessionQueue(),
    recovered: onceDone(() => recoverSends(ctx)),
  };
  let looking: Background | null = null;
  let thinking: Background | null = null;
  let isRecovered = false;
  return {
    create: (input) => create(ctx, input),
    agents: () => agents(ctx),
    agent: (input) => agent(ctx, input),
    projects: () => projects(ctx),
    addProject: (input) => addProject(ctx, input),
    removeProject: (input) => removeProject(ctx, input),
    projectId: (text) => projectIdOf(ctx, text),
    trust: (input) => trust(ctx, input),
    scope: (input) => scope(ctx, input),
    list: (input) => list(ctx, input),
    show: (input) => show(ctx, input),
    capture: (input) => capture(ctx, input),
    attach: (input) => attach(ctx, input),
    send: (input) => send(ctx, input),
    sends: (input) => sends(ctx, input),
    receipt: (input) => receipt(ctx, input),
    cancelSend: (input) => cancelSend(ctx, input),
    submit: (input) => submit(ctx, input),
    turns: (input) => turns(ctx, input),
    turn: (input) => turn(ctx, input),
    cancel: (input) => cancel(ctx, input),
    queue: (input) => queue(ctx, input),
    moveTurn: (input) => moveTurn(ctx, input),
    clearQueue: (input) => clearQueue(ctx, input),
    keys: (input) => keys(ctx, input),
    terminal: (input) => terminal(ctx, input),
    wait: (input) => wait(ctx, input),
    why: (input) => why(ctx, input),
    next: (input) => next(ctx, input),
    answer: (input) => answer(ctx, input),
    hook: (input) => hook(ctx, input),
    hookCounts: () => ctx.refusals.counts(),
    silentAgents: () => silentAgents(ctx),
    waitMany: (input) => waitMany(ctx, input),
    stop: (input) => stop(ctx, input),
    resume: (input) => resume(ctx, input),
    restart: (input) => restart(ctx, input),
    pause: (input) => pause(ctx, input),
    interrupt: (input) => interrupt(ctx, input),
    rename: (input) => rename(ctx, input),
    set: (input) => set(ctx, input),
    override: (input) => override(ctx, input),
    upload: (input) => upload(ctx, input),
    uploads: (input) => uploads(ctx, input),
    discardUpload: (input) => discardUpload(ctx, input),
    counts: () => counts(ctx),
    markErrored: (input) => markErrored(ctx, input),
    archive: (input) => archive(ctx, input),
    reactivate: (input) => reactivate(ctx, input),
    delete: (input) => deleteSession(ctx, input),
    housekeep: () => housekeep(ctx),
    remove: (input) => remove(ctx, input),
    undo: (input) => undo(ctx, input),
    import: (input) => importSessions(ctx, input),
    export: (input) => exportSessions(ctx, input),
    adopt: (input) => adopt(ctx, input),
    discover: (input) => discover(ctx, input),
    reconcile: (input) => reconcile(ctx, input),
    tally: () => tally(ctx),
    start() {
      looking ??= background(ctx);
      thinking ??= startThoughts(ctx);
      ctx.recovered().then(
        () => {
          isRecovered = true;
        },
        (error: unknown) => ctx.report({ doing: "taking up what was being sent", error }),
      );
    },
    isRecovered: () => isRecovered,
    async close() {
      await looking?.close();
      await thinking?.close();
      await ctx.accepting.idle();
      await ctx.deliveries.close();
      await ctx.queue.idle();
      await ctx.turns.close();
      await ctx.sends.close();
      await ctx.decisions.drained();
    },
  };
}
