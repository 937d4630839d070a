export * from "./document.js";
export type { Operation, Parameter, Reference } from "./operation.js";
export * from "./reference-markdown.js";
export * from "./reference-page.js";
