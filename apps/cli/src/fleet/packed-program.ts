import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TmpmError } from "@tmpm/core";

/** A folder with a copy of this installation's programs, as npm installs them. */
export interface PackedProgram {
  readonly dir: string;
  [Symbol.dispose](): void;
}

/** Where the copy has the command. */
export const MAIN = "node_modules/@tmpm/cli/dist/main.cjs";

/** Without native modules, which depend on the machine: tmpm runs without them, except for sessions on its own PTYs. @throws DAEMON_UNREACHABLE */
export function packedProgram(): PackedProgram {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-packed-"));
  const dispose = () => rmSync(dir, { recursive: true, force: true });
  try {
    copyPackage(packageOf(realpathSync(process.argv[1] ?? "")), { name: "@tmpm/cli", into: dir });
    copyPackage(packageOf(createRequire(import.meta.url).resolve("@tmpm/daemon/main")), { name: "@tmpm/daemon", into: dir });
  } catch (error) {
    dispose();
    throw error;
  }
  return { dir, [Symbol.dispose]: dispose };
}

/** The package of a program in its `dist`. */
function packageOf(program: string): string {
  return dirname(dirname(program));
}

function copyPackage(from: string, { name, into }: { readonly name: string; readonly into: string }): void {
  const manifest = join(from, "package.json");
  const found = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : null;
  if (found?.name !== name || !existsSync(join(from, "dist")))
    throw new TmpmError("DAEMON_UNREACHABLE", `${from} is not an installation of ${name} that can be copied`, {
      hint: "Install tmpm on the node with npm install --global @tmpm/cli.",
      details: { path: from },
    });
  const to = join(into, "node_modules", name);
  mkdirSync(to, { recursive: true });
  for (const part of ["package.json", ...found.files])
    if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
}
