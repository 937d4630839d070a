/** The links to other machines and this machine's identity; a separate bundle, because most commands never need it. */
export { bridge, keptIdentity, nkeyOf, serveLink, sshEnd, streamWire, systemTimer } from "@tmpm/fleet";
