import type { Plugin } from "esbuild";

export interface BundleInventory {
  readonly plugin: Plugin;
  /** The same for a build of vite, which also writes the files. */
  readonly pagePlugin: {
    readonly name: string;
    generateBundle(options: unknown, bundle: Readonly<Record<string, { readonly modules?: Readonly<Record<string, unknown>> }>>): void;
    writeBundle(options: { readonly dir?: string }): void;
  };
  /** Writes into the shipped folder. */
  write(folder: string): void;
}

export function bundleInventory(): BundleInventory;
