/** Bytes that are not the answer of an HTTP server, or more of them than allowed. */
export class BadResponse extends Error {
  override readonly name = "BadResponse";
}
