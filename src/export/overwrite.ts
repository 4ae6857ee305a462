/** Whether a file that stands under an export's name may be replaced. */
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { ExportError } from './error.ts';
import { openTarget } from './target.ts';
import { verifyFile } from './verify.ts';

/** `own`: an earlier export that its manifest proves; `all`: whatever stands there. */
export type Overwrite = 'none' | 'own' | 'all';

/**
 * Asks once, before the first row is read.
 * @returns rows of the earlier export that will be replaced; undefined when there is none
 * @throws ExportError when what stands there must stay
 */
export async function replacedBy(
  workspace: string,
  file: string,
  overwrite: Overwrite,
): Promise<number | undefined> {
  const target = await openTarget(workspace, file);
  try {
    const path = join(target.folder, target.name);
    if (!existsSync(path)) return undefined;
    const found = await verifyFile(path);
    const rows = found.kind === 'whole' ? found.claim.rows : undefined;
    if (overwrite === 'all' || (overwrite === 'own' && rows !== undefined)) return rows;
    throw standing(file, found.kind === 'whole' ? 'an export stands there' : found.because);
  } finally {
    await target.close();
  }
}

function standing(file: string, because: string): ExportError {
  return new ExportError('file-in-the-way', `${file} is there already: ${because}`, {
    hint: 'move it away, or say `overwrite: true` (--overwrite on the command line)',
  });
}
