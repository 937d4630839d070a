import type { ContractFixture } from "../src/contract/index.js";
import { exitingProgram, type FakeProgram, fakeTmux } from "../src/fake/index.js";

const MISSING = "/fake/missing";

/** The contract's fixture around the fake. */
export async function openFake(): Promise<ContractFixture> {
  const received = new Map<string, string>();
  const recorder: FakeProgram = (terminal) => {
    const id = terminal.env.TMPM_SESSION_ID ?? "";
    terminal.bracketedPaste(terminal.argv[1] === "framed");
    terminal.write("ready");
    return {
      input: (text) => void received.set(id, (received.get(id) ?? "") + text),
    };
  };
  const report: FakeProgram = (terminal) => {
    const words = [...terminal.argv.slice(1), terminal.cwd, terminal.env.CONTRACT_VALUE ?? ""];
    terminal.write(words.map((word) => `<${word}>\n`).join(""));
    return undefined;
  };
  const stubborn: FakeProgram = (terminal) => {
    terminal.write("ready");
    return { signal: (name) => (name === "SIGHUP" ? "stays" : "ends") };
  };
  const fake = fakeTmux({
    directoryExists: (path) => path !== MISSING,
    programs: {
      recorder,
      report,
      stubborn,
      exit: (terminal) => exitingProgram(Number(terminal.argv[1]), `${terminal.argv[2]}\n`)(terminal),
      lines: (terminal) => {
        for (let line = 1; line <= Number(terminal.argv[1]); line++) terminal.write(`line ${line}\n`);
        return undefined;
      },
      lineReader: (terminal) => {
        terminal.lineMode(true);
        terminal.write("ready\n");
        return { input: (text) => terminal.write(text) };
      },
    },
  });
  return {
    driver: fake.driver,
    impatient: fake.driver,
    programs: {
      recorder: ({ framed }) => ["recorder", framed ? "framed" : "plain"],
      exit: ({ status, output }) => ["exit", String(status), output],
      lines: (count) => ["lines", String(count)],
      report: (words) => ["report", ...words],
      lineReader: () => ["lineReader"],
      stubborn: () => ["stubborn"],
    },
    unique: "fake",
    cwd: "/fake/a #{pid}",
    missingDirectory: MISSING,
    received: async (id) => received.get(id) ?? "",
    running: async (pane) => ((await fake.driver.find(pane.identity)).kind === "present" ? 1 : 0),
    setMode: async (pane, inMode) => fake.setMode(pane.tmuxName, inMode),
    rename: async (pane, tmuxName) => fake.rename(pane.tmuxName, tmuxName),
    endServer: async () => fake.killServer(),
    stopServer: async () => fake.stopServer(),
    continueServer: async () => fake.continueServer(),
    openForeign: async (name) => fake.openForeign(name),
    close: () => fake.driver.close(),
  };
}
