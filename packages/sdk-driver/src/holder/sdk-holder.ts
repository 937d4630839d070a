import { runHolder } from "@tmpm/holder";
import { conversationProgram } from "./conversation-program.js";

await runHolder(conversationProgram);
