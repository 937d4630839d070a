import { onceDone } from "@tmpm/core";
import { runProgram } from "@tmpm/processes";

/** Facts from systemd and logind; null where neither answers. */
export interface ServiceManagers {
  /** This daemon's control group. */
  readonly ownCgroup: () => Promise<string | null>;
  /** A unit's `KillMode`. */
  readonly killMode: (unit: string, of: "user" | "system") => Promise<string | null>;
  /** Whether logging out ends a login session's processes (`KillUserProcesses`). */
  readonly killsAtLogout: () => Promise<boolean | null>;
  /** Whether the user's manager outlives the last logout. */
  readonly lingers: () => Promise<boolean | null>;
}

export interface ServiceManagersOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  readonly ownCgroup: () => Promise<string | null>;
}

const ANSWER_MS = 3_000;

export function serviceManagers({ env, uid, ownCgroup }: ServiceManagersOptions): ServiceManagers {
  const ask = async (program: string, ...words: readonly string[]) => {
    const end = await runProgram({ argv: [program, ...words], env, withinMs: ANSWER_MS });
    return end.kind === "ended" && end.status === 0 ? end.stdout.trim() || null : null;
  };
  const yes = async (answer: Promise<string | null>) => {
    const word = await answer;
    return word === null ? null : word === "yes";
  };
  return {
    ownCgroup,
    killMode: (unit, of) => ask("systemctl", ...(of === "user" ? ["--user"] : []), "show", "--property=KillMode", "--value", unit),
    killsAtLogout: () => yes(ask("loginctl", "show-session", "--property=KillUserProcesses", "--value")),
    lingers: () => yes(ask("loginctl", "show-user", String(uid), "--property=Linger", "--value")),
  };
}

/** With one process for each question, however many callers ask it. */
export function askedOnce({ ownCgroup, killMode, killsAtLogout, lingers }: ServiceManagers): ServiceManagers {
  const modes = new Map<string, () => Promise<string | null>>();
  return {
    ownCgroup: onceDone(ownCgroup),
    killMode(unit, of) {
      const key = `${of} ${unit}`;
      const ask = modes.get(key) ?? onceDone(() => killMode(unit, of));
      modes.set(key, ask);
      return ask();
    },
    killsAtLogout: onceDone(killsAtLogout),
    lingers: onceDone(lingers),
  };
}
