import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../guard/guard.js";
import { pageHeaders } from "../guard/headers.js";
import { loginPage } from "../server/login-page.js";
import type { PageFile } from "./page-files.js";

export interface PageOptions {
  readonly guard: Pick<Guard, "permit" | "admitted">;
  /** The dashboard's files; empty when this daemon was built without it. */
  readonly files?: readonly PageFile[];
}

/** A year, the maximum that the HTTP specification allows. */
const FOR_EVER = "private, max-age=31536000, immutable";

/** The dashboard for logged-in browsers, and the login page for all other TCP clients. */
export function page(app: FastifyInstance, { guard, files = [] }: PageOptions): void {
  const index = files.find(({ path }) => path === "") ?? null;
  const observed = async ({ raw }: FastifyRequest) => void (await guard.permit(raw, { scope: "observer" }));
  const login = loginPage(app, { guard, next: index === null ? "docs" : "./" });
  const isStranger = ({ raw }: FastifyRequest) => guard.admitted(raw).caller.kind === "anyone";
  app.get("/", {
    onRequest: async (request) => void (await guard.permit(request.raw, { scope: isStranger(request) ? "anyone" : "observer" })),
    handler: async (request, reply) => {
      if (isStranger(request)) return login(reply);
      return index === null ? reply.redirect("docs") : sendFile(request, reply, index);
    },
  });
  for (const file of files)
    if (file !== index)
      app.get(`/${file.path}`, { onRequest: observed, handler: async (request, reply) => sendFile(request, reply, file) });
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const { type, bytes, gzipped, isHashed, etag } = file;
  const packed = /\bgzip\b/.test(String(headers["accept-encoding"] ?? "")) ? gzipped() : null;
  // A cached page is revalidated each time, so that it is not shown after a logout.
  reply.headers({
    ...pageHeaders(null),
    "content-type": type,
    "cache-control": isHashed ? FOR_EVER : "no-cache",
    etag,
    vary: "accept-encoding, cookie",
  });
  if (headers["if-none-match"] === etag) return reply.code(304).send();
  if (packed !== null) reply.header("content-encoding", "gzip");
  return reply.send(packed ?? bytes);
}
