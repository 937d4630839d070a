// Replaces itself with the Node program in a service's file, with the arguments and the environment that systemd or launchd would read there.
import { readFileSync, writeFileSync } from "node:fs";

const { FAKE_DIR: dir, STAND_IN_DIR, HOME } = process.env;
const text = readFileSync(process.argv[2], "utf8");
const { command, env } = text.startsWith("<?xml") ? plist() : unit();
const pairs = env.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
const [program, ...words] = command;
const first = words.findIndex((word) => !word.startsWith("--"));
const [options, args] = [words.slice(0, first), words.slice(first)];
writeFileSync(`${dir}/ran`, JSON.stringify({ options, args, env: Object.fromEntries(pairs) }));
const own = { HOME, STAND_IN_DIR, ...Object.fromEntries(pairs) };
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, own);
process.argv = [program, ...args];
process.chdir("/");
await import(args[0]);

/** Parses quotes, backslashes, `%%` and `$$` as systemd.syntax(7) does. */
function unit() {
  const words = (line) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word.replace(/\\(.)/g, "$1").replaceAll("%%", "%"));
  const lines = text.split("\n");
  const [first, ...rest] = lines.filter((line) => line.startsWith("ExecStart=")).flatMap(words);
  return {
    command: [first, ...rest.map((word) => word.replaceAll("$$", "$"))],
    env: lines.filter((line) => line.startsWith("Environment=")).flatMap(words),
  };
}

function plist() {
  const plain = (word) => word.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  const [, array] = /<array>([\s\S]*?)<\/array>/.exec(text);
  const [, dict] = /EnvironmentVariables<\/key>\s*<dict>([\s\S]*?)<\/dict>/.exec(text);
  return {
    command: [...array.matchAll(/<string>(.*)<\/string>/g)].map(([, word]) => plain(word)),
    env: [...dict.matchAll(/<key>(.*)<\/key><string>(.*)<\/string>/g)].map(([, name, value]) => `${plain(name)}=${plain(value)}`),
  };
}
