/** Texts that are not ids, names or projects, but that a careless path or pattern would accept. */
export const TRAVERSALS = [
  "..",
  ".",
  "/",
  "../default",
  "../../etc/passwd",
  "default/../x",
  "\0",
  "%2e%2e",
  "-",
  "*",
  "\\",
  ".locks",
  ".archive",
];
