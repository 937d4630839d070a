import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ActivityState } from "@tmpm/core";
import type { Observation } from "../src/adapter.js";
import { observationOf, type Recording } from "../src/screen/recording.js";

const SCREENS = join(import.meta.dirname, "../screens");
/** Screens of agents that are described instead of programmed. */
export const DESCRIBED_SCREENS = join(import.meta.dirname, "../described-screens");

export interface RecordedScreen {
  readonly name: string;
  readonly state: ActivityState;
  readonly observation: Observation;
}

/** All screens of one agent version; the folder of a screen names the state that it shows. */
export function recordedScreens(agent: string, folder = SCREENS): readonly RecordedScreen[] {
  return readdirSync(join(folder, agent)).flatMap((state) =>
    readdirSync(join(folder, agent, state)).map((file) => {
      const recording: Recording = JSON.parse(readFileSync(join(folder, agent, state, file), "utf8"));
      return { name: file.replace(/\.json$/, ""), state: ActivityState.parse(state), observation: observationOf(recording) };
    }),
  );
}
