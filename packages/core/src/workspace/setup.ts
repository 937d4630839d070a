import * as z from "zod";
import { keepUnknown } from "../keep-unknown.js";
import { Timestamp } from "../time/timestamp.js";
import { PORTS_EACH } from "./ports.js";

/** A path below the top of a work tree: relative, without `..` and without git's own files. */
const InnerPath = z
  .string()
  .min(1)
  .max(1024)
  .refine((path) => !/\p{Cc}/u.test(path) && path.split("/").every(isInnerName), "not a path inside the work tree");

function isInnerName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.toLowerCase() !== ".git";
}

const PortName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, "use a lower-case letter, then letters, digits and _");

/** The ports of a session's workspace: ten from `base` on, the first of them with these names. */
export const SessionPorts = keepUnknown({ base: z.number().int().min(1024).max(65_526), names: z.array(z.string()) });
export type SessionPorts = z.infer<typeof SessionPorts>;

/** The setup of a fresh workspace. */
export const ProjectSetup = z.strictObject({
  /** Copied from the workspace's source directory. */
  copy: z.array(InnerPath).max(100).default([]),
  /** Symbolic links into that directory. */
  link: z.array(InnerPath).max(100).default([]),
  /** Commands for `/bin/sh`, run in order at the top of the workspace. */
  run: z.array(z.string().min(1).max(8192)).max(50).default([]),
  /** Commands run before the workspace goes to the trash. A failure does not prevent that. */
  teardown: z.array(z.string().min(1).max(8192)).max(50).default([]),
  /** Names of ports that each workspace gets: `web` is `TMPM_PORT_WEB` there. */
  ports: z.array(PortName).max(PORTS_EACH).default([]),
  /** Timeout of each command, in seconds. */
  timeout: z.number().int().min(1).max(1800).default(600),
});
export type ProjectSetup = z.infer<typeof ProjectSetup>;

/** The file `.tmpm.yaml` at the top of a repository. Inert until the user agrees to its content. */
export const ProjectFile = z.looseObject({ setup: ProjectSetup.optional() });
export type ProjectFile = z.infer<typeof ProjectFile>;

/** The user's consent to project files: `sha256` are digests of whole contents, the newest last. */
export const SetupConsent = z.looseObject({
  /** The directory, or the URL without credentials, that workspaces are made from. */
  source: z.string(),
  sha256: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  at: Timestamp,
});
export type SetupConsent = z.infer<typeof SetupConsent>;

/** The state of a workspace's setup. `not_trusted` and `unreadable`: nothing of it was run. */
export const SessionSetup = keepUnknown({
  state: z.enum(["not_trusted", "unreadable", "running", "done", "failed"]),
  /** Of the file's content; null when it could not be read. */
  sha256: z.string().nullable(),
  /** The current or failed step; null otherwise. */
  doing: z.string().nullable(),
});
export type SessionSetup = z.infer<typeof SessionSetup>;
