#!/usr/bin/env node
import { keepCompiledCode } from "@tmpm/api/compiled-code";

// Before the rest is loaded, which is most of a start.
keepCompiledCode(process.env);
await import("./run.js");
