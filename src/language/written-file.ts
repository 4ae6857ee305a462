/** The file that a step writes, and which extensions it may have. */
import { listed } from '../base/text.ts';
import { writeFormats, type Step, type Template } from './playbook.ts';

/** The name of the file of a document or of rows; undefined for a step that writes none. */
export function writtenFile(step: Pick<Step, 'uses' | 'with' | 'write'>): Template | undefined {
  return Object.hasOwn(documentEndings, step.uses) ? step.with.get('file') : step.write?.file;
}

/** Whether `steps.ID.rows` counts the rows of a step: those of its file, or of its table. */
export function countsRows({ uses, write }: Pick<Step, 'uses' | 'write'>): boolean {
  return write !== undefined || uses === 'report/table';
}

/** The file extensions of documents. */
const documentEndings: Readonly<Record<string, readonly string[]>> = {
  'report/page': ['html', 'md'],
  'report/chart': ['svg'],
};

/** The extension of the last part of a name, in lower case: `csv.gz`; '' without one. */
export function endingIn(name: string): string {
  return (/\.([^./]*(?:\.gz)?)$/i.exec(name)?.[1] ?? '').toLowerCase();
}

/** The reason why the file of a step cannot have this extension, and the allowed ones. */
export function endingProblem(
  { uses, write }: Pick<Step, 'uses' | 'write'>,
  ending: string,
): { readonly message: string; readonly hint: string } | undefined {
  const allowed = documentEndings[uses];
  if (allowed !== undefined && !allowed.includes(ending)) {
    return { message: `${uses} writes no .${ending}`, hint: `end it with ${endings(allowed)}` };
  }
  if (write === undefined) return undefined;
  const isCompressedTwice = ending === 'parquet.gz' || ending === 'xlsx.gz';
  if (write.format !== undefined && !isCompressedTwice) return undefined;
  const plain = ending.endsWith('.gz') && !isCompressedTwice ? ending.slice(0, -3) : ending;
  if (writeFormats.some((format) => format === plain)) return undefined;
  return {
    message: ending === '' ? 'the name has no extension' : `.${ending} is not a format of rows`,
    hint: `end it with ${endings(writeFormats)}, or say format`,
  };
}

function endings(words: readonly string[]): string {
  return listed(
    words.map((word) => `.${word}`),
    'or',
  );
}
