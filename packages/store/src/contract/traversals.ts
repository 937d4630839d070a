/** Texts that are not ids, names or projects, though a careless path or pattern would make something of them. */
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
