const LEAST = 3;

/**
 * Numbers the rounds of a measurement. Round 0 warms up and does not count; then at most `most` rounds follow, fewer once they take longer than
 * `withinMs`, but at least three.
 */
export function* rounds(most, { withinMs }) {
  const deadline = performance.now() + withinMs;
  for (let round = 0; round <= most && (round <= LEAST || performance.now() < deadline); round++) yield round;
}
