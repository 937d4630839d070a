/** The link to other machines and the identity of this one; a separate bundle, since most commands never need it. */
export { bridge, keptIdentity, nkeyOf, serveLink, streamWire, systemTimer } from "@tmpm/fleet";
