/** Reads and writes the configuration; a separate bundle, since most commands never need it. */
export * from "@tmpm/api/config";
