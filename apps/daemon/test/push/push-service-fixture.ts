import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface Pushed {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The message as decrypted by the browser. */
  readonly text: string;
}

/** A push service on loopback with one browser, which answers as scripted. */
export async function pushService() {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  let status = 201;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      pushed.push({ path: request.url ?? "", headers: request.headers, text: decrypted(body) });
      response.writeHead(status, status === 307 ? { location: "/elsewhere" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  /** RFC 8188 and RFC 8291. */
  function decrypted(body: Buffer): string {
    const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
    const sender = body.subarray(21, 21 + idLength);
    const sealed = body.subarray(21 + idLength);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
    const material = Buffer.from(hkdfSync("sha256", browser.computeSecret(sender), auth, info, 32));
    const key = Buffer.from(hkdfSync("sha256", material, salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", material, salt, "Content-Encoding: nonce\0", 12));
    const cipher = createDecipheriv("aes-128-gcm", key, nonce);
    cipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
  }

  return {
    pushed,
    subscription: {
      endpoint: `http://127.0.0.1:${port}/send/secret-part`,
      keys: { p256dh: browser.getPublicKey().toString("base64url"), auth: auth.toString("base64url") },
    },
    answer(next: number) {
      status = next;
    },
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
