import type { WebAnswer } from "@tmpm/api";
import { hasCode, TmpmError } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import * as z from "zod";
import type { Listening, TcpDoor } from "../listen/listen.js";
import type { Handlers } from "../routes/handlers.js";

/** The stored state of the browser door, so that known addresses stay valid: they are in histories, cookies and home screens. */
export const KeptDoor = z.object({
  /** Whether the next daemon opens it automatically. */
  open: z.boolean(),
  /** Null before the first. */
  port: z.number().int().min(1).max(65_535).nullable(),
  /** Random lower-case letters and digits. */
  label: z.string().regex(/^[a-z0-9]{16,32}$/),
});
export type KeptDoor = Readonly<z.infer<typeof KeptDoor>>;

export interface WebDoorOptions {
  readonly documents: DocumentStore<KeptDoor>;
  readonly newLabel: () => string;
  /** Null before the daemon listens. */
  readonly listening: () => Listening | null;
  /** Whether this daemon was built with the dashboard. */
  readonly hasPage: boolean;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** The door that `tmpm web` opens on loopback, and closes again. */
export interface WebDoor {
  readonly routes: Pick<Handlers, "web" | "openWeb" | "closeWeb">;
  /** The random host label of this home's addresses. */
  readonly label: () => string;
  /** Whether the open door was opened here. */
  readonly isOpen: () => boolean;
  /** Reopens the door after a restart, unless the daemon's settings make it listen elsewhere. */
  reopen(): Promise<void>;
}

const KEY = "door";
const LOOPBACK = "127.0.0.1";
const USUAL_PORT = 7777;

export async function webDoor({ documents, newLabel, listening, hasPage, report }: WebDoorOptions): Promise<WebDoor> {
  let kept = (await known(documents, report)) ?? { open: false, port: null, label: newLabel() };
  let ours: TcpDoor | null = null;
  const isNew = kept.port === null;

  async function keep(next: KeptDoor): Promise<void> {
    kept = next;
    await documents.put(KEY, kept).catch((error: unknown) => report({ doing: "saving the address for browsers", error }));
  }

  function answer(): WebAnswer {
    const door = listening()?.tcp ?? null;
    if (door === null) return { open: false, url: null, by: null, page: hasPage };
    return { open: true, url: door.url, by: door === ours ? "web" : "listen", page: hasPage };
  }

  /** The requested port, else a free one. */
  async function openOn(port: number | null): Promise<TcpDoor> {
    const doors = listening();
    if (doors === null) throw new TmpmError("NOT_READY", "the daemon is starting");
    const at = (chosen: number) => doors.openTcp({ host: LOOPBACK, port: chosen, tls: null });
    if (port !== null) return at(port);
    try {
      return await at(kept.port ?? USUAL_PORT);
    } catch (error) {
      if (!hasCode(error, "LISTEN_FAILED")) throw error;
      return at(0);
    }
  }

  return {
    label: () => kept.label,
    isOpen: () => ours !== null,
    async reopen() {
      // The label stays the same, also for another requested port.
      if ((listening()?.tcp ?? null) !== null) return isNew ? keep(kept) : undefined;
      if (!kept.open) return;
      try {
        ours = await openOn(kept.port);
      } catch (error) {
        report({ doing: "reopening the listener for browsers", error });
      }
    },
    routes: {
      web: async () => answer(),
      async openWeb({ port = null }) {
        const doors = listening();
        const before = doors?.tcp ?? null;
        const door = before ?? (await openOn(port));
        const opened = Number(new URL(door.url).port);
        if (before !== null && port !== null && port !== opened)
          throw new TmpmError("LISTEN_FAILED", `the daemon already listens at ${door.url}`, {
            hint: "Close it first: tmpm web --stop",
          });
        if (before !== null && before !== ours) return answer();
        ours = door;
        await keep({ ...kept, open: true, port: opened });
        return answer();
      },
      async closeWeb() {
        const doors = listening();
        if ((doors?.tcp ?? null) !== null && ours === null)
          throw new TmpmError("LISTEN_REFUSED", "the daemon listens because of its settings, not because of `tmpm web`", {
            hint: "End that with `tmpm daemon stop`, or remove listen.address from the configuration file.",
          });
        ours = null;
        doors?.closeTcp();
        await keep({ ...kept, open: false });
        return answer();
      },
    },
  };
}

async function known(documents: WebDoorOptions["documents"], report: WebDoorOptions["report"]): Promise<KeptDoor | null> {
  try {
    return await documents.get(KEY);
  } catch (error) {
    report({ doing: "reading the address for browsers", error });
    return null;
  }
}
