const NAMED: Readonly<Record<string, string>> = {
  enter: "\r",
  kpenter: "\r",
  escape: "\u001b",
  tab: "\t",
  btab: "\u001b[Z",
  space: " ",
  bspace: "\u007f",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[1~",
  end: "\u001b[4~",
  dc: "\u001b[3~",
  delete: "\u001b[3~",
  ppage: "\u001b[5~",
  pageup: "\u001b[5~",
  npage: "\u001b[6~",
  pagedown: "\u001b[6~",
};

/** The bytes that a program reads for a key's tmux name; the name itself for keys without a common code. */
export function keyBytes(key: string): string {
  if (key.startsWith("M-") && key.length > 2) return `\u001b${keyBytes(key.slice(2))}`;
  const control = /^C-(.)$/.exec(key)?.[1];
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
  return NAMED[key.toLowerCase()] ?? key;
}
