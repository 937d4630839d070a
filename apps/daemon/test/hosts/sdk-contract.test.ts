import { type HostContractOptions, hostContract } from "@tmpm/host/contract";
import { describe, test } from "vitest";
import { openSdkHost } from "./sdk-host.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_HOSTS = "" } = process.env;
const all = Number(TMPM_TEST_SCALE) >= 10 || TMPM_TEST_HOSTS === "all";

/** Every case starts processes of its own, and the driver's tests already cover most. */
const SAMPLE = /ended by force/u;

const some: HostContractOptions["test"] = (title, run) => {
  if (all || SAMPLE.test(title)) test(title, run, 300_000);
};

describe("protocol agents", () => hostContract({ test: some, open: openSdkHost, terminals: false }));
