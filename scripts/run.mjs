// No imports and no new syntax here, so that an old Node can print the message.
const [major, minor] = process.versions.node.split(".").map(Number);
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || (major === 23 && minor >= 5) || major >= 24;

if (supported) {
  void import("./main.mjs").then((module) => module.main(process.argv.slice(2)));
} else {
  console.error(
    "tmpm needs Node 20.19, 22.13 or newer; this is Node " +
      process.versions.node +
      ". Install one: https://nodejs.org, or `nvm install 22`, or `brew install node`.",
  );
  process.exitCode = 6;
}
