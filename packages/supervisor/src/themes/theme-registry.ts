import { type SessionRecord, themeFromPath } from "@tmpm/core";
import type { PlacedTheme } from "@tmpm/workspace";
import type { Ports } from "../context.js";
import { type Alarm, within } from "../deadline.js";
import { workingDirectory } from "../launch/launch.js";

/** The key of a theme. */
export type Themed = Pick<SessionRecord, "cwd" | "workspace_path" | "project_path">;

/** The colours of sessions' directories at the last check. */
export interface ThemeRegistry {
  /** Never waits: until a directory was checked, its colours derive from its repository's path. Null outside a repository. */
  of(record: Themed): PlacedTheme | null;
  /** Checks directories that were not checked for a while. One that does not respond soon keeps its last colours. */
  refresh(records: readonly Themed[]): Promise<void>;
}

export interface ThemeRegistryOptions extends Pick<Ports, "clock" | "report"> {
  readonly themeOf: NonNullable<Ports["themeOf"]>;
  readonly alarm: Alarm;
}

const FRESH_MS = 2_000;
/** A response about sessions does not wait for their colours. */
const PATIENCE_MS = 250;

export function themeRegistry({ themeOf, alarm, clock, report }: ThemeRegistryOptions): ThemeRegistry {
  const known = new Map<string, { readonly found: PlacedTheme | null; readonly atMs: number }>();

  async function look(record: Themed): Promise<void> {
    const [key, directory] = [keyOf(record), workingDirectory(record)];
    const atMs = clock.now();
    known.set(key, { found: of(record), atMs });
    try {
      const looking = themeOf(directory, record.project_path).then((found) => void known.set(key, { found, atMs }));
      await within({ alarm, ms: PATIENCE_MS, doing: `reading the colours of ${directory}`, effect: "none" }, () => looking);
    } catch (error) {
      report({ doing: `reading the colours of ${directory}`, error });
    }
  }

  function of(record: Themed): PlacedTheme | null {
    const entry = known.get(keyOf(record));
    return entry === undefined ? madeFor(record) : entry.found;
  }

  return {
    of,
    async refresh(records) {
      const each = new Map(records.map((record) => [keyOf(record), record]));
      const due = [...each].filter(([key]) => clock.now() - (known.get(key)?.atMs ?? Number.NEGATIVE_INFINITY) >= FRESH_MS);
      await Promise.all(due.map(([, record]) => look(record)));
    },
  };
}

/** Derived from its repository's path. */
export function madeFor({ project_path: id }: Pick<Themed, "project_path">): PlacedTheme | null {
  return id === null ? null : { id, theme: themeFromPath(id) };
}

function keyOf(record: Themed): string {
  return JSON.stringify([workingDirectory(record), record.project_path]);
}
