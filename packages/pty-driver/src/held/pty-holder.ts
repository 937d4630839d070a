import { runHolder } from "@tmpm/holder";
import { ptyProgram } from "./pty-program.js";

await runHolder(ptyProgram);
