import {
  CAPABILITY_PATTERN,
  CAPABILITY_RULE,
  MOST_CAPABILITIES,
  NEW_NODE_LABEL_PATTERN,
  NEW_NODE_LABEL_RULE,
  SessionState,
  SSH_HOST_PATTERN,
  SSH_HOST_RULE,
  Timestamp,
} from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, flag, none, project, repeated } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { Problem, SessionFields } from "./list.js";
import { anyOf, next } from "./paging.js";
import { SessionAnswer } from "./session.js";

export const NODE_LABEL = z.string().regex(NEW_NODE_LABEL_PATTERN, NEW_NODE_LABEL_RULE).describe("Local name of the node.");

const Labels = z
  .array(z.string().regex(CAPABILITY_PATTERN, CAPABILITY_RULE))
  .max(MOST_CAPABILITIES)
  .describe("What the node offers, such as `gpu`; `tmpm new --on any --label gpu` chooses by them.");

const Ssh = z.object({
  host: z
    .string()
    .regex(SSH_HOST_PATTERN, SSH_HOST_RULE)
    .describe("As `ssh` accepts it: a name of the user's configuration, `user@host`, or an `ssh://` address."),
  command: z
    .string()
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe("Command that runs there, in its login shell's syntax; null for `tmpm node --stdio`."),
});

const Nats = z.object({
  url: z
    .string()
    .regex(
      /^(?:nats|tls):\/\/[^\s@,/]+(?:,(?:nats|tls):\/\/[^\s@,/]+)*$/,
      "not a server as in nats://HOST:4222, or several, comma-separated",
    )
    .max(1000)
    .describe("`nats://HOST:PORT`, or `tls://`; several of one cluster, comma-separated."),
  node: NODE_LABEL.describe("Name of the node on the server."),
  client: NODE_LABEL.describe("Name of this machine on the server."),
});

export const NodePresence = z.enum(["connecting", "online", "suspect", "offline"]);

/** Another machine and its status. Times are those of this machine's clock. */
export const NodeAnswer = z.object({
  label: z.string(),
  ssh: Ssh.extend({ host: z.string().describe("As `ssh` accepts it; empty if the node is reached through a NATS server.") }),
  nats: Nats.nullable().describe("Connection through a NATS server, if it uses one."),
  labels: Labels.default([]),
  added_at: Timestamp,
  presence: NodePresence.describe("`suspect`: silent for 15 s; `offline`: for 45 s, or the connection ended."),
  since: Timestamp.describe("When the presence last changed, or the link was created."),
  last_seen_at: Timestamp.nullable().describe("When data last arrived from it; null if none ever did."),
  reason: z.string().nullable().describe("Why it does not respond; null while it does."),
  hint: z.string().nullable(),
  node_id: z.string().nullable().describe("Derived from its key; null until its first response."),
  same_node_as: z.array(z.string()).describe("Other labels whose node has the same key: the same machine twice, or a copied home folder."),
  host_name: z.string().nullable(),
  user: z.string().nullable(),
  home: z.string().nullable().describe("The user's home folder on that node."),
  version: z.string().nullable().describe("Its version of tmpm."),
  skew_ms: z.number().nullable().describe("How far its clock was ahead of the local one at the last measurement, in ms."),
  round_trip_ms: z.number().nullable(),
  waiting: z.number().int().nonnegative().default(0).describe("Prompts that are sent once it answers."),
});
export type NodeAnswer = z.infer<typeof NodeAnswer>;

export const NodeList = z.object({ nodes: z.array(NodeAnswer), next });
export type NodeList = z.infer<typeof NodeList>;

/** The contribution of one machine to a list over several. */
const FleetPart = z.object({
  node: z.string().nullable().describe("Null: this machine."),
  complete: z.boolean().describe("Whether it responded in time. If not, its sessions are as of `as_of`, with activity unknown."),
  as_of: Timestamp.nullable().describe("When its sessions were read; null when they never were."),
  presence: NodePresence,
  reason: z.string().nullable(),
  waiting: z.number().int().nonnegative().default(0).describe("Prompts that are sent once it answers."),
});
export type FleetPart = z.infer<typeof FleetPart>;

export const FleetSession = SessionAnswer.extend({
  node: z.string().nullable().describe("Null: this machine."),
  was: z.string().nullable().describe("The activity at the node's last response; null if the current one is known."),
});
export type FleetSession = z.infer<typeof FleetSession>;

export const FleetList = z.object({
  sessions: z.array(FleetSession),
  problems: z.array(Problem.extend({ node: z.string().nullable() })),
  complete: z.boolean().describe("Whether every node responded."),
  nodes: z.array(FleetPart),
  next: z.null(),
});
export type FleetList = z.infer<typeof FleetList>;

