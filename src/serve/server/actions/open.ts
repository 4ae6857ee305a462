/** The functions for routes that start processes. */
import type { Clock } from '../../../base/clock.ts';
import type { OwnProgram } from '../../../app/machine/own-program.ts';
import { openAudit } from '../audit.ts';
import type { Actions } from '../route-context.ts';
import { openPresses } from './presses.ts';
import { openStarters } from './starters.ts';
import { openTurns } from './turns.ts';

/**
 * Opens the actions of a server. @param stateDir of the first desk, which also has the sessions
 */
export function openActions(program: OwnProgram, stateDir: string, clock: Clock): Actions {
  return {
    program,
    presses: openPresses(clock),
    starters: openStarters(),
    turns: openTurns(),
    searches: openTurns(1, 50, 'too many people search at once'),
    audit: openAudit(stateDir, clock),
  };
}
