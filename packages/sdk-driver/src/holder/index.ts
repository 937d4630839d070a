export { conversationProgram } from "./conversation-program.js";
