/** Reads that do not depend on the account: made once for a plan, and shared by all its accounts. */
import { canonicalJson, type JsonRecord } from '../../base/json.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { WholeAnswer } from '../../exchange/api/reading.ts';

/** Responses of public operations, which every account would get. */
export class PublicReads {
  readonly #made = new Map<string, Promise<WholeAnswer>>();

  /**
   * The response to a read. That of a public operation is the one the plan already has; a failed
   * read is made again.
   */
  answerTo(
    operation: OperationName,
    input: JsonRecord,
    read: () => Promise<WholeAnswer>,
  ): Promise<WholeAnswer> {
    if (operationOf(operation).access !== 'public') return read();
    const name = `${operation} ${canonicalJson(input)}`;
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const made = read();
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    return made;
  }
}
