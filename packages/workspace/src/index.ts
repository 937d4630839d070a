export * from "./describe-directory.js";
export * from "./git.js";
export * from "./git-version.js";
export * from "./remote-url.js";
