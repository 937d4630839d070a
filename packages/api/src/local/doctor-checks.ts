/** One row of `tmpm doctor`'s table. */
export interface DoctorCheck {
  /** `here`: the command line looks, with or without a daemon. `daemon`: the daemon looks, and where none answers its program does, for itself. */
  readonly by: "here" | "daemon";
  readonly proves: string;
  /** What `--fix` does about it; null when it leaves it to people. */
  readonly fix: string | null;
}

/** Every check, in the order of the answer. `docs/doctor.md` has the same table. */
export const DOCTOR_CHECKS = {
  node: { by: "here", proves: "Node is 20.19 or newer", fix: null },
  git: { by: "here", proves: "git is there, 2.20 or newer", fix: null },
  tmux: { by: "here", proves: "tmux is there, 3.2a or newer", fix: null },
  config: { by: "here", proves: "the configuration file can be read, and every line of it means something", fix: null },
  home: { by: "here", proves: "the data folder is yours, and no other user may enter it", fix: "closes it to others" },
  socket: {
    by: "here",
    proves: "the socket's folder is yours too, and a daemon answers at its socket",
    fix: "closes it to other users; removes a socket without a listener",
  },
  rights: { by: "here", proves: "nothing in the data folder is open to others", fix: "closes it to others" },
  shapes: {
    by: "here",
    proves: "each of tmpm's files is a regular file of yours with one name, and no larger than tmpm makes it",
    fix: null,
  },
  disk: { by: "here", proves: "the data folder takes a file, durably, and has room for more", fix: null },
  clock: { by: "here", proves: "the clock agrees with the disk's, and nothing was written in the future", fix: null },
  leftovers: { by: "here", proves: "no dead process left unfinished files, or its turn to start a daemon", fix: "removes them" },
  limits: { by: "here", proves: "there are open files, processes, watches and terminals to spare", fix: null },
  strays: {
    by: "here",
    proves: "every process that tmpm began belongs to a daemon, a server or a session",
    fix: "has a tmux server that lost its socket make it anew",
  },
  service: { by: "here", proves: "the service that was installed is as it was, and begins the programs that are there", fix: null },
  daemon: {
    by: "here",
    proves: "the daemon answers, and is of the command line's version",
    fix: "with `--restart`, replaces one of another version",
  },
  hosts: { by: "daemon", proves: "there is something that holds sessions: tmux, or PTYs of tmpm's own", fix: null },
  "tmux-server": { by: "daemon", proves: "the own tmux server answers", fix: null },
  "tmux-version": { by: "daemon", proves: "tmux was not upgraded under its server", fix: null },
  "tmux-scope": { by: "daemon", proves: "no service manager and no logout ends the server, and with it every session", fix: null },
  "tmux-utf8": {
    by: "daemon",
    proves: "a tmux server of its own shows a wide and a combined character in the cells that they take",
    fix: null,
  },
  holders: {
    by: "daemon",
    proves: "every process that holds a session's program belongs to a session, and its folder describes it",
    fix: null,
  },
  survivors: {
    by: "daemon",
    proves: "on Linux, nothing of an ended session runs on, hidden from its terminal and its environment",
    fix: null,
  },
  "config-in-use": { by: "daemon", proves: "the daemon does what the configuration file says", fix: null },
  records: { by: "daemon", proves: "every record can be read, and no other program overwrote one", fix: null },
  agent: { by: "daemon", proves: "an agent is installed, its version was verified, and it trusts our hooks", fix: null },
  "agent-file": { by: "daemon", proves: "a file that describes an agent does", fix: null },
  "agent-hooks": {
    by: "daemon",
    proves: "`tmpm hook`, run as an agent runs it with a token of its own, arrives; and agents that had a turn were heard",
    fix: null,
  },
  "agent-reports": { by: "daemon", proves: "no report was refused", fix: null },
  notices: { by: "daemon", proves: "the last notice by each way that is configured arrived", fix: null },
  audit: { by: "daemon", proves: "the audit log's chain holds", fix: null },
} as const satisfies Record<string, DoctorCheck>;

export type DoctorCheckId = keyof typeof DOCTOR_CHECKS;
