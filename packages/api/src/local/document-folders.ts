/** The folders of documents in the data folder: one JSON file for each. */
export const DOCUMENT_FOLDERS = [
  "comments",
  "consents",
  "decisions",
  "launch-env",
  "messages",
  "node-prompts",
  "node-sessions",
  "nodes",
  "operations",
  "projects",
  "pull-requests",
  "push",
  "push-keys",
  "push-ledger",
  "requests",
  "thoughts",
  "tokens",
  "upload-lists",
  "usage",
  "web",
] as const;

export type DocumentFolder = (typeof DOCUMENT_FOLDERS)[number];
