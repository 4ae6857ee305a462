/** Errors of journals, and what to do about them. */
import { DeskhandError, exits, UsageError } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';

/** A journal that was changed or is damaged; nothing is changed in it. */
export class JournalError extends DeskhandError {
  constructor(message: string, cause?: unknown, hint = 'restore the run folder from a backup') {
    super(message, { code: 'journal', actor: 'operator', exit: exits.stopped, hint, cause });
  }
}

/** A run that a newer version of deskhand has begun: this one reads nothing of it. */
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

/** For readers that leave a damaged run out: an error about it, or about its name, becomes undefined. */
export function undefinedWhenDamaged(error: unknown): undefined {
  if (error instanceof JournalError || error instanceof UsageError) return undefined;
  throw error;
}

/** What to do about a damaged run. */
export function hintFor(run: string): string {
  return `orders it placed may exist; \`deskhand runs show ${shellWord(run)}\` shows what can be read and what to do`;
}
