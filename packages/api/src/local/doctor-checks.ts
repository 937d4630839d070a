/** One row of the table of `tmpm doctor`. */
export interface DoctorCheck {
  /** `here`: run by the command line, with or without a daemon. `daemon`: run by the daemon, or by its program if no daemon responds. */
  readonly by: "here" | "daemon";
  readonly proves: string;
  /** The fix of `--fix`; null if the user has to fix it. */
  readonly fix: string | null;
}

/** Every check, in the order of the output. `docs/doctor.md` has the same table. */
export const DOCTOR_CHECKS = {
  node: { by: "here", proves: "Node is 20.19 or newer", fix: null },
  git: { by: "here", proves: "git 2.34 or newer is installed; `finish` needs 2.38", fix: null },
  tmux: { by: "here", proves: "tmux 3.2a or newer is installed", fix: null },
  config: { by: "here", proves: "the configuration file is readable, and every setting in it is valid", fix: null },
  home: { by: "here", proves: "you own the data folder, and no other user has access", fix: "removes access for other users" },
  socket: {
    by: "here",
    proves: "you own the socket's folder too, and a daemon answers on the socket",
    fix: "removes access for other users; removes a stale socket",
  },
  rights: { by: "here", proves: "no other user has access to files in the data folder", fix: "removes access for other users" },
  shapes: {
    by: "here",
    proves: "each of tmpm's files is a regular file that you own, without hard links and within its size limit",
    fix: null,
  },
  disk: { by: "here", proves: "a file can be written durably to the data folder, and the disk has room", fix: null },
  clock: { by: "here", proves: "the clock agrees with the disk's, and no record is dated in the future", fix: null },
  leftovers: { by: "here", proves: "no dead process left unfinished files or a daemon start lock", fix: "removes them" },
  limits: { by: "here", proves: "file descriptors, processes, watches and terminals are available", fix: null },
  strays: {
    by: "here",
    proves: "every process started by tmpm belongs to a daemon, a server or a session",
    fix: "makes a tmux server recreate a lost socket",
  },
  service: { by: "here", proves: "the installed service is unchanged, and starts the installed programs", fix: null },
  daemon: {
    by: "here",
    proves: "the daemon answers, and has the command line's version",
    fix: "with `--restart`, replaces a daemon of another version",
  },
  hosts: { by: "daemon", proves: "a session host is available: tmux, or tmpm's own PTYs", fix: null },
  "tmux-server": { by: "daemon", proves: "tmpm's tmux server answers", fix: null },
  "tmux-version": { by: "daemon", proves: "tmux was not upgraded under its server", fix: null },
  "tmux-scope": { by: "daemon", proves: "neither a service manager nor a logout ends the server and its sessions", fix: null },
  "tmux-utf8": {
    by: "daemon",
    proves: "a test tmux server shows a wide and a combining character at the right width",
    fix: null,
  },
  holders: {
    by: "daemon",
    proves: "every holder process belongs to a session, and its folder describes it",
    fix: null,
  },
  "holder-scope": {
    by: "daemon",
    proves: "neither a service manager nor a logout ends a holder and its session",
    fix: null,
  },
  survivors: {
    by: "daemon",
    proves: "on Linux, no hidden process of an ended session is still running",
    fix: null,
  },
  "config-in-use": { by: "daemon", proves: "the daemon uses the current configuration file", fix: null },
  records: { by: "daemon", proves: "every record is readable, and none was overwritten by another program", fix: null },
  agent: { by: "daemon", proves: "an agent is installed, its version is verified, and it trusts tmpm's hooks", fix: null },
  "agent-file": { by: "daemon", proves: "every file that describes an agent is valid", fix: null },
  "agent-hooks": {
    by: "daemon",
    proves: "a test report through `tmpm hook` arrives, and agents that had a turn have reported",
    fix: null,
  },
  "agent-reports": { by: "daemon", proves: "no report was refused", fix: null },
  notices: { by: "daemon", proves: "the last notification of each configured channel was delivered", fix: null },
  audit: { by: "daemon", proves: "the audit log's chain is intact", fix: null },
} as const satisfies Record<string, DoctorCheck>;

export type DoctorCheckId = keyof typeof DOCTOR_CHECKS;

/** The checks of one side. */
export type DoctorCheckBy<B extends DoctorCheck["by"]> = {
  [I in DoctorCheckId]: (typeof DOCTOR_CHECKS)[I]["by"] extends B ? I : never;
}[DoctorCheckId];
