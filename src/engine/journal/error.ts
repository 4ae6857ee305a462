/** The errors of journals, with their remedies. */
import { DeskhandError, exits, UsageError } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';

/** A journal that was changed or is damaged; nothing is changed in it. */
export class JournalError extends DeskhandError {
  constructor(message: string, cause?: unknown, hint = 'restore the run folder from a backup') {
    super(message, { code: 'journal', actor: 'operator', exit: exits.stopped, hint, cause });
  }
}

/** The error for a run that a newer version of deskhand has begun: this version reads nothing of it. */
export class NewerFormatError extends JournalError {
  /** @param format which is newer than `known` */
  constructor(
    path: string,
    { format, known }: { readonly format: number; readonly known: number },
  ) {
    super(
      `${path} has format ${format}; this version reads ${known}`,
      undefined,
      'a newer version of deskhand wrote it: upgrade deskhand here',
    );
  }
}

/** Turns an error about a damaged run, or about its name, into undefined, for readers that skip such runs. */
export function undefinedWhenDamaged(error: unknown): undefined {
  if (error instanceof JournalError || error instanceof UsageError) return undefined;
  throw error;
}

/** The remedy for a damaged run. */
export function hintFor(run: string): string {
  return `orders it placed may exist; \`deskhand runs show ${shellWord(run)}\` shows what can be read and what to do`;
}
