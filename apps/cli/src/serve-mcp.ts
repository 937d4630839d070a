export { serveOverStdio } from "@tmpm/mcp";
