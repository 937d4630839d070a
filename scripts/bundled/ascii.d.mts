import type { Options } from "tsup";

export declare const asciiOnly: NonNullable<Options["plugins"]>[number];
export declare function escaped(code: string): string;
