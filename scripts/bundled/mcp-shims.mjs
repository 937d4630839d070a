// Replaces `@modelcontextprotocol/server/_shims` in the built programs. Tools are validated by their own zod schemas; the compiler of JSON schemas, a third
// of the library, is never used.
export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("JSON schemas are not compiled in the bundle");
  }
}
