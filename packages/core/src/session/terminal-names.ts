/** A text that can tag a terminal, and name its holder's folder: a session's id. */
export const TERMINAL_TAG = /^[A-Za-z0-9_-]{1,64}$/;

/** A session's name as a terminal's name; a host replaces `.` and `:` by `_`. */
export const TERMINAL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,63}$/;
