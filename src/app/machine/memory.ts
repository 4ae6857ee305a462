/** Memory settings of a process that needs little at a time. */
import { setFlagsFromString } from 'node:v8';
import { stepsOf } from '../../language/expressions.ts';
import type { Playbook } from '../../language/playbook.ts';
import { usedBy } from '../../engine/interpreter/interpret.ts';
import { keepCompiled } from './compiled.ts';

/** Whether a playbook, or one nested in it, streams rows into files. */
export function writesRows(playbook: Playbook): boolean {
  return usedBy(playbook).some((used) => stepsOf(used).some(({ write }) => write !== undefined));
}

/**
 * Keeps memory close to what is in use, permanently and for the whole process, so only programs
 * with their own process use it. While rows are streamed, V8 would grow the young generation to 32
 * MB, and let as much garbage as live data accumulate in the old one.
 */
export function keepMemorySmall(): void {
  keepCompiled();
  // V8 reads both again whenever it decides how far a space may grow.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
  // Little survives each collection: parallel collection costs more than it saves.
  setFlagsFromString('--no-parallel-scavenge');
}