const EXAMPLE: NodeAnswer = {
  label: "build1",
  ssh: { host: "build1.example.org", command: null },
  nats: null,
  labels: ["gpu"],
  added_at: "2026-01-02T03:04:05Z",
  presence: "online",
  since: "2026-01-02T03:04:07Z",
  last_seen_at: "2026-01-02T09:14:00Z",
  reason: null,
  hint: null,
  node_id: "5c1f0e7a9b3d4c62a1e8f0d7b6c5a493",
  same_node_as: [],
  host_name: "build1",
  user: "me",
  home: "/home/me",
  version: "0.1.0",
  skew_ms: 12,
  round_trip_ms: 3,
  waiting: 0,
};

const named = z.object({ node: z.string().min(1).max(100).describe("A node's label.") });

export const NODE_ROUTES = {
  nodes: {
    method: "GET",
    path: "/v1/nodes",
    scope: "observer",
    summary: "The other machines and their status",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: NodeList,
    errors: [],
    example: { answer: { nodes: [EXAMPLE], next: null } },
  },
  addNode: {
    method: "POST",
    path: "/v1/nodes",
    scope: "admin",
    summary: "Adds another machine",
    description: "By `ssh` or by `nats`, one of the two. The link is set up in the background; with `wait_ms` the response waits for it.",
    params: none,
    query: none,
    body: z.strictObject({
      label: NODE_LABEL,
      ssh: Ssh.optional(),
      nats: Nats.optional(),
      labels: Labels.optional(),
      wait_ms: z.number().int().min(0).max(60_000).optional(),
    }),
    status: 201,
    answer: NodeAnswer,
    waits: true,
    errors: ["NAME_TAKEN", "SOCKET_PATH_TOO_LONG", "UNSAFE_PATH"],
    example: { body: { label: "build1", ssh: { host: "build1.example.org" }, labels: ["gpu"] }, answer: EXAMPLE },
  },
  node: {
    method: "GET",
    path: "/v1/nodes/:node",
    scope: "observer",
    summary: "One machine",
    params: named,
    query: none,
    body: null,
    status: 200,
    answer: NodeAnswer,
    errors: ["NODE_NOT_FOUND"],
    example: { params: { node: "build1" }, answer: EXAMPLE },
  },
  removeNode: {
    method: "DELETE",
    path: "/v1/nodes/:node",
    scope: "admin",
    summary: "Removes another machine and closes the link to it",
    description: "The machine is left unchanged: its sessions keep running.",
    params: named,
    query: none,
    body: null,
    status: 200,
    answer: NodeAnswer,
    errors: ["NODE_NOT_FOUND"],
    example: { params: { node: "build1" }, answer: EXAMPLE },
  },
  setNode: {
    method: "POST",
    path: "/v1/nodes/:node",
    scope: "admin",
    summary: "Changes the labels of a node",
    description: "The link to it is kept.",
    params: named,
    query: none,
    body: z.strictObject({ labels: Labels.describe("New list of the node's labels; replaces the old one.") }),
    status: 200,
    answer: NodeAnswer,
    errors: ["NODE_NOT_FOUND"],
    example: { params: { node: "build1" }, body: { labels: ["gpu"] }, answer: EXAMPLE },
  },
  fleet: {
    method: "GET",
    path: "/v1/fleet",
    scope: "observer",
    summary: "The sessions of this machine and of all others",
    description:
      "All nodes are queried in parallel, with the timeout `within_ms`. For a node that does not answer, its last known sessions are listed with activity `unknown`.",
    params: none,
    query: z.strictObject({
      all: flag.optional(),
      archived: flag.optional(),
      project_id: project.optional(),
      issue_id: anyOf(z.string()),
      state: anyOf(SessionState),
      fields: SessionFields,
      node: repeated(z.string().min(1).max(100)).describe("Only these nodes; `local` is this machine."),
      within_ms: count(1, 60_000).optional().describe("300 by default."),
    }),
    body: null,
    status: 200,
    answer: FleetList,
    waits: true,
    errors: ["NODE_NOT_FOUND", "PROJECT_NOT_FOUND"],
    example: {
      answer: {
        sessions: [{ ...EXAMPLE_SESSION, node: "build1", was: null }],
        problems: [],
        complete: true,
        nodes: [{ node: "build1", complete: true, as_of: "2026-01-02T09:14:00Z", presence: "online", reason: null, waiting: 0 }],
        next: null,
      },
    },
  },
} as const satisfies Record<string, Contract>;
