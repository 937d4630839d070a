import { TmpmError } from "../errors.js";
import { normalizeUuid } from "../id/uuid.js";

/** Prefix of our tmux sessions; the rest is the session's name. */
export const TMUX_PREFIX = "tmpm-";

const ADJECTIVES =
  "quiet brave silent swift calm bold bright clever gentle happy keen lively merry noble proud rapid sharp sleek steady sunny warm wise agile amber azure crisp deep eager fancy fierce frosty golden humble icy jolly lucky mellow mighty misty nimble polar royal rustic shiny snowy solar stark vivid witty zesty".split(
    " ",
  );
const NOUNS =
  "falcon river crane otter maple comet harbor ember willow canyon meadow boulder cedar delta fjord glade harvest island jungle lagoon marsh nebula oasis pine quartz ridge summit tundra valley anchor badger cobra dolphin eagle ferret gibbon heron ibis jaguar koala lynx marten newt osprey puffin raven sparrow tiger viper walrus".split(
    " ",
  );

const MAX_DIR_SLUG = 20;
const MAX_NAME = 63;

/** `tmpm-<adjective>-<noun>` from the UUID read as a 128-bit number; the word order is part of the contract (trusty-mpm 2.1). */
export function nameFromUuid(uuid: string): string {
  const normalized = normalizeUuid(uuid);
  if (normalized === null) throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(uuid)} is not a UUID`);
  const value = BigInt(`0x${normalized.replaceAll("-", "")}`);
  const adjective = ADJECTIVES[Number(value % 50n)];
  const noun = NOUNS[Number((value / 50n) % 50n)];
  return `${TMUX_PREFIX}${adjective}-${noun}`;
}

/** `tmpm-<slug>` from the last component of a path, at most 20 characters of slug; `tmpm-session` when empty (trusty-mpm 2.2). */
export function nameFromDir(path: string): string {
  const slug = lastComponent(path)
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_DIR_SLUG)
    .replace(/-+$/, "");
  return `${TMUX_PREFIX}${slug === "" ? "session" : slug}`;
}

function lastComponent(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.at(-1) ?? "";
}

/** The session name for a tmux name, and back: without and with the prefix. */
export function nameFromTmuxName(tmuxName: string): string {
  return tmuxName.startsWith(TMUX_PREFIX) ? tmuxName.slice(TMUX_PREFIX.length) : tmuxName;
}

export function tmuxNameFromName(name: string): string {
  return `${TMUX_PREFIX}${name}`;
}

/** The name itself, or with the lowest free suffix `-2`, `-3`, …; at most 63 characters. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let serial = 2; ; serial++) {
    const suffix = `-${serial}`;
    const candidate = `${name.slice(0, MAX_NAME - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}
