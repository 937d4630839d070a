import { type AnyMessage, type ClientConnection, client, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import type { TokenCounts } from "@tmpm/core";
import { eventOfUpdate } from "./event-of-update.js";
import { messageStream, type Pipes } from "./message-stream.js";
import type { Permissions } from "./permissions.js";
import { modelsIn } from "./read-extensions.js";
import type { Reporting } from "./reporting.js";
import { withOptions } from "./settings-of.js";
import { turnUsageIn } from "./turn-usage.js";

export interface AgentLink {
  readonly connection: ClientConnection;
  /** Extensions of the newest answer beyond the stable protocol. */
  models(): unknown;
  /** Takes the usage of the turn that ended last; null if the agent does not report it. */
  turnUsage(): TokenCounts | null;
  /** Resolves when the next message of this method is completely written to the operating system. */
  written(method: string): Promise<void>;
  /** Resolves when no message is waiting for the agent to read its input. */
  idle(): Promise<void>;
}

export interface ConnectOptions extends Reporting {
  readonly pipes: Pipes;
  readonly permissions: Permissions;
}

/** Reads an agent's output pipe, from now on. */
export function connectAgent({ pipes, permissions, report, state }: ConnectOptions): AgentLink {
  let models: unknown;
  let turnUsage: TokenCounts | null = null;
  let sent: (message: AnyMessage) => void = () => undefined;
  const stream = messageStream({
    ...pipes,
    noise: (line) => report({ type: "noted", text: `the agent printed: ${line}` }),
    received: (message) => {
      models = modelsIn(message) ?? models;
      turnUsage = turnUsageIn(message) ?? turnUsage;
    },
    sent: (message) => sent(message),
  });
  const connection = client({ name: "tmpm" })
    .onNotification(methods.client.session.update, ({ params }) => take(params.update, { report, state }))
    .onRequest(methods.client.session.requestPermission, (asked) => permissions.ask(asked))
    .connect(stream);
  return {
    connection,
    models: () => models,
    idle: stream.idle,
    turnUsage() {
      const last = turnUsage;
      turnUsage = null;
      return last;
    },
    written: (method) =>
      new Promise((resolve) => {
        sent = (message) => {
          if ("method" in message && message.method === method) resolve();
        };
      }),
  };
}

function take(update: SessionUpdate, { report, state }: Reporting): void {
  const { phase, settings } = state();
  // The history is reported again when a conversation is resumed; our own prompts are already known.
  if (update.sessionUpdate === "user_message_chunk" && phase.kind !== "starting") return;
  if (update.sessionUpdate === "current_mode_update" && settings.mode !== null) {
    report({ type: "settings", settings: { ...settings, mode: { ...settings.mode, current: update.currentModeId } } });
  }
  if (update.sessionUpdate === "config_option_update") {
    report({ type: "settings", settings: withOptions(settings, update.configOptions) });
  }
  const event = eventOfUpdate(update);
  if (event !== null) report(event);
}
