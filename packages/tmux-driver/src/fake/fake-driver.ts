import { hasCode, isTmpmError, keyNames, type ListenerSet, type PaneIdentity, TmpmError } from "@tmpm/core";
import { requireSpec, requireTag } from "../create/create-spec.js";
import { tmuxName } from "../create/tmux-name.js";
import type { Answer, KillReport, PaneInfo, PaneSize, Screen, ServerEvent, TmuxDriver } from "../driver.js";
import { foreignServer, notOwnSession } from "../effects/guard.js";
import { LINE_LIMIT, lineTooLong, longestLine } from "../effects/long-line.js";
import { requireSize } from "../effects/resize.js";
import { requireHistory } from "../observe/history.js";
import { fakeCapture, fakeCaptureAnswer, samePane } from "./fake-capture.js";
import type { FakeFaults } from "./fake-faults.js";
import { fakeOutputs } from "./fake-output.js";
import type { FakePane } from "./fake-pane.js";
import type { FakeServer } from "./fake-server.js";
import { keyBytes } from "./key-bytes.js";

export interface FakeDriverParts {
  readonly server: FakeServer;
  readonly faults: FakeFaults;
  readonly socket: string;
  readonly home: string | null;
  readonly listeners: ListenerSet<ServerEvent>;
  readonly directoryExists: (path: string) => boolean;
}

