import { Project, ProjectSetup, Slug } from "@tmpm/core";
import * as z from "zod";
import { BudgetBody } from "./budget.js";
import { type Contract, count, none, repeated, session } from "./contract.js";
import { next, paging } from "./paging.js";

export const ProjectAnswer = z.looseObject({
  ...Project.omit({ told_budget: true }).shape,
  sessions: z
    .object({ total: z.number().int(), active: z.number().int(), waiting: z.number().int() })
    .describe("Number of unfinished sessions, of running ones, and of those waiting for the user."),
});
export type ProjectAnswer = z.infer<typeof ProjectAnswer>;

export const ProjectList = z.object({ projects: z.array(ProjectAnswer), next });
export type ProjectList = z.infer<typeof ProjectList>;

/** Only `in_scope` passes; `uncorrelated` is a session without a stated purpose. */
export const ScopeAnswer = z.object({
  kind: z.enum(["uncorrelated", "in_scope", "out_of_scope"]),
  stray_paths: z.array(z.string()),
  foreign_issue_ids: z.array(z.number()),
});

export const TrustAnswer = z.object({
  source: z.string().describe("The directory, or the URL without credentials, that workspaces are made from."),
  trusted: z.boolean(),
  sha256: z.string().nullable().describe("Digest of the content consented to; null if consent was withdrawn."),
  setup: ProjectSetup.nullable().describe("Set-up of new workspaces from now on."),
});
export type TrustAnswer = z.infer<typeof TrustAnswer>;

const EXAMPLE_PROJECT: ProjectAnswer = {
  id: "api",
  path: "/home/me/api",
  name: "api",
  registered_at: "2026-01-02T03:04:05Z",
  budget: null,
  sessions: { total: 1, active: 1, waiting: 0 },
};

export const PROJECT_ROUTES = {
  projects: {
    method: "GET",
    path: "/v1/projects",
    scope: "observer",
    summary: "The registered projects",
    params: none,
    query: z.strictObject(paging),
    body: null,
    status: 200,
    answer: ProjectList,
    errors: [],
    example: { answer: { projects: [EXAMPLE_PROJECT], next: null } },
  },
  addProject: {
    method: "POST",
    path: "/v1/projects",
    scope: "admin",
    summary: "Registers a directory as a project",
    params: none,
    query: none,
    body: z.strictObject({ path: z.string().min(1), id: Slug.optional(), name: z.string().min(1).max(200).optional() }),
    status: 201,
    answer: ProjectAnswer,
    errors: ["DIRECTORY_NOT_FOUND", "NAME_TAKEN", "INVALID_TEXT"],
    example: { body: { path: "/home/me/api" }, answer: EXAMPLE_PROJECT },
  },
  setProject: {
    method: "POST",
    path: "/v1/projects/:project/set",
    scope: "admin",
    summary: "Changes a project's notes and settings",
    params: z.object({ project: z.string().min(1) }),
    query: none,
    body: z.strictObject({
      budget: BudgetBody.optional().describe(
        "What all its sessions may use together before their queues are held. Null removes a limit; omitted limits are kept. See `docs/usage.md`.",
      ),
    }),
    status: 200,
    answer: ProjectAnswer,
    errors: ["PROJECT_NOT_FOUND"],
    example: {
      params: { project: "api" },
      body: { budget: { tokens: 50_000_000 } },
      answer: { ...EXAMPLE_PROJECT, budget: { tokens: 50_000_000, turns: null, minutes: null } },
    },
  },
  removeProject: {
    method: "DELETE",
    path: "/v1/projects/:project",
    scope: "admin",
    summary: "Removes a project; its directory and sessions are left unchanged",
    params: z.object({ project: z.string().min(1) }),
    query: none,
    body: null,
    status: 200,
    answer: ProjectAnswer,
    errors: ["PROJECT_NOT_FOUND"],
    example: { params: { project: "api" }, answer: EXAMPLE_PROJECT },
  },
  trust: {
    method: "POST",
    path: "/v1/trust",
    scope: "admin",
    summary: "Consents to the set-up in a repository's current `.tmpm.yaml`, or withdraws consent",
    description: "Consent is bound to the file's content: after a change, nothing in it runs until consent is given again.",
    params: none,
    query: none,
    body: z.strictObject({ path: z.string().min(1).max(4096), trusted: z.boolean().default(true) }),
    status: 200,
    answer: TrustAnswer,
    errors: ["DIRECTORY_NOT_FOUND", "FILE_NOT_FOUND"],
    example: {
      body: { path: "/home/me/api" },
      answer: {
        source: "/home/me/api",
        trusted: true,
        sha256: "5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5",
        setup: { copy: [".env"], link: [], run: ["npm ci"], teardown: [], ports: [], timeout: 600 },
      },
    },
  },
  scope: {
    method: "GET",
    path: "/v1/sessions/:session/scope",
    scope: "observer",
    summary: "Whether a change is within a session's purpose",
    params: session,
    query: z.strictObject({ paths: repeated(z.string()), issue_ids: repeated(count(0, Number.MAX_SAFE_INTEGER)) }),
    body: null,
    status: 200,
    answer: ScopeAnswer,
    errors: [],
    example: {
      params: { session: "demo" },
      query: { paths: "/home/me/other/file.ts" },
      answer: { kind: "out_of_scope", stray_paths: ["/home/me/other/file.ts"], foreign_issue_ids: [] },
    },
  },
} as const satisfies Record<string, Contract>;
