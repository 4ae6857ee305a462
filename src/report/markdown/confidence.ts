/** The certainty of a plan's line, in Markdown. */
import type { Confidence } from '../../engine/plan/plan.ts';
import { code } from './text.ts';

export function confidenceOf(confidence: Confidence | undefined): string {
  switch (confidence?.kind) {
    case undefined:
      return '';
    case 'read-just-now':
      return 'read just now';
    case 'from-ledger':
      return `from the ledger, run ${code(confidence.run)}`;
    case 'cannot-be-read-back':
      return 'cannot be read back';
    case 'not-read':
      return 'not read yet';
    case 'known-after':
      return `known after ${code(confidence.step)}`;
  }
}
