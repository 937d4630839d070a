import type { Plugin } from "esbuild";

export interface BundleInventory {
  readonly plugin: Plugin;
  /** Into the folder that is shipped. */
  write(folder: string): void;
}

export function bundleInventory(): BundleInventory;
