import { describeDirectory, examinePath } from "@tmpm/workspace";
import { portsAreFree } from "./ports-free.js";

/** The supervisor's view of this machine. */
export const MACHINE = { describeDirectory, examinePath, portsAreFree };
