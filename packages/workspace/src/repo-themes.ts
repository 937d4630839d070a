import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasErrno, RepoTheme, themeFromPath } from "@tmpm/core";
import * as z from "zod";
import { readBounded } from "./files/read-bounded.js";
import { jsonOf } from "./worktree/marker.js";

/** The folders of swimmers with a repository's colours, the newer first (swimmers 7.1). */
const FOLDERS = [".swimmers", ".throngterm"];
const FILE = "colors.json";
const MAX_BYTES = 64 * 1024;
/** Maximum number of repositories cached. */
const KEPT = 500;

interface Known {
  readonly stat: string;
  readonly theme: RepoTheme | null;
}

/**
 * The theme of a directory: the one in it or in its nearest ancestor with any, else one derived from its repository's path; null outside
 * any repository. `id` is the theme's directory. A file is read again only when its stat changed; none is ever written (swimmers 7.1).
 */
export function repoThemes(): (directory: string, repository: string | null) => Promise<PlacedTheme | null> {
  const known = new Map<string, Known>();

  async function themeAt(folder: string): Promise<RepoTheme | null> {
    const stat = JSON.stringify(await Promise.all(FOLDERS.map((name) => statOf(join(folder, name)))));
    const before = known.get(folder);
    if (before?.stat === stat) return before.theme;
    const theme = stat === NOTHING ? null : await keptTheme(folder);
    if (known.size >= KEPT) known.clear();
    known.set(folder, { stat, theme });
    return theme;
  }

  return async (directory, repository) => {
    for (const folder of upwards(directory)) {
      const theme = await themeAt(folder);
      if (theme !== null) return { id: folder, theme };
    }
    return repository === null ? null : { id: repository, theme: themeFromPath(repository) };
  };
}

export interface PlacedTheme {
  readonly id: string;
  readonly theme: RepoTheme;
}

function upwards(directory: string): readonly string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upwards(above)];
}

/** The stat of a directory without either folder. */
const NOTHING = JSON.stringify(FOLDERS.map(() => null));

/** Null for a folder without colours, and for a link. */
async function statOf(folder: string): Promise<readonly string[] | null> {
  try {
    if (!(await lstat(folder)).isDirectory()) return null;
    const { ino, size, mtimeNs, ctimeNs } = await lstat(join(folder, FILE), { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].map(String);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return null;
    throw error;
  }
}

async function keptTheme(root: string): Promise<RepoTheme | null> {
  for (const name of FOLDERS) {
    const folder = join(root, name);
    if ((await statOf(folder)) === null) continue;
    const file = await readBounded(join(folder, FILE), { maxBytes: MAX_BYTES });
    const theme = file.kind === "read" ? themeIn(jsonOf(file.bytes.toString("utf8"))) : null;
    if (theme !== null) return theme;
  }
  return null;
}

/** The colours are in a palette, with others that a theme does not use. */
const Colours = z.object({ body: z.string(), outline: z.string(), accent: z.string(), shirt: z.string() });
const ColoursFile = z.union([
  z.looseObject({ palette: Colours }),
  Colours.loose().transform((palette) => ({ palette, sprite: palette.sprite })),
]);

function themeIn(document: unknown): RepoTheme | null {
  const file = ColoursFile.safeParse(document);
  if (!file.success) return null;
  const { body, outline, accent, shirt } = file.data.palette;
  const [b, o, a, s] = [body, outline, accent, shirt].map((colour) => colour.toUpperCase());
  const theme = RepoTheme.safeParse({ body: b, outline: o, accent: a, shirt: s, sprite: file.data.sprite });
  return theme.success ? theme.data : null;
}
