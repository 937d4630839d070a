import type { Step } from "@tmpm/supervisor";

/**
 * `TMPM_FAILPOINT=STEP:kill` ends the daemon with SIGKILL at the step, `STEP:throw` fails there once, like a fault in tmpm; `STEP:fault` and
 * `STEP:reject` do so outside any error handler. For crash tests.
 */
export function failpoint(setting: string | undefined): (step: Step) => void {
  const [step, action] = (setting ?? "").split(":");
  let failed = false;
  return (reached) => {
    if (reached !== step) return;
    if (action === "kill") process.kill(process.pid, "SIGKILL");
    if (action === "fault") setImmediate(() => fail(step));
    if (action === "reject") void Promise.resolve(step).then(fail);
    if (action !== "throw" || failed) return;
    failed = true;
    fail(step);
  };
}

function fail(step: Step): never {
  throw new Error(`failed at ${step}, as requested`);
}
