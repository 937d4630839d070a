import * as z from "zod";
import { keepUnknown } from "./keep-unknown.js";
import { Timestamp } from "./timestamp.js";

/** A path below the top of a work tree: no root, no step upwards, nothing of git's own. */
const InnerPath = z
  .string()
  .min(1)
  .max(1024)
  .refine((path) => !/\p{Cc}/u.test(path) && path.split("/").every(isInnerName), "not a path inside the work tree");

function isInnerName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.toLowerCase() !== ".git";
}

/** How many ports a workspace gets. */
export const PORTS_EACH = 10;

const PortName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, "use a lower-case letter, then letters, digits and _");

/** The ports of a session's workspace: ten from `base` on, the first of them with these names. */
export const SessionPorts = keepUnknown({ base: z.number().int().min(1024).max(65_526), names: z.array(z.string()) });
export type SessionPorts = z.infer<typeof SessionPorts>;

/** The variables by which what runs in a workspace learns its ports. */
export function portVariables(ports: SessionPorts | null): Readonly<Record<string, string>> {
  if (ports === null) return {};
  const named = ports.names.map((name, index) => [`TMPM_PORT_${name.toUpperCase()}`, String(ports.base + index)]);
  return { TMPM_PORT_BASE: String(ports.base), ...Object.fromEntries(named) };
}

/** What makes a fresh workspace ready to be worked in. */
export const ProjectSetup = z.strictObject({
  /** Copied from the directory that the workspace is made from. */
  copy: z.array(InnerPath).max(100).default([]),
  /** Symbolic links into that directory. */
  link: z.array(InnerPath).max(100).default([]),
  /** Lines for `/bin/sh`, one after the other, at the top of the workspace. */
  run: z.array(z.string().min(1).max(8192)).max(50).default([]),
  /** The same before the workspace goes to the trash. What fails there keeps it from nothing. */
  teardown: z.array(z.string().min(1).max(8192)).max(50).default([]),
  /** Names of ports that each workspace gets of its own: `web` is `TMPM_PORT_WEB` there. */
  ports: z.array(PortName).max(PORTS_EACH).default([]),
  /** How long each line may take, in seconds. */
  timeout: z.number().int().min(1).max(1800).default(600),
});
export type ProjectSetup = z.infer<typeof ProjectSetup>;

/** The file `.tmpm.yaml` at the top of a repository. Inert until the user agrees to its content. */
export const ProjectFile = z.looseObject({ setup: ProjectSetup.optional() });
export type ProjectFile = z.infer<typeof ProjectFile>;

/** What of a project's file the user consented to: `sha256` are digests of whole contents, the newest last. */
export const SetupConsent = z.looseObject({
  /** The directory, or the URL without credentials, that workspaces are made from. */
  source: z.string(),
  sha256: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  at: Timestamp,
});
export type SetupConsent = z.infer<typeof SetupConsent>;

/** What became of the set-up of a session's workspace. `not_trusted` and `unreadable`: nothing of it was done. */
export const SessionSetup = keepUnknown({
  state: z.enum(["not_trusted", "unreadable", "running", "done", "failed"]),
  /** Of the file's content; null when it could not be read. */
  sha256: z.string().nullable(),
  /** What is being done, or what failed; null otherwise. */
  doing: z.string().nullable(),
});
export type SessionSetup = z.infer<typeof SessionSetup>;
