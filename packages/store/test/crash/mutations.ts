import type { Operation } from "./operation.js";

/** The same log as produced by a writer that skips one step of the protocol. */
export type Mutation = (log: readonly Operation[]) => readonly Operation[];

export const withoutFileSync: Mutation = (log) => log.filter(({ type }) => type !== "sync");

export const withoutFolderSync: Mutation = (log) => log.filter(({ type }) => type !== "sync-folder");

/** The file to rename keeps its temporary name. */
export const withoutRename: Mutation = (log) => log.filter((operation) => operation.type !== "rename" || !operation.from.endsWith(".tmp"));

/** Each file is opened, truncated and written in place. */
export const writtenInPlace: Mutation = (log) => {
  const places = new Map(log.flatMap((operation) => (operation.type === "rename" ? [[operation.from, operation.to] as const] : [])));
  return log.flatMap((operation) => {
    if (operation.type === "rename" && operation.from.endsWith(".tmp")) return [];
    const path = operation.type === "create" ? places.get(operation.path) : undefined;
    return path !== undefined && operation.type === "create" ? [{ type: "truncate" as const, path, file: operation.file }] : [operation];
  });
};
