/** The errors of an e-mail that was not sent. */

/**
 * An e-mail was not sent: the server refused, or its address has no sender or recipient. The message
 * contains no address, and no text of the server.
 */
export class EmailError extends Error {
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing = false) {
    super(message);
    this.isPassing = isPassing;
  }
}
