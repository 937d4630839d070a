/** The `--help` text of every verb, and of the program under "". Rendered here; the build replaces this file with the result. */
export const HELP: Readonly<Record<string, string>> = {};
