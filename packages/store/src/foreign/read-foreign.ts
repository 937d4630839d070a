import { basename, dirname, isAbsolute, join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { readBounded } from "../durable/read-bounded.js";
import { storeFailure } from "../durable/store-failure.js";
import type { ForeignContent, ForeignDocument, ForeignFiles, ForeignProgram } from "./foreign-files.js";
import { type Kind, kindOf } from "./list-folder.js";
import { openEnvelope } from "./open-envelope.js";
import { parseJson } from "./parse-json.js";
import { readAo } from "./read-ao.js";
import { readZeroclaw } from "./read-zeroclaw.js";

const MAX_JSON_BYTES = 64 * 1024 * 1024;
const SESSIONS = "sessions.json";
const REGISTRY = "session_registry.json";
const THOUGHTS = "thoughts.json";

/**
 * Reads the session files of another program. `path` is absolute: trusty-mpm's `sessions.json`, the data folder of ao-rs, the data folder
 * of swimmers or its `session_registry.json`, that of zeroclaw or its `acp-sessions.db`; for the files, also their folder. Sizes and
 * nesting are bounded, symbolic links are not followed.
 * @throws FILE_NOT_FOUND for a missing path, INVALID_ARGUMENT for another kind of file, RESOURCE_EXHAUSTED
 */
export async function readForeign({ from, path }: { readonly from: ForeignProgram; readonly path: string }): Promise<ForeignFiles> {
  if (!isAbsolute(path) || path.includes("\0")) throw invalidPath(path, "the path must be absolute");
  const kind = requireKind(path);
  if (from === "trusty-mpm") return { from, sessions: required(kind === "folder" ? join(path, SESSIONS) : path, (content) => content) };
  if (from === "swimmers") return readSwimmers(kind === "folder" ? join(path, REGISTRY) : path);
  if (from === "zeroclaw") return readZeroclaw(path);
  if (kind === "folder") return readAo(path);
  throw invalidPath(path, `${path} is not a folder`, "Give the data folder of ao-rs.");
}

function readSwimmers(registry: string): ForeignFiles {
  if (basename(registry) === THOUGHTS)
    throw invalidPath(registry, `${registry} contains no sessions`, `Give the folder, or ${REGISTRY} in it.`);
  const thoughts = join(dirname(registry), THOUGHTS);
  return {
    from: "swimmers",
    registry: required(registry, openEnvelope),
    thoughts: kindOf(thoughts) === "absent" ? null : { source: thoughts, ...openEnvelope(readJson(thoughts)) },
  };
}

function requireKind(path: string): Kind {
  const kind = look(path);
  if (kind === "absent") throw new TmpmError("FILE_NOT_FOUND", `${path} does not exist`, { details: { field: "path", path } });
  if (kind === "link") throw invalidPath(path, `${path} is a symbolic link`, "Give its target path.");
  return kind;
}

function look(path: string): Kind {
  try {
    return kindOf(path);
  } catch (error) {
    const failure = storeFailure(error, { doing: "cannot inspect the source", path });
    throw failure instanceof TmpmError ? invalidPath(path, failure.message) : failure;
  }
}

/** The file required for an import. */
function required(source: string, open: (content: ForeignContent) => ForeignContent): ForeignDocument {
  const content = open(readJson(source));
  if (content.readable) return { source, ...content };
  throw invalidPath(source, `${source} cannot be imported: ${content.reason}`);
}

function readJson(path: string): ForeignContent {
  const content = readBounded(path, { maxBytes: MAX_JSON_BYTES });
  if (content.kind === "text") return parseJson(content.text);
  return { readable: false, reason: content.kind === "absent" ? "it does not exist" : content.reason };
}

function invalidPath(path: string, message: string, hint?: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field: "path", path }, ...(hint === undefined ? {} : { hint }) });
}
