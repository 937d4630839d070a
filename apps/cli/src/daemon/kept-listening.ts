import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { parseObject } from "../input/parse-object.js";
import { readIfThere } from "../system/read-if-there.js";
import { replaceFile } from "../system/replace-file.js";
import type { ListenRequest } from "./listen-request.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the daemon was last told to listen: whoever starts the next one, after a crash or for another version, need not be told again. Holds no secret. */
export function keptListening({ home }: Location): ListenRequest {
  const { listen, tlsCert, tlsKey } = parseObject(readIfThere(pathIn(home)) ?? "{}");
  if (typeof listen !== "string") return {};
  return {
    listen,
    ...(typeof tlsCert === "string" ? { tlsCert } : {}),
    ...(typeof tlsKey === "string" ? { tlsKey } : {}),
  };
}

/** Keeps what the environment of a daemon that was started says. */
export function keepListening({ home }: Location, { TMPM_LISTEN, TMPM_TLS_CERT, TMPM_TLS_KEY }: Env): void {
  if (!TMPM_LISTEN) return;
  replaceFile(pathIn(home), `${JSON.stringify({ listen: TMPM_LISTEN, tlsCert: TMPM_TLS_CERT, tlsKey: TMPM_TLS_KEY })}\n`);
}

/** Nothing listens any more unless it is told to. */
export function forgetListening({ home }: Location): void {
  rmSync(pathIn(home), { force: true });
}

function pathIn(home: string): string {
  return join(home, "listening.json");
}
