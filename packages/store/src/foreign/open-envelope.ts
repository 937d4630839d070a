import { crc32 } from "node:zlib";
import { isFields } from "../sessions/merge-document.js";
import type { ForeignContent } from "./foreign-files.js";
import { parseJson } from "./parse-json.js";

/**
 * The document in swimmers' envelope (swimmers 1.4): `{"checksum_crc32": …, "payload": "…"}` over the payload's bytes. A document without
 * one is returned unchanged; with either key it must be a valid envelope.
 */
export function openEnvelope(content: ForeignContent): ForeignContent {
  if (!content.readable || !isFields(content.document)) return content;
  const { checksum_crc32, payload } = content.document;
  if (checksum_crc32 === undefined && payload === undefined) return content;
  if (typeof checksum_crc32 !== "number" || typeof payload !== "string") return { readable: false, reason: "not a valid envelope" };
  if (crc32(Buffer.from(payload, "utf8")) !== checksum_crc32) return { readable: false, reason: "its checksum does not match" };
  return parseJson(payload);
}
