import * as z from "zod";

/** An agent's permission request. `always` and `never` also decide later requests. */
export const PermissionOption = z.object({
  id: z.string(),
  label: z.string(),
  grants: z.enum(["once", "always", "no", "never"]),
});
export type PermissionOption = z.infer<typeof PermissionOption>;

export const PermissionRequest = z.object({
  /** Our own id: unique for each request. */
  id: z.string(),
  /** The protocol's kind of tool: `execute`, `edit`. */
  tool: z.string().nullable(),
  /** The exact command or file, as far as the agent reports it. */
  subject: z.string(),
  options: z.array(PermissionOption).readonly(),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;
