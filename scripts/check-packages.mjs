import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * Packs every package as for publishing, and reports faults: in the manifest by publint, in the types by attw. Needs a build.
 * Takes the names of packages (default: all); `--packed DIR` has the tarballs already.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The packages are ES modules only, so faults of `require` and of resolution before Node 12 are ignored. */
const ESM_ONLY = new Set(["node16-esm", "bundler"]);

const { values, positionals } = parseArgs({ options: { packed: { type: "string" } }, allowPositionals: true });
await main(positionals, values);

async function main(names, { packed }) {
  const chosen = publishable().filter(({ name }) => names.length === 0 || names.includes(name));
  if (chosen.length === 0)
    throw new Error(
      `no package of that name; there are ${publishable()
        .map(({ name }) => name)
        .join(", ")}`,
    );
  let faulty = false;
  for (const { name, tarball, typed } of packed === undefined ? pack(chosen) : tarballsIn(packed, chosen)) {
    const faults = [...contentFaults({ name, tarball }), ...(await manifestFaults(tarball)), ...(typed ? await typeFaults(tarball) : [])];
    console.log(`${name}: ${faults.length === 0 ? "ok" : ""}`);
    for (const fault of faults) console.error(`  ${fault}`);
    faulty ||= faults.length > 0;
  }
  process.exitCode = faulty ? 1 : 0;
}

function publishable() {
  const folders = ["packages", "apps"].flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(root, kind, name)));
  return folders
    .map((folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")))
    .filter((manifest) => manifest.private !== true);
}

function pack(manifests) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-pack-"));
  try {
    const filters = manifests.flatMap(({ name }) => ["--filter", name]);
    execFileSync(process.execPath, [join(root, "scripts/run.mjs"), "pnpm", ...filters, "pack", "--pack-destination", folder], {
      cwd: root,
      stdio: "pipe",
    });
    return tarballsIn(folder, manifests);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tarballsIn(folder, manifests) {
  return manifests.map(({ name, version, exports }) => ({
    name,
    tarball: readFileSync(join(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`)),
    typed: JSON.stringify(exports).includes('"types"'),
  }));
}

/** Every package has the licence, a package with a bundle lists its content, and none contains test-only files. */
function contentFaults({ name, tarball }) {
  const files = filesIn(tarball);
  const named = (name) => files.find(({ path }) => path === name || path.endsWith(`/${name}`));
  const licence = readFileSync(join(root, "LICENSE"), "utf8");
  const isBundle = files.some(({ text }) => /^\/\/ (?:\.\.\/)*node_modules\//m.test(text)) || named("sbom.cdx.json") !== undefined;
  const testing = files.filter(({ path }) => /\/(?:testing|test)\/|\.test\./.test(path));
  return [
    ...(named("package/LICENSE")?.text === licence ? [] : ["LICENSE is missing, or differs from the repository's"]),
    ...(isBundle && (named("sbom.cdx.json") === undefined || named("THIRD-PARTY-NOTICES.txt") === undefined)
      ? ["a bundle without notices or without a list"]
      : []),
    ...unlicensed(named("sbom.cdx.json")?.text),
    ...(name === "@tmpm/daemon" ? pageFaults(files) : []),
    ...testing.map(({ path }) => `${path} is for tests only`),
  ];
}

/** The daemon serves the dashboard from its own package: the page, its files, and the licences of its dependencies. */
function pageFaults(files) {
  const page = files.find(({ path }) => path === "package/dist/web/index.html");
  if (page === undefined) return ["the dashboard is missing"];
  const loaded = [...page.text.matchAll(/(?:src|href)="\.?\/?([^":]+)"/g)].map(([, path]) => path);
  const missing = [...loaded, "sw.js", "THIRD-PARTY-NOTICES.txt"].filter(
    (path) => !files.some((file) => file.path === `package/dist/web/${path}`),
  );
  return missing.map((path) => `the dashboard lacks ${path}`);
}

function unlicensed(sbom) {
  if (sbom === undefined) return [];
  const { components } = JSON.parse(sbom);
  const unknown = components.filter(({ licenses: [first] }) => first.expression === "UNKNOWN").map(({ name }) => `${name} has no licence`);
  return components.length === 0 ? ["the list of bundled packages is empty"] : unknown;
}

/** The regular files of a gzipped tar archive. */
function filesIn(tarball) {
  const bytes = gunzipSync(tarball);
  const files = [];
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const field = (from, length) => bytes.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(field(124, 12), 8);
    const start = at + 512;
    if (field(156, 1) === "0" || field(156, 1) === "")
      files.push({ path: field(0, 100), text: bytes.toString("utf8", start, start + size) });
    at = start + Math.ceil(size / 512) * 512;
  }
  return files;
}

async function manifestFaults(tarball) {
  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg)}`);
}

async function typeFaults(tarball) {
  const { problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  return problems
    .filter(({ resolutionKind }) => resolutionKind === undefined || ESM_ONLY.has(resolutionKind))
    .map(({ kind, entrypoint, resolutionKind }) => `attw: ${kind} at ${entrypoint ?? "the package"} (${resolutionKind ?? "any"})`);
}
