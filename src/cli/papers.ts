/** Files a result is written to beside the screen. */
import { appendFile, writeFile } from 'node:fs/promises';
import type { Context } from './context.ts';

/** `--json-into`. */
export async function writeJson(value: object, { globals }: Context): Promise<void> {
  if (globals.jsonInto === undefined) return;
  await writeFile(globals.jsonInto, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** GitHub Actions shows this file as the page of the job. */
export async function appendToPage(markdown: string, { terminal }: Context): Promise<void> {
  const page = terminal.env['GITHUB_STEP_SUMMARY'];
  if (page !== undefined && page !== '') await appendFile(page, `${markdown.trimEnd()}\n`);
}
