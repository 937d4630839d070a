import type { DoctorCheckBy, Examination } from "@tmpm/api/local";
import { clock } from "./clock.js";
import { configValid } from "./config-valid.js";
import { type DaemonAnswersOptions, daemonAnswers } from "./daemon-answers.js";
import { disk } from "./disk.js";
import { leftovers } from "./leftovers.js";
import { limits } from "./limits.js";
import type { LocalFinding, Place } from "./local-finding.js";
import { privateFolder } from "./private-folder.js";
import { nodeVersion, programVersion } from "./programs.js";
import { rights } from "./rights.js";
import { serviceHealth } from "./service-health.js";
import { shapes } from "./shapes.js";
import { socketAnswers } from "./socket-answers.js";
import { strays } from "./strays.js";

type LocalChecks = Readonly<Record<DoctorCheckBy<"here">, Examination<LocalFinding>>>;

/** The checks of the command line, with or without a daemon, in output order. */
export function localChecks(place: Place, daemon: DaemonAnswersOptions): LocalChecks {
  return {
    node: () => nodeVersion(),
    git: () => programVersion(place, { name: "git", flag: "--version", minimum: "2.34", without: null }),
    tmux: () => programVersion(place, { name: "tmux", flag: "-V", minimum: "3.2a", without: "sessions run on tmpm's own PTYs" }),
    config: () => configValid(place),
    home: async () => [privateFolder({ name: "home", path: place.location.home, uid: place.uid })],
    socket: () => socketAnswers(place),
    rights: () => rights(place),
    shapes: () => shapes(place),
    disk: () => disk(place),
    clock: () => clock(place),
    leftovers: () => leftovers(place),
    limits: () => limits(),
    strays: () => strays(place, daemon),
    service: () => serviceHealth(place),
    daemon: () => daemonAnswers(place, daemon),
  };
}
