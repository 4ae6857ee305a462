/** Commands on a run that was begun: exit 3 says that nothing was sent, which its record has to show. */
import { errorOfBegun } from '../../runtime/exit.ts';
import type { Entry } from '../../journal/entry.ts';

/** Takes down the record of the run. @returns the same entries */
export type NoteRecord = (entries: readonly Entry[]) => readonly Entry[];

/** @throws what the work throws; with exit 6 or 1 instead of 3 unless the record shows that nothing was sent */
export async function ofBegunRun<T>(work: (note: NoteRecord) => Promise<T>): Promise<T> {
  let known: readonly Entry[] | undefined;
  try {
    return await work((entries) => (known = entries));
  } catch (error) {
    throw errorOfBegun(error, known);
  }
}
