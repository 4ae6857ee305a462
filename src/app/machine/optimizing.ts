/** Decides when V8 may optimize and grow: not while a short command reads its playbook. */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { isToBeKept, keepCompiled } from './compiled.ts';

/** Bytes of the texts that a process must read before optimized code repays its compilation. */
const bytesMax = 512 * 1024;

// Where V8 may not compile at all (--jitless), it has no WebAssembly, and `--opt` crashes it.
const mayCompile = 'WebAssembly' in globalThis;

let bytesRead = 0;

/**
 * Does synchronous work on a text without V8's optimizing compiler and in a young generation that does
 * not grow, because first use of memory costs more than collecting it; not if this process has read
 * much before. The flags are the same afterwards: Node's compile cache depends on them, and a run or a
 * server continues with optimization.
 */
export function withoutOptimizing<T>(bytes: number, work: () => T): T {
  bytesRead += bytes;
  if (bytesRead > bytesMax || !mayCompile || isNotWorthIt(bytes)) return work();
  setFlagsFromString('--no-opt');
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return work();
  } finally {
    setFlagsFromString('--opt');
    setFlagsFromString('--semi-space-growth-factor=2'); // the default of Node 20, 22 and 24
  }
}

/**
 * With V8 12, in Node 22, code compiled under other flags stays refused when they are changed back: what this
 * start keeps and what it loads later. That costs more than optimization does for a short playbook.
 */
function isNotWorthIt(bytes: number): boolean {
  return process.versions.v8.startsWith('12.') && (bytes < longBytes || isToBeKept());
}

const longBytes = 8 * 1024; // about 40 steps

/**
 * Compiles WebAssembly in one tier, set before the first request: for a slightly faster HTTP parser
 * V8 would use 30 MB and a tenth of a second of CPU. Not set earlier: modules of Node that are loaded
 * from then on are compiled again, because V8 rejects what was compiled with other flags.
 */
export function compileParserOnce(): void {
  keepCompiled();
  setFlagsFromString('--liftoff-only');
}