/** The driver's methods on the fake server. */
export function fakeDriver({ server, faults, socket, home, listeners, directoryExists }: FakeDriverParts): TmuxDriver {
  const answer = async <T>(method: "server" | "list" | "find", task: () => Answer<T>): Promise<Answer<T>> => {
    try {
      return await faults.run(method, task);
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      return { kind: "unknown", error };
    }
  };
  const outputs = fakeOutputs(server);
  const noServer = { kind: "absent", reason: "no server runs" } as const;
  return {
    transport: "memory",
    socket,
    server: () =>
      answer("server", () => {
        const generation = server.generation();
        return generation === null ? noServer : { kind: "present", value: generation };
      }),
    isServed: async () => server.generation() !== null,
    list: () =>
      answer("list", () => (server.generation() === null ? noServer : { kind: "present", value: server.panes().map(server.info) })),
    find: (identity) => answer("find", () => findPane(server, { identity, socket })),
    create: (spec) =>
      faults.run("create", () => {
        const name = requireSpec(spec);
        if (!spec.cwd.startsWith("/") || !directoryExists(spec.cwd)) {
          throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(spec.cwd)} cannot be the working directory`, {
            details: { path: spec.cwd },
          });
        }
        return server.info(server.open({ ...spec, tmuxName: name, home }));
      }),
    adopt: (identity, sessionId) =>
      faults.run("adopt", () => {
        requireTag(sessionId, "sessionId");
        const pane = samePane(server, { identity, socket });
        if (pane.sessionId !== null && pane.sessionId !== sessionId) throw alreadyTagged(pane);
        Object.assign(pane, { sessionId, home });
      }),
    release: (identity) =>
      faults.run("release", () => {
        const pane = samePane(server, { identity, socket });
        if (pane.sessionId === null) throw notOurs(pane);
        Object.assign(pane, { sessionId: null, home: null });
      }),
    rename: (identity, name) =>
      faults.run("rename", () => rename(server, { pane: samePane(server, { identity, socket }), name: tmuxName(name) })),
    resize: (identity, size) =>
      faults.run("resize", () => {
        requireSize(size);
        resize(server, { pane: samePane(server, { identity, socket }), size });
      }),
    directories: (identities) => directories({ server, faults, socket }, identities),
    paste: (identity, text) => faults.run("paste", () => paste(inputPane(server, { identity, socket }), text)),
    keys: (identity, keys) =>
      faults.run("keys", () => {
        const names = keyNames(keys);
        const pane = inputPane(server, { identity, socket });
        pane.received.push({ type: "keys", keys: names });
        pane.input(names.map(keyBytes).join(""));
      }),
    capture: (identity, { history = 0 } = {}) => faults.run("capture", () => fakeCapture(server, { identity, socket, history })),
    captureMany: (identities, { history = 0 } = {}) => captureMany({ server, faults, socket }, { identities, history }),
    kill: (identity) => faults.run("kill", () => kill(server, identity)),
    watch: (listener) => listeners.add(listener, { type: "look" }),
    output: (identity, listener) => faults.run("output", () => outputs.open(samePane(server, { identity, socket }), listener)),
    attachCommand: (identity, { readOnly = false, keepSize = false, switching = false } = {}) => [
      ...(["tmux", "-u", "-S", socket, switching ? "switch-client" : "attach-session"] as const),
      ...(readOnly ? ["-r"] : []),
      ...(keepSize ? ["-f", "ignore-size"] : []),
      ...["-t", identity.pane_id],
    ],
    async close() {
      outputs.close();
      listeners.clear();
    },
  };
}

function findPane(
  server: FakeServer,
  { identity, socket }: { readonly identity: PaneIdentity; readonly socket: string },
): Answer<PaneInfo> {
  if (identity.socket !== socket)
    throw new TmpmError("INVALID_ARGUMENT", "the pane belongs to another socket", { details: { field: "identity" } });
  try {
    return { kind: "present", value: server.info(server.pane(identity)) };
  } catch (error) {
    if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN")) throw error;
    return { kind: "absent", reason: error.message };
  }
}

/** The pane if it accepts input. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE */
function inputPane(server: FakeServer, where: { readonly identity: PaneIdentity; readonly socket: string }): FakePane {
  const pane = samePane(server, where);
  if (pane.sessionId === null) throw notOurs(pane);
  if (pane.exit !== null) throw new TmpmError("PANE_DEAD", `the program in pane ${pane.paneId} has ended`);
  if (pane.inMode) throw new TmpmError("PANE_IN_MODE", `a user is scrolling in pane ${pane.paneId}`);
  return pane;
}

function rename(server: FakeServer, { pane, name }: { readonly pane: FakePane; readonly name: string }): void {
  if (pane.sessionId === null) throw notOurs(pane);
  if (pane.owner !== pane.sessionId) throw notOwnSession(server.identity(pane));
  server.rename(pane, name);
}

function resize(server: FakeServer, { pane, size }: { readonly pane: FakePane; readonly size: PaneSize | null }): void {
  if (pane.sessionId === null) throw notOurs(pane);
  if (pane.owner !== pane.sessionId) throw notOwnSession(server.identity(pane));
  if (size !== null) pane.resize(size);
}

function notOurs(pane: FakePane): TmpmError {
  return new TmpmError("PANE_FOREIGN", `pane ${pane.paneId} is not one that tmpm created`);
}

function alreadyTagged(pane: FakePane): TmpmError {
  return new TmpmError("PANE_FOREIGN", `pane ${pane.paneId} already belongs to another session`);
}

async function directories(
  { server, faults, socket }: Pick<FakeDriverParts, "server" | "faults" | "socket">,
  identities: readonly PaneIdentity[],
): Promise<readonly (string | null)[]> {
  const of = (identity: PaneIdentity) => {
    const answer = fakeCaptureAnswer(server, { identity, socket, history: 0 });
    return answer.kind === "present" ? server.pane(identity).cwd : null;
  };
  try {
    return await faults.run("directories", () => identities.map(of));
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return identities.map(() => null);
  }
}

/** If the whole call fails, every pane is unknown. */
async function captureMany(
  { server, faults, socket }: Pick<FakeDriverParts, "server" | "faults" | "socket">,
  { identities, history }: { readonly identities: readonly PaneIdentity[]; readonly history: number },
): Promise<readonly Answer<Screen>[]> {
  requireHistory(history);
  try {
    return await faults.run("captureMany", () => identities.map((identity) => fakeCaptureAnswer(server, { identity, socket, history })));
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return identities.map(() => ({ kind: "unknown", error }));
  }
}

function paste(pane: FakePane, text: string): void {
  const longest = longestLine(text);
  if (pane.lineMode && longest > LINE_LIMIT) throw lineTooLong(longest);
  pane.received.push({ type: "paste", text });
  pane.input(pane.bracketed ? `\u001b[200~${text}\u001b[201~` : text);
}

function kill(server: FakeServer, identity: PaneIdentity): KillReport {
  const answer = findPane(server, { identity, socket: identity.socket });
  if (answer.kind !== "present") return { survivors: [], exit: null, lastLines: [] };
  const pane = server.pane(identity);
  if (pane.sessionId === null) throw foreignServer(identity);
  const signal = (["SIGHUP", "SIGKILL"] as const).find((name) => pane.exit !== null || pane.signal(name) === "ends");
  if (signal !== undefined) pane.end({ signal: signal === "SIGHUP" ? 1 : 9 });
  const lines = [...pane.screen.history(), ...pane.screen.visible()];
  const used = lines.findLastIndex((line) => line !== "") + 1;
  const lastLines = lines.slice(Math.max(0, used - 50), used);
  if (pane.exit === null) return { survivors: [pane.pid], exit: null, lastLines };
  server.remove(pane);
  return { survivors: [], exit: pane.exit, lastLines };
}
