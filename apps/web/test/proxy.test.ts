import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { benches, noBrowser } from "./page-fixture.js";

const bench = benches();

const NGINX = process.env.TMPM_NGINX ?? "/usr/sbin/nginx";
const noProxy = noBrowser ?? (existsSync(NGINX) ? null : `no nginx at ${NGINX}: install Debian's package, or set TMPM_NGINX`);
if (noProxy !== null) console.warn(`the page is not tried behind a proxy: ${noProxy}`);

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

/** The configuration lines of docs/web.md. */
const LOCATION = `
    location /tmpm/ {
      proxy_pass http://127.0.0.1:DAEMON/;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_buffering off;
      proxy_read_timeout 1h;
    }`;

async function proxy(dir: string, { port, daemon }: { readonly port: number; readonly daemon: number }): Promise<void> {
  await mkdir(dir);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(" ");
  const text = `${process.getuid?.() === 0 ? "user root;" : ""} daemon off; pid ${dir}/pid; error_log ${dir}/error.log; events {}
http {
  access_log off; ${temporary}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  server {
    listen 127.0.0.1:${port};${LOCATION.replace("DAEMON", String(daemon))}
  }
}
`;
  await writeFile(join(dir, "nginx.conf"), text);
  const child = spawn(NGINX, ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", join(dir, "error.log")], { stdio: "inherit" });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  });
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(404);
}

describe.skipIf(noProxy !== null)("behind a reverse proxy, below a path", () => {
  test("the page logs in, follows events, shows a terminal and sends, and its cookie stays below the path", async () => {
    await using b = await bench();
    const port = await freePort();
    const url = `http://localhost:${port}/tmpm/`;
    await b.tmpm("config", "set", "listen.public_url", url);
    await b.tmpm("daemon", "restart");
    const opened = JSON.parse(await b.tmpm("web", "--no-open", "--json")) as {
      readonly url: string;
      readonly login: { readonly url: string };
    };
    expect(opened.login.url).toMatch(new RegExp(`^${url}login#`));
    await proxy(join(b.dir, "nginx"), { port, daemon: Number(new URL(opened.url).port) });
    const { page, context, faults } = await b.seat();
    expect(page.url()).toContain(url);
    expect(await context.cookies()).toMatchObject([{ path: "/tmpm/", httpOnly: true, sameSite: "Strict" }]);
    await b.api.create({ agent: "shell", cwd: b.dir, name: "proxied" });
    await page.waitForSelector('[data-session="proxied"]');
    await page.click('[data-session="proxied"]');
    await page.click(".segments >> text=Terminal");
    await b.api.wait({ session: "proxied", until: "idle" });
    await b.api.send({ session: "proxied", text: "echo through-$((40 + 2))" });
    await expect.poll(() => page.textContent(".session"), { timeout: 30_000 }).toContain("through-42");
    const status = await page.evaluate(() =>
      fetch("v1/undo", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }).then((answer) => answer.status),
    );
    expect(status).toBe(404);
    expect(faults).toEqual([]);
  });
});
