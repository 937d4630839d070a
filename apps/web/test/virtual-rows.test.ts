import { expect, test } from "vitest";
import { windowOf } from "../src/view/virtual-rows.js";

const heights = Array.from({ length: 200 }, (_, index) => (index % 10 === 0 ? 34 : 36));
const total = heights.reduce((sum, height) => sum + height, 0);

test("at any scroll position, all visible rows are rendered, and the total height is constant", () => {
  for (let from = 0; from < total; from += 97) {
    const to = from + 700;
    const { first, end, above, below } = windowOf(heights, { from, to });
    const drawn = heights.slice(first, end).reduce((sum, height) => sum + height, 0);
    expect(above + drawn + below).toBe(total);
    expect(above).toBeLessThanOrEqual(from);
    expect(above + drawn).toBeGreaterThanOrEqual(Math.min(to, total));
    expect(end - first).toBeLessThan(25);
  }
});
