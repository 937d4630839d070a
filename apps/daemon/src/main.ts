#!/usr/bin/env node
import { keepCompiledCode } from "@tmpm/api/compiled-code";

// Runs before the rest is loaded, which takes most of the start.
keepCompiledCode(process.env);
await import("./run.js");
