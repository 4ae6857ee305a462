/** How much memory a process takes that needs little at a time. */
import { setFlagsFromString } from 'node:v8';
import { stepsOf } from '../../playbook/expressions.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import { usedBy } from '../../interpreter/interpret.ts';

/** Whether rows stream into files in a run of it, or of a playbook it uses. */
export function writesRows(playbook: Playbook): boolean {
  return usedBy(playbook).some((used) => stepsOf(used).some(({ write }) => write !== undefined));
}

/**
 * Keeps memory near what is in use, from now on and for the whole process, so it is for programs
 * whose process it is. While rows stream through and a little of each lives on, V8 would let the
 * space for short-lived values grow to 32 MB, and what is garbage in the other one to as much as is
 * in use.
 */
export function keepMemorySmall(): void {
  // Both are read again whenever V8 decides how far a space may grow.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
  // Little is left of what is new each time: sharing that among threads costs more than it saves.
  setFlagsFromString('--no-parallel-scavenge');
}

/**
 * Compiles WebAssembly in one step, to be said before the first request: the parser of HTTP is some,
 * and to make it somewhat quicker V8 would take 30 MB and a tenth of a second of CPU.
 */
export function compileParserOnce(): void {
  setFlagsFromString('--liftoff-only');
}
