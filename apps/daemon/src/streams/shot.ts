import type { StreamScreen } from "@tmpm/api";
import type { OutputSubscription } from "@tmpm/tmux-driver";

/** A screen at a position in a terminal's output. */
export type Shot = Awaited<ReturnType<OutputSubscription["look"]>>;

export function screenBody({ offset, screen, paint }: Shot): StreamScreen {
  const { lines, cursor, title, pane } = screen;
  return {
    seq: offset,
    columns: pane.columns,
    rows: pane.rows,
    cursor: { ...cursor },
    title,
    lines: [...lines],
    paint: Buffer.from(paint.buffer, paint.byteOffset, paint.byteLength).toString("base64"),
  };
}
