/** Logic tests run outside a browser, without a page. */
const PAGE = typeof location === "undefined" ? "http://localhost/" : location.href;

/** The daemon's base URL without a trailing slash: this page's folder, so that a proxy may serve it below a path. */
export const BASE = new URL(".", PAGE).href.replace(/\/$/, "");
