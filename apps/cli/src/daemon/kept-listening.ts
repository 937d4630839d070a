import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { membersOf } from "../input/parse-object.js";
import { readIfThere } from "../system/read-if-there.js";
import { replaceFile } from "../system/replace-file.js";
import type { ListenRequest } from "./listen-request.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The daemon's last listen options, for the next start after a crash or an upgrade. Holds no secret. */
export function keptListening({ home }: Location): ListenRequest {
  const { listen, tlsCert, tlsKey } = membersOf(readIfThere(pathIn(home)) ?? "{}");
  if (typeof listen !== "string") return {};
  return {
    listen,
    ...(typeof tlsCert === "string" ? { tlsCert } : {}),
    ...(typeof tlsKey === "string" ? { tlsKey } : {}),
  };
}

/** Saves the listen options in a started daemon's environment. */
export function keepListening({ home }: Location, { TMPM_LISTEN, TMPM_TLS_CERT, TMPM_TLS_KEY }: Env): void {
  if (!TMPM_LISTEN) return;
  replaceFile(pathIn(home), `${JSON.stringify({ listen: TMPM_LISTEN, tlsCert: TMPM_TLS_CERT, tlsKey: TMPM_TLS_KEY })}\n`);
}

/** The next daemon listens only if configured to. */
export function forgetListening({ home }: Location): void {
  rmSync(pathIn(home), { force: true });
}

function pathIn(home: string): string {
  return join(home, "listening.json");
}
