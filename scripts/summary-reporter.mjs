import { writeFileSync } from "node:fs";

/**
 * Starts a test run with the settings of tests, and ends it with the reason of every skipped test and one plain line, `N passed, N failed`.
 * Failures outside tests (a file that does not load, a hook, an unhandled error) count as failed, and a run without tests fails.
 * The summary is written to the file TMPM_TEST_SUMMARY if set, else to standard output.
 */
export default class SummaryReporter {
  onInit(vitest) {
    this.vitest = vitest;
    const settings = Object.entries(vitest.config.env ?? {}).map(([name, value]) => `${name}=${value}`);
    vitest.logger.log(settings.join(" "));
  }

  onTestRunEnd(modules, unhandledErrors) {
    const filtered = this.vitest.config.testNamePattern !== undefined;
    const ended = summary(modules, { unhandledErrors, filtered });
    if (!ended.ok) process.exitCode ||= 1;
    const file = process.env.TMPM_TEST_SUMMARY;
    if (file === undefined) process.stdout.write(closing(ended));
    else writeFileSync(file, JSON.stringify(ended));
  }
}

/** A run's notes, its counts, and whether it passed. */
export function summary(modules, { unhandledErrors = [], filtered = false } = {}) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state) => tests.filter((test) => test.result().state === state);
  const faults = [...modules.flatMap(faultsOf), ...unhandledErrors.map((error) => `unhandled error: ${error.message}`)];
  const [passed, skipped, unfinished] = ["passed", "skipped", "pending"].map(inState);
  const failed = inState("failed").length + faults.length;
  const reasons = filtered
    ? []
    : skipped.map((test) => `skipped: ${test.module.relativeModuleId} > ${test.fullName.replace(REASON_IN_TITLE, "")}: ${reasonOf(test)}`);
  const empty = passed.length + failed === 0 ? ["no tests ran"] : [];
  const cut = unfinished.length === 0 ? [] : [`${unfinished.length} tests did not finish`];
  return {
    notes: [...reasons, ...faults, ...cut, ...empty],
    counts: { passed: passed.length, failed, skipped: skipped.length },
    ok: failed === 0 && passed.length > 0 && cut.length === 0,
  };
}

/** The text that ends a run: its notes, and the counts as the last line. */
export function closing({ notes, counts: { passed, failed, skipped } }) {
  return ["", ...notes, `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`, ""].join("\n");
}

function faultsOf(module) {
  const suites = [module, ...module.children.allSuites()];
  return suites.flatMap((suite) => suite.errors().map((error) => `failed outside a test: ${module.relativeModuleId}: ${error.message}`));
}

/** For a caller that knows only the `skip` of its test runner. */
const REASON_IN_TITLE = / \(skipped: (.+)\)$/;

function reasonOf(test) {
  return (
    test.result().note ?? REASON_IN_TITLE.exec(test.name)?.[1] ?? (test.options.mode === "todo" ? "not written yet" : "no reason given")
  );
}
