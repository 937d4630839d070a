const WITH_SCHEME = /^(https?|ssh|git|file):\/\/([^/?#]*)([^?#]*)/;
const SCP_LIKE = /^(?:[\w.-]+@)?[\w.-]+:(?!:)\S+$/;
const LOCAL = /^(?:\/|\.\.?\/)/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A remote's URL without credentials: user and password of http(s), any password, query and fragment are removed.
 * Null unless it is a plain URL, scp-like address or path, since secrets in other forms cannot be detected.
 */
export function publicUrl(url: string): string | null {
  if (CONTROL.test(url)) return null;
  const parts = WITH_SCHEME.exec(url);
  if (parts === null) return SCP_LIKE.test(url) || LOCAL.test(url) ? url : null;
  const [, scheme = "", authority = "", path = ""] = parts;
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  if (!isHost(host, scheme)) return null;
  const user = scheme === "ssh" && at >= 0 ? (authority.slice(0, at).split(":")[0] ?? "") : "";
  return `${scheme}://${user === "" ? "" : `${user}@`}${host}${path}`;
}

/** A password with a slash in it ends the authority early and leaves `user:pass` in place of the host. */
function isHost(host: string, scheme: string): boolean {
  if (host === "") return scheme === "file";
  return /^(?:\[[0-9a-fA-F:.]+\]|[^:[\]\s]+)(?::\d+)?$/.test(host);
}
