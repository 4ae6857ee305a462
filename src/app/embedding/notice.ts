/** Notices for an embedding program: the same texts as on the screen, without colors. */
import type { ErrorReason } from '../../base/error.ts';
import type { Note } from '../running/note.ts';
import { reasonsIn } from '../planning/reasons.ts';
import { maskedReason } from './safe-error.ts';

/** Something that a person should know, in addition to the journal and the result. */
export interface Notice {
  readonly kind: 'notice';
  readonly level: 'warning' | 'info';
  /** The text of the notice; secrets are masked. */
  readonly message: string;
  /** The remedy that the reader has. */
  readonly help?: string;
  /** Warnings of a playbook at their locations. */
  readonly reasons?: readonly ErrorReason[];
}

/**
 * The notice of a note; undefined for one that the error of the work repeats.
 * @param redact masks secrets in a text
 */
export function noticeOf(note: Note, redact: (text: string) => string): Notice | undefined {
  switch (note.kind) {
    case 'warning': {
      const help = note.hint === undefined ? {} : { help: redact(note.hint) };
      return { kind: 'notice', level: 'warning', message: redact(note.message), ...help };
    }
    case 'remark':
      return { kind: 'notice', level: 'warning', message: redact(note.message) };
    case 'account':
      return { kind: 'notice', level: 'info', message: redact(note.message) };
    case 'problems': {
      if (note.problems.some(({ level }) => level === 'error')) return undefined;
      const reasons = reasonsIn(note.problems).map((reason) => maskedReason(reason, redact));
      const message = redact(`${note.playbook.file} has warnings`);
      return { kind: 'notice', level: 'warning', message, reasons };
    }
    case 'unreported':
      return {
        kind: 'notice',
        level: 'warning',
        message: redact(`other machines may not know how the run ended: ${note.because}`),
        help: `resume ${note.run} to report it`,
      };
    case 'inputs':
    case 'differences':
      return undefined;
  }
}
