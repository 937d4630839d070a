import { request } from "node:http";

interface Got {
  readonly status: number;
  readonly body: string;
  readonly cookie: string;
}

/** The dashboard as delivered to a browser that logs in with this address: the page and every script that it names. */
export async function pageOverHttp(loginUrl: string): Promise<{ readonly page: string; readonly scripts: readonly string[] }> {
  const { host, port, origin, hash } = new URL(loginUrl);
  const ask = (path: string, { cookie = "", body = "" }) =>
    new Promise<Got>((resolve, reject) => {
      const headers = { host, origin, "sec-fetch-site": "same-origin", ...(cookie === "" ? {} : { cookie }) };
      const json = body === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      request({ host: "127.0.0.1", port, path, method: body === "" ? "GET" : "POST", headers: { ...headers, ...json } }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          text += part;
        });
        const [set = ""] = answer.headers["set-cookie"] ?? [];
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: text, cookie: set.split(";")[0] ?? "" }));
      })
        .on("error", reject)
        .end(body);
    });
  const { cookie } = await ask("/v1/login", { body: JSON.stringify({ code: hash.slice(1), device: "a test" }) });
  const { body: page } = await ask("/", { cookie });
  const named = Array.from(page.matchAll(/<script[^>]+src="\.\/([^"]+)"/g), ([, path]) => path ?? "");
  const scripts = await Promise.all(named.map((path) => ask(`/${path}`, { cookie })));
  return { page, scripts: scripts.filter(({ status }) => status === 200).map(({ body }) => body) };
}
