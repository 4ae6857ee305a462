/** Commands on a started run: exit 3 means that nothing was sent, which its record must show. */
import { errorOfBegun } from '../../runtime/exit.ts';
import type { Entry } from '../../journal/entry.ts';

/** Receives the entries of the run. @returns the same entries */
export type NoteRecord = (entries: readonly Entry[]) => readonly Entry[];

/**
 * @throws the error of the work; with exit 6 or 1 instead of 3 unless the record shows that nothing
 * was sent
 */
export async function ofBegunRun<T>(work: (note: NoteRecord) => Promise<T>): Promise<T> {
  let known: readonly Entry[] | undefined;
  try {
    return await work((entries) => (known = entries));
  } catch (error) {
    throw errorOfBegun(error, known);
  }
}
