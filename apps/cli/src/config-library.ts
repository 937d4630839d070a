/** What reads and writes the configuration: a program of its own beside this one, since most commands never need it. */
export * from "@tmpm/api/config";
