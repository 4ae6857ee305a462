/** Files a result is written to beside the screen. */
import { appendFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../../base/folder.ts';
import { readableJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { Context } from '../context.ts';

/** `--json-into`. */
export async function writeJson(value: Json | object, { globals }: Context): Promise<void> {
  if (globals.jsonInto === undefined) return;
  await writePaper(globals.jsonInto, readableJson(value));
}

/** A file, and the folder it stands in when that is not there. */
export async function writePaper(path: string, text: string): Promise<void> {
  await makeFolders(dirname(path));
  await writeFile(path, text);
}

/** GitHub Actions shows this file as the page of the job. */
export async function appendToPage(markdown: string, { terminal }: Context): Promise<void> {
  const page = terminal.env['GITHUB_STEP_SUMMARY'];
  if (page !== undefined && page !== '') await appendFile(page, `${markdown.trimEnd()}\n`);
}
