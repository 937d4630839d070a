export function testEnvironment(env?: NodeJS.ProcessEnv): Record<string, string>;
export function enterTestEnvironment(from?: NodeJS.ProcessEnv): void;
