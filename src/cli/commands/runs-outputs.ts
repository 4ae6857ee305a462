/** `runs outputs`: the outputs of a run, and the playbooks that it used; for other tools, too. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainJson } from '../../base/json.ts';
import { nearWord, plainText } from '../../base/text.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { outputLines, outputWords, type OutputLine } from '../../report/named-outputs.ts';
import { storyOf } from '../../report/story.ts';
import { configOf } from '../../app/config/opened.ts';
import { fetchRuns } from '../../app/store/synchronized.ts';
import { runNamed } from '../args/run-name.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import type { RunsOutputsOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const [word = '', name] = args.positionals;
  const id = await runNamed(config.stateDir, word, (found) => fetchRuns(config, context, found));
  const story = storyOf(await readRun(config.stateDir, id));
  const all = outputLines(story);
  const lines = name === undefined ? all : [lineNamed(name, all, id)];
  if (format === 'json') {
    const status = story.finished?.status ?? 'unfinished';
    const outputs = Object.fromEntries(lines.map((line) => [line.name, plainJson(line.value)]));
    out.json({ version: 1, run: id, status, outputs } satisfies RunsOutputsOutput);
    return exits.done;
  }
  const [first] = lines;
  if (first === undefined) out.line(`${id} has no outputs`);
  else if (name !== undefined) out.line(outputWords(first, Infinity));
  else {
    const rows = lines.map((line) => [plainText(line.name, 160), outputWords(line, Infinity)]);
    out.line(columns(rows, { ...out.theme, columns: Infinity }, { indent: 0 }).join('\n'));
  }
  return exits.done;
}

/** The output of a name. @throws UsageError with a suggestion */
function lineNamed(name: string, all: readonly OutputLine[], run: string): OutputLine {
  const found = all.find((line) => line.name === name);
  if (found !== undefined) return found;
  const names = all.map((line) => line.name);
  const near = nearWord(name, names);
  throw new UsageError(
    `${run} has no output ${JSON.stringify(name)}`,
    near === undefined
      ? `it has ${names.length === 0 ? 'none' : names.map((each) => plainText(each, 80)).join(', ')}`
      : `did you mean ${near}?`,
  );
}
