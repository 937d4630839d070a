/** Tests of the logic run outside a browser, without a page. */
const PAGE = typeof location === "undefined" ? "http://localhost/" : location.href;

/** Where the daemon answers, without a slash at the end: the folder that this page lies in, so that a proxy may put it below a path. */
export const BASE = new URL(".", PAGE).href.replace(/\/$/, "");
