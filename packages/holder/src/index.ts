export { clearEnded, endHeld, leaveHolder } from "./end-holder.js";
export { type FoundHolder, findHolder, listHolders } from "./find-holder.js";
export { type HolderFacts, identityOf, PROTOCOL } from "./holder-facts.js";
export { holderSocket } from "./holder-folder.js";
export { type CallOptions, connectHolder, type HolderLink, type LinkOptions } from "./holder-link.js";
export { type HolderLinks, holderLinks, type LinksOptions } from "./holder-links.js";
export type { HolderClient, HolderProgram, HolderReply, HolderRequest, HolderSide, RunningProgram } from "./holder-program.js";
export { runHolder } from "./run-holder.js";
export { type StartOptions, startHolder } from "./start-holder.js";
