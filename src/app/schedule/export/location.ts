/** The location of exported schedules, and the command that starts deskhand there. */
import { UsageError } from '../../../base/error.ts';
import type { Schedule } from '../schedule.ts';

export interface ExportPlace {
  /** The folder of deskhand.yaml and the playbooks. */
  readonly folder: string;
  /** The program and its fixed arguments. */
  readonly program: readonly string[];
}

/**
 * The command for one schedule.
 * @throws UsageError for a path that cannot be passed to another program
 */
export function wordsFor(schedule: Schedule, { folder, program }: ExportPlace): readonly string[] {
  const file = schedule.file.startsWith('-') ? `./${schedule.file}` : schedule.file;
  const words = [...program, 'schedule', 'run-due', file, '--schedule', schedule.id];
  for (const word of [...words, folder]) {
    // oxlint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(word) || !word.isWellFormed()) {
      throw new UsageError(
        `${JSON.stringify(word)} contains a control character`,
        'rename the file or folder; a timer cannot use this name',
      );
    }
  }
  return words;
}
