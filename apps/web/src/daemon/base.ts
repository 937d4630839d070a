/** Where the daemon answers, without a slash at the end: the folder that this page lies in, so that a proxy may put it below a path. */
export const BASE = new URL(".", location.href).href.replace(/\/$/, "");
