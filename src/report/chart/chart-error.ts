/** The error for a chart that cannot be drawn; defined without loading the drawing library. */
import { DeskhandError, exits } from '../../base/error.ts';

/** The error when a spec does not produce a chart. */
export class ChartError extends DeskhandError {
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { code: 'chart', actor: 'author', exit: exits.stopped, hint, cause });
  }
}
