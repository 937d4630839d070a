/** The default seed: a commit is tested with the same cases everywhere. */
const SEED = "1";
const MOST = 2 ** 31;

/**
 * The options of a test run: `TMPM_TEST_SCALE`, a factor for the counts of long tests, `TMPM_TEST_SEED`, the seed for choosing and generating
 * cases, a number or `random`, and `TMPM_TEST_HOSTS`, `all` or empty. @throws for any other value
 */
export function testSettings({ TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = SEED, TMPM_TEST_HOSTS = "" }) {
  const seed = TMPM_TEST_SEED === "random" ? String(Math.floor(Math.random() * MOST)) : TMPM_TEST_SEED;
  if (!/^\d+$/.test(seed) || Number(seed) >= MOST)
    throw new Error(`TMPM_TEST_SEED is "${seed}": give a number below ${MOST}, or \`random\``);
  if (!(Number(TMPM_TEST_SCALE) > 0)) throw new Error(`TMPM_TEST_SCALE is "${TMPM_TEST_SCALE}": give a number above 0`);
  if (TMPM_TEST_HOSTS !== "" && TMPM_TEST_HOSTS !== "all")
    throw new Error(`TMPM_TEST_HOSTS is "${TMPM_TEST_HOSTS}": give \`all\`, or leave it empty`);
  return { TMPM_TEST_SCALE, TMPM_TEST_SEED: seed, TMPM_TEST_HOSTS };
}
