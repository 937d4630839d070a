/** Maximum size of a stored document, in bytes. Larger than any document within the documented limits, such as a node's sessions or a session's messages and comments. */
export const MOST_DOCUMENT_BYTES = 64 * 1024 * 1024;
