export { type Answer, type Calling, callTool } from "./call-tool.js";
export { answerHttp, type HttpCall } from "./http.js";
export { mcpServer, type ServerOptions } from "./server.js";
export { serveOverStdio } from "./stdio.js";
export type { Call, Hints, Needs, ReadProfile, Tool } from "./tool.js";
export { TOOLS, toolsFor } from "./tools.js";
