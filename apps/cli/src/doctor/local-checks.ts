import type { Examination } from "@tmpm/api/local";
import { clock } from "./clock.js";
import { configValid } from "./config-valid.js";
import { type DaemonAnswersOptions, daemonAnswers } from "./daemon-answers.js";
import { disk } from "./disk.js";
import { leftovers } from "./leftovers.js";
import { limits } from "./limits.js";
import type { LocalFinding, Place } from "./local-finding.js";
import { nodeVersion } from "./node-version.js";
import { privateFolder } from "./private-folder.js";
import { programVersion } from "./program-version.js";
import { rights } from "./rights.js";
import { serviceHealth } from "./service-health.js";
import { shapes } from "./shapes.js";
import { socketAnswers } from "./socket-answers.js";
import { strays } from "./strays.js";

/** The checks of the command line, with or without a daemon, in output order. */
export function localChecks(place: Place, daemon: DaemonAnswersOptions): readonly Examination<LocalFinding>[] {
  return [
    { id: "node", look: () => nodeVersion() },
    { id: "git", look: () => programVersion(place, { name: "git", flag: "--version", minimum: "2.34", without: null }) },
    {
      id: "tmux",
      look: () => programVersion(place, { name: "tmux", flag: "-V", minimum: "3.2a", without: "sessions run on tmpm's own PTYs" }),
    },
    { id: "config", look: () => configValid(place) },
    { id: "home", look: async () => [privateFolder({ name: "home", path: place.location.home, uid: place.uid })] },
    { id: "socket", look: () => socketAnswers(place) },
    { id: "rights", look: () => rights(place) },
    { id: "shapes", look: () => shapes(place) },
    { id: "disk", look: () => disk(place) },
    { id: "clock", look: () => clock(place) },
    { id: "leftovers", look: () => leftovers(place) },
    { id: "limits", look: () => limits() },
    { id: "strays", look: () => strays(place, daemon) },
    { id: "service", look: () => serviceHealth(place) },
    { id: "daemon", look: () => daemonAnswers(place, daemon) },
  ];
}
