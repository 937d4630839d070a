import type { NotifyAnswer } from "@tmpm/api";
import { type EventBody, hasCode, TmpmError } from "@tmpm/core";
import type { SessionFacts } from "@tmpm/supervisor";
import { Counter, type Registry } from "prom-client";
import type { LiveConfig } from "../config/live-config.js";
import { commandChannel } from "./command-channel.js";
import { desktopChannel } from "./desktop-channel.js";
import { later } from "./later.js";
import { type Notice, noticeOf } from "./notice.js";
import { notifier, type Seen } from "./notifier.js";
import { type ChannelState, outbox } from "./outbox.js";
import { webhookChannel } from "./webhook-channel.js";

/** Notifications about sessions. */
export interface Notices {
  hear(event: EventBody): void;
  answer(): NotifyAnswer;
  /** Sends a test through every configured channel. @throws INVALID_ARGUMENT without one */
  test(): Promise<NotifyAnswer>;
  states(): readonly ChannelState[];
  /** Settings changed. */
  again(): void;
  close(): Promise<void>;
}

export interface NoticesOptions {
  readonly config: Pick<LiveConfig, "env" | "values">;
  readonly version: string;
  readonly clock: { readonly now: () => number };
  readonly newId: () => string;
  readonly registry: Registry;
  /** @throws SESSION_NOT_FOUND */
  readonly show: (session: string) => Promise<SessionFacts>;
  readonly emit: (event: EventBody) => void;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export function notices({ config, version, clock, newId, registry, show, emit, report }: NoticesOptions): Notices {
  const { env, values } = config;
  const now = () => new Date(clock.now());
  const counter = new Counter({
    name: "tmpm_notices_total",
    help: "Notifications for users.",
    labelNames: ["channel", "outcome"],
    registers: [registry],
  });
  const post = outbox({
    channels: [
      commandChannel({ argv: () => values()["notify.command"], env }),
      desktopChannel({ wanted: () => values()["notify.desktop"], platform: process.platform, env }),
      webhookChannel({ settings: () => webhookSettings(values()), version, now: clock.now }),
    ],
    now,
    count: (channel, outcome) => counter.inc({ channel, outcome }),
    report,
  });
  const wanted = () => post.states().flatMap(({ channel, target }) => (target === null ? [] : [channel]));

  function notify(notice: Notice): void {
    post.put(notice);
    const { at, kind, title, entries } = notice;
    const project = new Set(entries.map(({ project_id }) => project_id));
    const [only] = project.size === 1 ? project : [];
    const sessions = entries.map(({ session }) => session);
    emit({
      type: "notified",
      at,
      session_id: null,
      ...(only === undefined ? {} : { project_id: only }),
      kind,
      title,
      sessions,
      channels: wanted(),
    });
  }

  const gathered = notifier({
    settings: values,
    look: async (session) => seenOf(session, show),
    notify,
    now,
    later,
    newId,
    report,
  });

  function answer(channels: readonly ChannelState[] = post.states()): NotifyAnswer {
    const quiet = gathered.quietMs();
    return {
      channels: [...channels],
      pending: gathered.pending(),
      quiet_until: quiet === 0 ? null : new Date(clock.now() + quiet).toISOString(),
    };
  }

  return {
    hear: gathered.hear,
    answer: () => answer(),
    async test() {
      if (wanted().length === 0)
        throw new TmpmError("INVALID_ARGUMENT", "no notification channel is configured", {
          hint: "For example: tmpm config set notify.desktop true",
        });
      return answer(
        await post.try({
          ...noticeOf([], { id: newId(), at: now().toISOString() }),
          title: "tmpm can notify you",
          body: "This was a test.",
        }),
      );
    },
    states: post.states,
    again: gathered.again,
    async close() {
      gathered.close();
      await post.close();
    },
  };
}

/** The facts of a session, looked up at notification time; null if it no longer exists. */
export async function seenOf(session: string, show: NoticesOptions["show"]): Promise<Seen | null> {
  try {
    const { record, activity, viewers, decision, question, hint } = await show(session);
    const { id, name, project_id, agent, state, notify, paused_at } = record;
    return {
      id,
      name,
      project_id,
      agent,
      state,
      notify,
      activity: activity.state,
      viewers,
      question: decision?.subject ?? question?.question ?? null,
      asks: question !== null,
      hint,
      paused: paused_at !== null,
    };
  } catch (error) {
    if (hasCode(error, "SESSION_NOT_FOUND")) return null;
    throw error;
  }
}

function webhookSettings(values: ReturnType<LiveConfig["values"]>) {
  return {
    url: values["notify.webhook.url"],
    secretFile: values["notify.webhook.secret_file"],
    allowHttp: values["notify.webhook.allow_http"],
  };
}
