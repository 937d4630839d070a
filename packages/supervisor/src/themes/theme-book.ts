import { type RepoTheme, themeFromPath } from "@tmpm/core";
import type { Ports } from "../context.js";
import { type Alarm, within } from "../deadline.js";

/** The colours of repositories, as they were when they were last looked at. */
export interface ThemeBook {
  /** Never waits: until a repository was looked at, its colours are made from its path. */
  of(root: string): RepoTheme;
  /** Looks at repositories that were not looked at for a while. What does not answer soon keeps what was known of it. */
  refresh(roots: Iterable<string>): Promise<void>;
}

export interface ThemeBookOptions extends Pick<Ports, "clock" | "report"> {
  readonly themeOf: NonNullable<Ports["themeOf"]>;
  readonly alarm: Alarm;
}

const FRESH_MS = 2_000;
/** An answer about sessions is not kept waiting for their colours. */
const PATIENCE_MS = 250;

export function themeBook({ themeOf, alarm, clock, report }: ThemeBookOptions): ThemeBook {
  const known = new Map<string, { readonly theme: RepoTheme; readonly atMs: number }>();

  async function look(root: string): Promise<void> {
    const atMs = clock.now();
    known.set(root, { theme: known.get(root)?.theme ?? themeFromPath(root), atMs });
    try {
      const looking = themeOf(root).then((theme) => void known.set(root, { theme, atMs }));
      await within({ alarm, ms: PATIENCE_MS, doing: `looking at the colours of ${root}`, effect: "none" }, () => looking);
    } catch (error) {
      report({ doing: `looking at the colours of ${root}`, error });
    }
  }

  return {
    of: (root) => known.get(root)?.theme ?? themeFromPath(root),
    async refresh(roots) {
      const due = [...new Set(roots)].filter((root) => clock.now() - (known.get(root)?.atMs ?? Number.NEGATIVE_INFINITY) >= FRESH_MS);
      await Promise.all(due.map(look));
    },
  };
}
