import { normalizeUuid } from "@tmpm/core";
import type { CopyFolder } from "./durable/copy-folder.js";
import type { ItemCodec, SessionItem } from "./session-item.js";
import { type SessionsText, textOf } from "./sessions-text.js";

export interface ItemsOptions {
  readonly codec: ItemCodec;
  readonly copies: Pick<CopyFolder, "ids" | "read">;
  readonly known: (path: string) => SessionItem | undefined;
  /** False: read every copy again. */
  readonly fresh: boolean;
}

/** The entries of a file in its order; unchanged ones are the same objects. @throws SyntaxError */
export function itemsOf({ text, members }: SessionsText, { codec, copies, known, fresh }: ItemsOptions): readonly SessionItem[] {
  const ids = copies.ids();
  return members.map((member) => {
    const { key } = member;
    const value = textOf(text, member);
    const before = known(key);
    if (fresh && before?.text === value && before.standing === "plain") return before;
    const id = normalizeUuid(key);
    const copy = id !== null && ids.has(id) ? copies.read(id) : null;
    return codec.decode({ key, text: value, copy });
  });
}

/** A duplicate id identifies no record: another reader of the file may use the other one. */
export function distinctItems(items: readonly SessionItem[], path: string): readonly SessionItem[] {
  const counts = new Map<string, number>();
  for (const { id } of items) counts.set(id, (counts.get(id) ?? 0) + 1);
  if (counts.size === items.length) return items;
  return items.map((item, index) => (counts.get(item.id) === 1 ? item : duplicate(item, { index, path })));
}

/** Without a text, so that it is read again at the next change. */
function duplicate(item: SessionItem, { index, path }: { readonly index: number; readonly path: string }): SessionItem {
  const { entry } = item;
  const project_id = entry.kind === "session" ? entry.record.project_id : entry.project_id;
  const reason = "another entry has this id";
  return {
    ...item,
    path: `${item.key}#${index}`,
    text: "",
    standing: "plain",
    entry: { kind: "damaged", id: item.id, project_id, path, reason },
  };
}
