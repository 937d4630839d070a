import { isRegistrySetting } from "./environment.mjs";

/** Variables that tests and benchmarks inherit: program and user locations, network access, and options of test runs. */
const KEPT =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|CI|VITEST_MAX_WORKERS|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|(?:https?|no|all)_proxy|TMPM_TEST_\w+|TMPM_AGENTS(?:_CACHE)?|TMPM_AGENT_VERSIONS)$/i;

/** The same for every caller: a UTF-8 locale that every system has, and a terminal that every tmux knows. */
const FIXED = { LANG: "C.UTF-8", SHELL: "/bin/sh", TERM: "xterm-256color", npm_config_update_notifier: "false" };

const UMASK = 0o022;

/** The environment of tests and benchmarks, without the caller's settings, locale, terminal, editor, git or tmux. */
export function testEnvironment(env = process.env) {
  const kept = Object.entries(env).filter(([name]) => KEPT.test(name) || isRegistrySetting(name));
  return { ...Object.fromEntries(kept), ...FIXED };
}

/** Gives this process and its children the environment and umask of tests. */
export function enterTestEnvironment(from = process.env) {
  process.umask(UMASK);
  const env = testEnvironment(from);
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}
