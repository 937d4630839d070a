/** Bytes that are not an HTTP response, or exceed the size limit. */
export class BadResponse extends Error {
  override readonly name = "BadResponse";
}
