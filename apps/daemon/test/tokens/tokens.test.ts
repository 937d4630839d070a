import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentFolder } from "@tmpm/store";
import { memoryDocuments } from "@tmpm/store/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import { Token } from "../../src/tokens/token.js";
import { tokens } from "../../src/tokens/tokens.js";

const START = Date.parse("2026-01-01T00:00:00Z");

async function open(documents = memoryDocuments<Token>()) {
  let now = START;
  let made = 0;
  const faults: unknown[] = [];
  const known = await tokens({
    documents,
    clock: () => now,
    newId: () => `id-${++made}`,
    randomBytes: (count) => Buffer.alloc(count, ++made),
    report: (fault) => void faults.push(fault),
  });
  return { known, documents, faults, advance: (ms: number) => (now += ms) };
}

describe("tokens", () => {
  test("a token is found by its whole secret only", async () => {
    const { known } = await open();
    const { token, secret } = await known.create({ kind: "bearer", scope: "observer", name: "wall" });
    expect(secret).toMatch(/^tmpm_[\w-]{43}$/);
    expect(known.find(secret)).toEqual(token);
    const others = ["", "tmpm_", secret.slice(0, -1), `${secret}A`, secret.toUpperCase(), ` ${secret}`, token.sha256, token.id, token.name];
    expect(others.map(known.find)).toEqual(others.map(() => null));
  });

  test("an expired, rotated or revoked token is refused", async () => {
    const { known, advance } = await open();
    const short = await known.create({ kind: "bearer", scope: "admin", name: "short", expiresMs: 60_000 });
    const kept = await known.create({ kind: "bearer", scope: "operator", name: "kept" });
    advance(59_999);
    expect(known.find(short.secret)?.name).toBe("short");
    advance(1);
    expect([known.find(short.secret), known.isGood(short.token.id)]).toEqual([null, false]);
    expect(known.list().map(({ name }) => name)).toEqual(["kept"]);
    const rotated = await known.rotate("kept");
    expect([known.find(kept.secret), known.find(rotated.secret)]).toEqual([null, rotated.token]);
    expect([kept.token, rotated.token, short.token].map(known.isCurrent)).toEqual([false, true, false]);
    expect({ ...rotated.token, sha256: "" }).toEqual({ ...kept.token, sha256: "" });
    await known.revoke(kept.token.id);
    expect([known.find(rotated.secret), known.list()]).toEqual([null, []]);
    for (const gone of ["kept", "short", "never"]) {
      await expect(known.revoke(gone)).rejects.toMatchObject({ code: "TOKEN_NOT_FOUND" });
      await expect(known.rotate(gone)).rejects.toMatchObject({ code: "TOKEN_NOT_FOUND" });
    }
  });

  test("a token's name is unique, and free again afterwards", async () => {
    const { known } = await open();
    const wanted = { kind: "bearer", scope: "observer", name: "wall" } as const;
    const both = await Promise.allSettled([known.create(wanted), known.create(wanted)]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(known.create(wanted)).rejects.toMatchObject({ code: "NAME_TAKEN" });
    await known.revoke("wall");
    expect((await known.create(wanted)).token.name).toBe("wall");
    expect((await known.create({ kind: "bearer", scope: "admin" })).token.name).toMatch(/^admin-/);
  });

  test("a token that cannot be written does not exist, and one that cannot be deleted is refused", async () => {
    const documents = memoryDocuments<Token>();
    const { known } = await open(documents);
    const { secret } = await known.create({ kind: "bearer", scope: "admin", name: "old" });
    documents.failWith(new Error("disk"));
    await expect(known.create({ kind: "bearer", scope: "admin", name: "new" })).rejects.toThrow("disk");
    expect(known.list().map(({ name }) => name)).toEqual(["old"]);
    await expect(known.rotate("old")).rejects.toThrow("disk");
    expect(known.find(secret)?.name).toBe("old");
    await expect(known.revoke("old")).rejects.toThrow("disk");
    expect(known.find(secret)).toBeNull();
  });

  test("the last use is remembered, also while the secret changes", async () => {
    const { known, documents, advance } = await open();
    const { token } = await known.create({ kind: "bearer", scope: "admin", name: "mine" });
    known.used(token.id);
    expect(known.list()[0]?.last_used_at).toBe("2026-01-01T00:00:00Z");
    advance(30_000);
    known.used(token.id);
    expect(known.list()[0]?.last_used_at).toBe("2026-01-01T00:00:00Z");
    advance(60_000);
    const rotating = known.rotate("mine");
    known.used(token.id);
    const { secret } = await rotating;
    await new Promise(setImmediate);
    const later = await open(memoryDocuments((await documents.all()).documents));
    expect(later.known.find(secret)).toMatchObject({ name: "mine", last_used_at: "2026-01-01T00:01:30Z" });
  });
});

describe("token files", () => {
  test("are private, contain no secret, and survive a restart; a damaged one hides no other", async () => {
    const dir = mkdtempSync(join(tmpdir(), "tmpm-tokens-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const decode = (value: unknown) => Token.safeParse(value).data ?? null;
    const folder = () => documentFolder({ dir: join(dir, "tokens"), decode }) as ReturnType<typeof memoryDocuments<Token>>;
    const { known } = await open(folder());
    const { token, secret } = await known.create({ kind: "bearer", scope: "admin", name: "mine" });
    const files = readdirSync(join(dir, "tokens")).map((name) => join(dir, "tokens", name));
    expect(files.map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
    expect(statSync(join(dir, "tokens")).mode & 0o777).toBe(0o700);
    for (const path of files) expect(readFileSync(path, "utf8")).not.toContain(secret.slice(5, 25));
    writeFileSync(join(dir, "tokens", `${"0".repeat(32)}.json`), "{");
    const later = await open(folder());
    expect(later.known.find(secret)).toEqual(token);
    expect(later.faults).toHaveLength(1);
  });
});
