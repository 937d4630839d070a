import type { Plugin } from "esbuild";

export interface BundleInventory {
  readonly plugin: Plugin;
  /** The same for a build of vite, which also writes them. */
  readonly pagePlugin: {
    readonly name: string;
    generateBundle(options: unknown, bundle: Readonly<Record<string, { readonly modules?: Readonly<Record<string, unknown>> }>>): void;
    writeBundle(options: { readonly dir?: string }): void;
  };
  /** Into the folder that is shipped. */
  write(folder: string): void;
}

export function bundleInventory(): BundleInventory;
