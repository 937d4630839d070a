import type { Step } from "@tmpm/supervisor";

/** `TMPM_FAILPOINT=STEP:kill` ends the daemon with SIGKILL when it reaches the step; used by the crash tests. */
export function failpoint(setting: string | undefined): (step: Step) => void {
  const [step, action] = (setting ?? "").split(":");
  return (reached) => {
    if (reached === step && action === "kill") process.kill(process.pid, "SIGKILL");
  };
}
