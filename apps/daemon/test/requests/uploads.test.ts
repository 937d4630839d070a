import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { CONTRACTS, PATHS } from "@tmpm/api";
import { client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { incomingBytes } from "../../src/requests/incoming-bytes.js";
import type { Handlers } from "../../src/routes/handlers.js";
import { openDoors } from "../fixtures/door-fixture.js";
import { call, type ServerFixture, serverFixture } from "../fixtures/server-fixture.js";

const MIB = 1024 * 1024;

async function* pieces(count: number, onPiece: (index: number) => void = () => undefined): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    onPiece(index);
    yield Buffer.alloc(MIB, index);
  }
}

describe("uploads to a session", () => {
  function post(l: ServerFixture, { type = "application/octet-stream", payload }: { type?: string; payload: string | Readable }) {
    const url = `${PATHS.upload.path.replace(":session", "demo")}?filename=a%20b.txt`;
    return l.app.inject({ method: "POST", url, headers: { "content-type": type }, payload });
  }

  test("a file is uploaded as a request body, listed, named in a send, and discarded", async () => {
    const l = await serverFixture();
    const cwd = mkdtempSync(join(tmpdir(), "tmpm-daemon-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    await call(l, "create", { body: { agent: "shell", cwd, name: "demo" } });
    const response = await post(l, { payload: Readable.from([Buffer.from("hel"), Buffer.from("lo")]) });
    expect(response.statusCode).toBe(201);
    const given = CONTRACTS.upload.answer.parse(response.json());
    expect(given).toMatchObject({ size_bytes: 5, filename: "a b.txt", deduplicated: false });
    expect(readFileSync(given.workspace_path, "utf8")).toBe("hello");
    expect((await post(l, { payload: "hello" })).json()).toMatchObject({ deduplicated: true, ref_id: given.ref_id });
    const { deduplicated: _, ...entry } = given;
    expect((await call(l, "uploads", { session: "demo" })).json()).toEqual({ uploads: [entry], next: null });
    await call(l, "send", { session: "demo", body: { text: "cat", attachments: [given.ref_id] } });
    expect(l.tmux.received("tmpm-demo")[0]).toEqual({ type: "paste", text: `cat\n${given.workspace_path}` });
    const discard = PATHS.discardUpload.path.replace(":session", "demo").replace(":upload", given.ref_id);
    expect((await l.app.inject({ method: "DELETE", url: discard })).json()).toEqual(entry);
    expect((await l.app.inject({ method: "DELETE", url: discard })).json().error.code).toBe("UPLOAD_NOT_FOUND");
    expect((await call(l, "send", { session: "demo", body: { text: "cat", attachments: [given.ref_id] } })).statusCode).toBe(404);
  });

  test("JSON bodies and missing sessions are refused", async () => {
    const l = await serverFixture();
    expect((await post(l, { payload: "x" })).json().error.code).toBe("SESSION_NOT_FOUND");
    await call(l, "create", { body: { agent: "shell", cwd: tmpdir(), name: "demo" } });
    expect((await post(l, { type: "application/json", payload: "{}" })).json().error).toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: expect.stringContaining("octet-stream"),
    });
  });
});

describe("uploads over the socket", () => {
  async function clientOf(upload: Handlers["upload"]) {
    const { socket } = await openDoors({ handlers: { upload } });
    return client({ transport: localTransport({ socket }) });
  }

  const answer = {
    ref_id: `sha256:${"0".repeat(64)}`,
    marker: "m",
    workspace_path: "/p",
    size_bytes: 0,
    filename: "f",
    uploaded_at: "2026-01-01T00:00:00Z",
    deduplicated: false,
  };

  test.each([{ size: undefined }, { size: 24 * MIB }])(
    "a file of declared size $size arrives unchanged, and is not read faster than it is written",
    async ({ size }) => {
      let taken = 0;
      let ahead = 0;
      const got = createHash("sha256");
      const use = await clientOf(async ({ filename }, { file }) => {
        expect([filename, file?.size]).toEqual(["f", size]);
        for await (const chunk of file?.bytes ?? []) {
          got.update(chunk);
          taken += chunk.length;
          if (taken < 4 * MIB) await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return answer;
      });
      const sent = createHash("sha256");
      const bytes = pieces(24, (index) => {
        sent.update(Buffer.alloc(MIB, index));
        ahead = Math.max(ahead, index * MIB - taken);
      });
      await use.upload({ session: "demo", filename: "f", bytes, ...(size === undefined ? {} : { size }) });
      expect(got.digest("hex")).toBe(sent.digest("hex"));
      expect(ahead).toBeLessThan(8 * MIB);
    },
  );

  test("a refusal arrives while the file is still being sent", async () => {
    const use = await clientOf(async () => {
      throw new TmpmError("UPLOAD_TOO_LARGE", "too large");
    });
    for (const bytes of [pieces(40), Buffer.alloc(40 * MIB)])
      await expect(use.upload({ session: "demo", filename: "f", bytes })).rejects.toMatchObject({ code: "UPLOAD_TOO_LARGE" });
  });

  test("a failing source fails the call with its own error, and ends the daemon's reader", async () => {
    let seen: unknown = null;
    const use = await clientOf(async (_input, { file }) => {
      try {
        for await (const _chunk of file?.bytes ?? []);
      } catch (error) {
        seen = error;
      }
      return answer;
    });
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("x");
      throw new Error("the disk broke");
    }
    await expect(use.upload({ session: "demo", filename: "f", bytes: failing(), size: 10 })).rejects.toThrow("the disk broke");
    await expect.poll(() => seen).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("request bodies", () => {
  const never = new AbortController().signal;

  async function readAll(body: Readable, options: { idleMs: number; stopping?: AbortSignal }): Promise<string> {
    const parts: Uint8Array[] = [];
    for await (const part of incomingBytes(body, { stopping: never, ...options })) parts.push(part);
    return Buffer.concat(parts).toString();
  }

  test("a body is read to its end", async () => {
    expect(await readAll(Readable.from([Buffer.from("a"), Buffer.from("b")]), { idleMs: 1_000 })).toBe("ab");
  });

  test("a stalled body times out", async () => {
    const body = new PassThrough();
    body.write("a");
    await expect(readAll(body, { idleMs: 20 })).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  test("a body ends with the daemon", async () => {
    const stopping = new AbortController();
    const reading = readAll(new PassThrough(), { idleMs: 60_000, stopping: stopping.signal });
    stopping.abort();
    await expect(reading).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  });

  test("unread bytes are kept when their reader stops, so that the response is still sent", async () => {
    const body = new PassThrough();
    body.write("a");
    for await (const part of incomingBytes(body, { idleMs: 1_000, stopping: never })) {
      expect(part.length).toBe(1);
      break;
    }
    expect(body.destroyed).toBe(false);
  });
});
