import { join } from "node:path";
import { bundledProgram } from "@tmpm/holder/testing";

/** The programs that a holder of a PTY runs and that attach to one, each as one file that Node can run. */
export async function builtPrograms(): Promise<{ readonly entry: string; readonly attach: string }> {
  const source = join(import.meta.dirname, "..", "src");
  const entry = bundledProgram(join(source, "held", "pty-holder.ts"));
  const attach = bundledProgram(join(source, "attach", "pty-attach.ts"));
  return { entry: await entry, attach: await attach };
}

/** Reads a terminal as a daemon does, and can be killed. */
export function builtOwner(): Promise<string> {
  return bundledProgram(join(import.meta.dirname, "output-owner.ts"));
}
