import { TOKEN_SCOPES } from "@tmpm/api";
import { Slug, Timestamp } from "@tmpm/core";
import * as z from "zod";

/** A token's record. `bearer` is sent in a header, `login` in a browser's cookie; they are not interchangeable. */
export const Token = z.object({
  id: z.string(),
  name: Slug,
  kind: z.enum(["bearer", "login"]),
  scope: z.enum(TOKEN_SCOPES),
  /** The secret's digest, in hexadecimal. The secret itself is not stored. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: Timestamp,
  /** Null if it does not expire. */
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
});
export type Token = Readonly<z.infer<typeof Token>>;
