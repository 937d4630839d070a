const LEAST = 3;

/** Numbers the rounds of a measurement from 0, the round that warms up and does not count: at most `most` after that, fewer once they take longer than `withinMs`, but three. */
export function* rounds(most, { withinMs }) {
  const deadline = performance.now() + withinMs;
  for (let round = 0; round <= most && (round <= LEAST || performance.now() < deadline); round++) yield round;
}
