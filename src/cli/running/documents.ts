/** Files that a result is written to, in addition to the screen. */
import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kindAt, kindWords } from '../../base/file-kind.ts';
import { makeFolders } from '../../base/folder.ts';
import { readableJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { escapedJson } from '../../base/text.ts';
import type { OwnKind } from '../../base/own-file.ts';
import { replaceOwnFile } from '../../engine/journal/file.ts';
import type { Context } from '../context.ts';
import { resultFile } from '../args/own-files.ts';

/** Writes a result to the file of the flag `--json-into`. */
export async function writeJson(value: Json | object, { globals }: Context): Promise<void> {
  if (globals.jsonInto === undefined) return;
  await writeDocument(globals.jsonInto, escapedJson(readableJson(value)), resultFile);
}

/**
 * Writes a file and creates its folder.
 * @throws ForeignFileError when another file exists; DiskError
 */
export async function writeDocument(path: string, text: string, kind: OwnKind): Promise<void> {
  await makeFolders(dirname(path));
  await replaceOwnFile(path, text, kind);
}

/** Appends to the file that GitHub Actions shows as the job page. */
export async function appendToPage(markdown: () => string, { terminal }: Context): Promise<void> {
  const page = terminal.env['GITHUB_STEP_SUMMARY'];
  if (page === undefined || page === '') return;
  const kind = kindAt(page);
  if (kind === 'file' || kind === 'nothing') {
    await appendFile(page, `${markdown().trimEnd()}\n`);
    return;
  }
  terminal.err.line(`GITHUB_STEP_SUMMARY is not written: ${kindWords(kind)}, not a file`);
}
