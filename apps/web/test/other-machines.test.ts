import { CONTRACTS, type FleetList } from "@tmpm/api";
import { lastKnown } from "@tmpm/api/standing";
import { describe, expect, test } from "vitest";
import { row, shell } from "./moves.js";
import { benches, noBrowser } from "./page-fixture.js";

const bench = benches();

if (noBrowser !== null) console.warn(`other machines are not tried in a browser: ${noBrowser}`);

describe.skipIf(noBrowser !== null)("other machines in the page", () => {
  test("are listed by machine with this one's own, unknown while they do not answer, and without links", async () => {
    await using b = await bench();
    await shell(b, "own");
    const { page, faults } = await b.seat();
    const own = await b.api.show({ session: "own" });
    const [node] = CONTRACTS.nodes.example.answer.nodes;
    const nodes = ["build1", "build2"].map((label) => ({ ...node, label }));
    const fleet: FleetList = {
      sessions: [
        { ...own, name: "api", node: "build1", was: null },
        lastKnown({ ...own, name: "<b>web</b>" }, { node: "build2", asOf: null }),
      ],
      problems: [],
      complete: false,
      nodes: [
        { node: "build1", complete: true, as_of: null, presence: "online", reason: null, waiting: 0 },
        { node: "build2", complete: false, as_of: null, presence: "offline", reason: "silent for 45 s", waiting: 0 },
      ],
      next: null,
    };
    // The responses of real machines are tested elsewhere.
    await page.route("**/v1/nodes", (route) => route.fulfill({ json: { nodes, next: null } }));
    await page.route("**/v1/fleet?*", (route) => route.fulfill({ json: fleet }));
    await page.reload();

    await page.waitForSelector(row("build1:api"));
    expect(await page.locator(".row .name").allTextContents()).toEqual(["own", "build1:api", "build2:<b>web</b>"]);
    expect(await page.textContent(`${row("build1:api")} .state`)).toBe("idle");
    expect(await page.textContent(".row.other[data-stale] .state")).toBe("unknown (was idle)");
    expect(await page.textContent('[data-node="build2"]')).toContain("does not answer: silent for 45 s");
    await page.click(row("build1:api"));
    expect(await page.locator(".session .head").count()).toBe(0);
    await page.fill("#filter", "build2");
    await expect.poll(() => page.locator(".row .name").allTextContents()).toEqual(["build2:<b>web</b>"]);
    expect(faults).toEqual([]);
  });
});
