export function testSettings(env: NodeJS.ProcessEnv): Record<"TMPM_TEST_SCALE" | "TMPM_TEST_SEED" | "TMPM_TEST_HOSTS", string>;
