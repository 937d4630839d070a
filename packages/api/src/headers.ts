/** Response header with the daemon's version. */
export const VERSION_HEADER = "tmpm-version";

/** Request header with the id of the session that a caller acts as; the session's token accompanies it. */
export const SESSION_HEADER = "tmpm-session";
