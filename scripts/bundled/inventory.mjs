import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Collects the packages bundled by esbuild, and writes two files next to the bundle: `THIRD-PARTY-NOTICES.txt`, with the complete licences, and
 * `sbom.cdx.json`, a CycloneDX list for audits, which cannot inspect a bundle. `plugin` is for every build of esbuild whose output is shipped; `write`
 * is called last. `pagePlugin` does both in a build of vite.
 */
export function bundleInventory() {
  const files = new Set();
  const plugin = {
    name: "bundle-inventory",
    setup(pass) {
      pass.initialOptions.metafile = true;
      pass.onEnd(({ metafile }) => {
        for (const output of Object.values(metafile?.outputs ?? {}))
          for (const [file, { bytesInOutput }] of Object.entries(output.inputs))
            if (bytesInOutput > 0) files.add(resolve(file.replace(/^[a-z-]+:/, "")));
      });
    },
  };
  function write(folder) {
    const packages = thirdParties(files);
    writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices(packages));
    writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(sbom(packages), null, 2)}\n`);
  }
  const pagePlugin = {
    name: "bundle-inventory",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
      for (const module of modules) if (module.startsWith("/")) files.add(module.split("?", 1)[0]);
    },
    writeBundle: ({ dir }) => write(dir),
  };
  return { plugin, pagePlugin, write };
}

function thirdParties(files) {
  const roots = new Set([...files].flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []));
  const found = new Map([...roots].map(describe).map((each) => [`${each.name}@${each.version}`, each]));
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

function describe(root) {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const texts = readdirSync(root).filter((file) => /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i.test(file));
  return {
    name,
    version,
    license: license ?? "UNKNOWN",
    homepage,
    text: texts.map((file) => readFileSync(join(root, file), "utf8").trim()).join("\n\n"),
  };
}

function notices(packages) {
  const head = "This program contains the following third-party software.\n";
  const parts = packages.map(
    ({ name, version, license, text }) => `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${text || `Licensed under ${license}.`}\n`,
  );
  return [head, ...parts].join("\n");
}

function sbom(packages) {
  const components = packages.map(({ name, version, license }) => ({
    type: "library",
    "bom-ref": purl(name, version),
    name,
    version,
    purl: purl(name, version),
    licenses: [{ expression: license }],
  }));
  return { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components };
}

function purl(name, version) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
