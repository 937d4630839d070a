/** What `--help` prints of every verb, and of the program under "". Here it is to be rendered; the build writes it down in place of this file. */
export const HELP: Readonly<Record<string, string>> = {};
