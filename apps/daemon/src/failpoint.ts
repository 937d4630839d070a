import type { Step } from "@tmpm/supervisor";

/**
 * `TMPM_FAILPOINT=STEP:kill` ends the daemon with SIGKILL when it reaches the step, `STEP:throw` fails there once, as a fault in tmpm would. For the tests
 * of what a crash leaves behind.
 */
export function failpoint(setting: string | undefined): (step: Step) => void {
  const [step, action] = (setting ?? "").split(":");
  let failed = false;
  return (reached) => {
    if (reached !== step) return;
    if (action === "kill") process.kill(process.pid, "SIGKILL");
    if (action !== "throw" || failed) return;
    failed = true;
    throw new Error(`failed at ${step}, as asked`);
  };
}
