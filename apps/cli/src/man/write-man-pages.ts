import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../commands.js";
import { VERSION } from "../version.js";
import { manOverview, manPage } from "./man-page.js";

/** Writes the pages of all commands into a folder, replacing its content; called by the build. */
export async function writeManPages(folder: string, { now }: { readonly now: Date }): Promise<void> {
  const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
  const edition = { version: VERSION, date: now.toISOString().slice(0, 10) };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "tmpm.1"), manOverview(commands, edition));
  for (const command of commands) writeFileSync(join(folder, `tmpm-${command.name}.1`), manPage(command, edition));
}
