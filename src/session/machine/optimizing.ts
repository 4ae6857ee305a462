/** When V8 may optimize and grow: not while a short command reads its playbook, nor in a short run. */
import { setFlagsFromString } from 'node:v8';

/** Optimized code pays for its compilation only in a process that reads more than this. */
const bytesMax = 512 * 1024;

// Where V8 may not compile at all (--jitless), it has no WebAssembly, and `--opt` crashes it.
const mayCompile = 'WebAssembly' in globalThis;

/** And only in a run with more outcomes than this. */
const outcomesMax = 1_000;

let bytesRead = 0;

/**
 * Does synchronous work on a text without V8's optimizing compiler and in a young generation that does
 * not grow, because first use of memory costs more than collecting it; not if this process has read
 * much before. The flags are the same afterwards: Node's compile cache depends on them, and a run or a
 * server continues with optimization.
 */
export function withoutOptimizing<T>(bytes: number, work: () => T): T {
  bytesRead += bytes;
  if (bytesRead > bytesMax || !mayCompile) return work();
  setFlagsFromString('--no-opt');
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return work();
  } finally {
    setFlagsFromString('--opt');
    setFlagsFromString('--semi-space-growth-factor=2'); // the default of Node 20, 22 and 24
  }
}

/** The start of a run, in which V8 does not optimize its code. */
export interface Warmup {
  /** An outcome is known; V8 may optimize after a thousand. */
  readonly count: () => void;
  /** V8 may optimize from now on. */
  readonly end: () => void;
}

/**
 * Starts a run without V8's optimizing compiler: a run of 1,000 orders takes a quarter less CPU, one
 * of 10,000 a tenth more.
 */
export function warmup(): Warmup {
  let left = mayCompile ? outcomesMax : 0;
  const end = (): void => {
    if (left > 0) setFlagsFromString('--opt');
    left = 0;
  };
  if (left > 0) setFlagsFromString('--no-opt');
  return {
    count: () => {
      if (left === 1) end();
      else if (left > 0) left -= 1;
    },
    end,
  };
}

/**
 * Compiles WebAssembly in one tier, set before the first request: for a slightly faster HTTP parser
 * V8 would use 30 MB and a tenth of a second of CPU. Not set earlier: modules of Node that are loaded
 * from then on are compiled again, because V8 rejects what was compiled with other flags.
 */
export function compileParserOnce(): void {
  setFlagsFromString('--liftoff-only');
}
