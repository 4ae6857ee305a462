/** `runs files`: the files that a run wrote, and copies of them from the store or this folder. */
import { join } from 'node:path';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { makeFolder } from '../../engine/journal/file.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { fetchFiles, type Fetched } from '../../stores/outputs/fetch.ts';
import { filesOf } from '../../stores/outputs/written-files.ts';
import { seeFiles, type SeenFile } from '../../stores/outputs/seen.ts';
import { sizeOf } from '../../report/words.ts';
import { runNamed } from '../args/run-name.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { printError } from '../exits.ts';
import type { RunsFilesOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { fetchRuns, storeOf } from '../../app/store/synchronized.ts';
import { configOf } from '../../app/config/opened.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const into = args.text('into');
  if (into === '') throw new UsageError('--into names a folder');
  const config = await configOf(context);
  const word = args.positionals[0] ?? '';
  if (word === 'last') await fetchRuns(config, context);
  const id = await runNamed(config.stateDir, word, (run) => fetchRuns(config, context, run));
  const written = filesOf(await readRun(config.stateDir, id));
  const isStored = written.some(({ stored }) => stored?.in === 'store');
  const reader = isStored ? (await storeOf(config, context)).outputs : undefined;
  const options = { run: id, workspace: process.cwd(), ...(reader && { reader }) };
  const files = await seeFiles(written, options);
  if (into === undefined) {
    if (format === 'json') out.json(dataOf(id, files) satisfies RunsFilesOutput);
    else if (files.length === 0) out.line(`${id} wrote no file`);
    else
      out.line(
        columns(
          files.map((file) => cellsOf(file)),
          out.theme,
          { indent: 0 },
        ).join('\n'),
      );
    return exits.done;
  }
  await makeFolder(into);
  const fetched: Fetched[] = [];
  for await (const one of fetchFiles(files, into, options)) {
    fetched.push(one);
    if (one.kind === 'failed') printError(one.error, context);
    else if (format === 'text') out.line(fetchedLine(one, into, out.theme));
  }
  const failed = fetched.filter(({ kind }) => kind === 'failed').length;
  if (format === 'json') out.json(dataOf(id, files, fetched) satisfies RunsFilesOutput);
  if (failed > 0) err.line(`${failed} of ${fetched.length} files were not fetched`);
  return failed > 0 ? exits.stopped : exits.done;
}

function cellsOf({ file: { path, bytes, sha256 }, place }: SeenFile): readonly string[] {
  return [plainText(path, 160), sizeOf(bytes), placeWords(place), plainText(sha256, 64)];
}

function placeWords(place: SeenFile['place']): string {
  switch (place.kind) {
    case 'here':
      return 'here';
    case 'store':
      return 'in the store';
    case 'missing':
      return place.because;
    case 'elsewhere': {
      const where = `on ${plainText(place.host, 80)} in ${plainText(place.folder, 200)}`;
      return place.because === undefined ? where : `${where}: ${plainText(place.because, 200)}`;
    }
  }
}

function fetchedLine(
  { file: { path }, kind }: Exclude<Fetched, { readonly kind: 'failed' }>,
  into: string,
  { sign }: Theme,
): string {
  const word = kind === 'same' ? 'is there already' : 'fetched';
  return `${sign('good')} ${plainText(join(into, path), 200)} ${word}`;
}

function dataOf(
  run: string,
  files: readonly SeenFile[],
  fetched: readonly Fetched[] = [],
): RunsFilesOutput {
  return {
    version: 1,
    run,
    files: files.map(({ file: { path, bytes, sha256 }, place }) => {
      const one = fetched.find(({ file }) => file.path === path);
      return {
        path,
        bytes,
        sha256,
        where: place.kind,
        ...(place.kind === 'elsewhere' && { host: place.host, folder: place.folder }),
        ...('because' in place && place.because !== undefined && { because: place.because }),
        ...(one && { fetched: one.kind }),
      };
    }),
  };
}
