/** When V8 may optimize: not while a short command reads its playbook. */
import { setFlagsFromString } from 'node:v8';

/** Optimized code pays for its compilation only in a process that reads more than this. */
const bytesMax = 512 * 1024;

// Where V8 may not compile at all (--jitless), it has no WebAssembly, and `--opt` crashes it.
const mayCompile = 'WebAssembly' in globalThis;

let bytesRead = 0;

/**
 * Does synchronous work on a text without V8's optimizing compiler, unless this process has read
 * much before. The flags are the same afterwards: Node's compile cache depends on them, and a run
 * or a server continues with optimization.
 */
export function withoutOptimizing<T>(bytes: number, work: () => T): T {
  bytesRead += bytes;
  if (bytesRead > bytesMax || !mayCompile) return work();
  setFlagsFromString('--no-opt');
  try {
    return work();
  } finally {
    setFlagsFromString('--opt');
  }
}
