import type { DiffAnswer, Input } from "@tmpm/api";
import type { Context } from "../context.js";
import { oneLine } from "../render/one-line.js";

export interface WrittenPatch {
  /** The last page. */
  readonly answer: DiffAnswer;
  /** What the patch lacks. */
  readonly missing: readonly string[];
}

/** Time for one page of a diff. */
export const PAGE_MS = 120_000;
/** The largest page, because each page compares the whole work tree. */
const FILES = 1_000;

/**
 * Writes the patch for `git apply` page by page, as bytes: all pages, or the requested one. Stops once the reader is gone.
 */
export async function writePatch(context: Context, request: Input<"diff">): Promise<WrittenPatch> {
  const isPart = request.limit !== undefined || request.cursor !== undefined;
  const client = context.client();
  const page = (cursor: string | undefined) =>
    client.diff({ ...request, exact: true, limit: request.limit ?? FILES, cursor }, { timeoutMs: PAGE_MS });
  const first = await page(request.cursor);
  const tooLarge: string[] = [];
  const missing = () => (tooLarge.length === 0 ? [] : [`too large: ${tooLarge.join(", ")}`]);
  let answer = first;
  for (;;) {
    tooLarge.push(...answer.files.filter(({ too_large }) => too_large).map(({ path }) => oneLine(path)));
    const isRead = answer.files.every((file) => !isPrinted(file) || context.write(bytesOf(file)));
    if (isPart || !isRead || answer.next === null) break;
    answer = await page(answer.next);
    if (stateOf(answer) !== stateOf(first)) return { answer, missing: [...missing(), "the work tree changed while it was read"] };
  }
  return { answer, missing: missing() };
}

function isPrinted({ patch, patch_bytes }: DiffAnswer["files"][number]): boolean {
  return patch !== null || patch_bytes !== null;
}

function bytesOf({ patch, patch_bytes }: DiffAnswer["files"][number]): Uint8Array {
  return patch_bytes === null ? Buffer.from(patch ?? "") : Buffer.from(patch_bytes, "base64");
}

/** Equal for two pages of the same comparison. */
function stateOf({ base, total, version }: DiffAnswer): string {
  return JSON.stringify([base.commit, total, version]);
}
