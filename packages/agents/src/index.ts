export type * from "./adapter.js";
