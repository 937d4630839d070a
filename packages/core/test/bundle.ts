import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

interface Built {
  readonly outputFiles: readonly { readonly text: string }[];
  readonly metafile: {
    readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>>;
  };
}

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

/** esbuild is a dependency of tsup; we do not declare it. */
const tsup = createRequire(import.meta.url).resolve("tsup");
const esbuild: { build(options: object): Promise<Built> } = createRequire(tsup)("esbuild");

export interface Bundle {
  readonly text: string;
  /** The files with code in the bundle, relative to this package. */
  readonly files: readonly string[];
}

/** A bundle of `code` for a browser, as a script; imports resolve from this package. */
export async function bundle(code: string): Promise<Bundle> {
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: code, resolveDir: packageFolder, loader: "ts" },
    absWorkingDir: packageFolder,
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "bundled",
    conditions: ["@tmpm/source"],
    logLevel: "silent",
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return { text: outputFiles[0]?.text ?? "", files: inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file) };
}
