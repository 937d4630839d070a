import { createServer } from "node:net";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import { type KeptDoor, webDoor } from "../../src/web/web-door.js";
import { openDoors } from "../fixtures/door-fixture.js";

async function fixture({
  documents = memoryDocuments<KeptDoor>(),
  tcp = null,
}: {
  documents?: ReturnType<typeof memoryDocuments<KeptDoor>>;
  tcp?: null | { host: string; port: number; tls: null };
} = {}) {
  const doors = await openDoors({ tcp });
  const faults: unknown[] = [];
  const report = (fault: unknown) => void faults.push(fault);
  const browsers = await webDoor({ documents, newLabel: () => "a1".repeat(8), listening: () => doors.doors, hasPage: true, report });
  await browsers.reopen();
  // The handlers do not use the request.
  const request = {} as never;
  return {
    ...doors,
    documents,
    faults,
    browsers,
    open: (port?: number) => browsers.routes.openWeb({ port }, request),
    close: () => browsers.routes.closeWeb({}, request),
    now: () => browsers.routes.web({}, request),
  };
}

const status = async (url: string | null) => (await fetch(`${url}/login`)).status;
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

describe("the web entrance", () => {
  test("is opened on request, once, and closed with all its connections", async () => {
    const port = await freePort();
    const { open, close, now } = await fixture();
    expect(await now()).toEqual({ open: false, url: null, by: null, page: true });
    const opened = await open(port);
    expect(opened).toEqual({ open: true, url: `http://127.0.0.1:${port}`, by: "web", page: true });
    expect(await Promise.all([open(), open()])).toEqual([opened, opened]);
    expect(await status(opened.url)).toBe(200);
    await expect(open(port === 65_535 ? 1024 : port + 1)).rejects.toMatchObject({ code: "LISTEN_FAILED" });
    expect(await close()).toMatchObject({ open: false });
    await expect(status(opened.url)).rejects.toThrow();
    expect(await close()).toMatchObject({ open: false });
  });

  test("is opened again on the same port by the next daemon, until it is closed", async () => {
    const documents = memoryDocuments<KeptDoor>();
    const first = await fixture({ documents });
    const { url } = await first.open(await freePort());
    first.doors.closeTcp();
    const second = await fixture({ documents });
    expect([(await second.now()).url, second.browsers.isOpen(), second.browsers.label()]).toEqual([url, true, first.browsers.label()]);
    await second.close();
    const third = await fixture({ documents });
    expect(await third.now()).toMatchObject({ open: false });
  });

  test("uses another port if its own is taken, unless that one was requested", async () => {
    const documents = memoryDocuments<KeptDoor>();
    const first = await fixture({ documents });
    const { url } = await first.open(await freePort());
    const port = Number(new URL(url ?? "").port);
    first.doors.closeTcp();
    const squatter = createServer().listen(port, "127.0.0.1");
    await new Promise((resolve) => squatter.once("listening", resolve));
    onTestFinished(() => void squatter.close());
    const second = await fixture({ documents: memoryDocuments() });
    await expect(second.open(port)).rejects.toMatchObject({ code: "LISTEN_FAILED" });
    const moved = await fixture({ documents });
    expect((await moved.open()).url).not.toBe(url);
  });

  test("is the configured one, which `--stop` leaves open", async () => {
    const { open, close, doors } = await fixture({ tcp: { host: "127.0.0.1", port: 0, tls: null } });
    expect(await open()).toEqual({ open: true, url: doors.tcp?.url, by: "listen", page: true });
    await expect(close()).rejects.toMatchObject({ code: "LISTEN_REFUSED" });
    expect(await status(doors.tcp?.url ?? null)).toBe(200);
  });
});
