import { Project, Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, none, repeated, session } from "./contract.js";

export const ProjectAnswer = z.looseObject({
  ...Project.shape,
  /** Sessions that are not finished, those of them that run, and those of these that wait for a person. */
  sessions: z.object({ total: z.number().int(), active: z.number().int(), waiting: z.number().int() }),
});
export type ProjectAnswer = z.infer<typeof ProjectAnswer>;

export const ProjectList = z.object({ projects: z.array(ProjectAnswer), next: z.string().nullable() });
export type ProjectList = z.infer<typeof ProjectList>;

/** Only `in_scope` is a pass; `uncorrelated` is a session that says nothing of what it is there for. */
export const ScopeAnswer = z.object({
  kind: z.enum(["uncorrelated", "in_scope", "out_of_scope"]),
  stray_paths: z.array(z.string()),
  foreign_issue_ids: z.array(z.number()),
});

export const PROJECT_ROUTES = {
  projects: { scope: "observer", params: none, query: none, body: null, status: 200, answer: ProjectList },
  addProject: {
    scope: "operator",
    params: none,
    query: none,
    body: z.strictObject({ path: z.string().min(1), id: Slug.optional(), name: z.string().min(1).max(200).optional() }),
    status: 201,
    answer: ProjectAnswer,
  },
  removeProject: {
    scope: "operator",
    params: z.object({ project: z.string().min(1) }),
    query: none,
    body: null,
    status: 200,
    answer: ProjectAnswer,
  },
  scope: {
    scope: "observer",
    params: session,
    query: z.strictObject({ paths: repeated(z.string()), issue_ids: repeated(count(0, Number.MAX_SAFE_INTEGER)) }),
    body: null,
    status: 200,
    answer: ScopeAnswer,
  },
} as const satisfies Record<string, Contract>;
