import { isCollection, isMap, type ParsedNode, parseDocument } from "yaml";

/** The new value of a key; `absent` removes the key. */
export type Change = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "absent" };

/** The text with one key changed; comments and the order of everything else are kept. The text must be YAML. */
export function editConfig(text: string, { key, change }: { readonly key: string; readonly change: Change }): string {
  const document = parseDocument(text);
  const path = key.split(".");
  if (change.kind === "absent") {
    if (!document.hasIn(path)) return text;
    document.deleteIn(path);
    dropEmpty(document, path.slice(0, -1));
  } else {
    for (let length = 1; length < path.length; length++) {
      const group = path.slice(0, length);
      if (document.hasIn(group) && !isCollection(document.getIn(group, true))) document.deleteIn(group);
    }
    document.setIn(path, isScalarLike(change.value) ? change.value : document.createNode(change.value, { flow: true }));
  }
  if (isMap(document.contents) && document.contents.items.length === 0 && document.contents.comment === undefined)
    document.contents.flow = false;
  return isEmptyMap(document.contents) ? commentsOf(document) : document.toString({ lineWidth: 0 });
}

function dropEmpty(document: ReturnType<typeof parseDocument>, path: readonly string[]): void {
  if (path.length === 0) return;
  const group = document.getIn(path, true);
  if (!isMap(group) || group.items.length > 0 || (group.comment ?? "") !== "") return;
  document.deleteIn(path);
  dropEmpty(document, path.slice(0, -1));
}

function isEmptyMap(contents: ParsedNode | null): boolean {
  return isMap(contents) && contents.items.length === 0;
}

/** Only comments are left of the file. */
function commentsOf(document: ReturnType<typeof parseDocument>): string {
  const parts = [document.commentBefore, document.contents?.commentBefore, document.contents?.comment, document.comment];
  const lines = parts.flatMap((part) => ((part ?? "") === "" ? [] : (part ?? "").split("\n").map((line) => `#${line}`)));
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function isScalarLike(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
