/** Maximum size of a stored document: above each within the documented limits, such as a node's sessions and a session's messages and comments. */
export const MOST_DOCUMENT_BYTES = 64 * 1024 * 1024;
