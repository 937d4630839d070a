import { randomUUID } from "node:crypto";
import type { SessionFacts } from "@tmpm/supervisor";
import type { LiveConfig } from "../config/live-config.js";
import { later } from "../notify/later.js";
import type { Notice } from "../notify/notice.js";
import { seenOf } from "../notify/notices.js";
import { type Notifier, notifier } from "../notify/notifier.js";

export interface DeviceNoticesOptions {
  readonly config: Pick<LiveConfig, "values">;
  /** @throws SESSION_NOT_FOUND */
  readonly show: (session: string) => Promise<SessionFacts>;
  readonly notify: (notice: Notice) => void;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/**
 * Notices for devices, by the settings of all notifications. A viewer of the session does not suppress them here, because it may be a background page on
 * another device. Each device reports itself whether its page is in view.
 */
export function deviceNotices({ config, show, notify, report }: DeviceNoticesOptions): Notifier {
  return notifier({
    settings: config.values,
    look: async (session) => {
      const seen = await seenOf(session, show);
      return seen === null ? null : { ...seen, viewers: 0 };
    },
    notify,
    now: () => new Date(),
    later,
    newId: randomUUID,
    report,
  });
}
