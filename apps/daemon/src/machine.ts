import { describeDirectory, lookAtPath } from "@tmpm/workspace";
import { portsAreFree } from "./ports-free.js";

/** What the supervisor learns of this machine. */
export const MACHINE = { describeDirectory, lookAtPath, portsAreFree };
