/** `rehearse`: a playbook on private sandboxes, seed after seed, while everything goes wrong. */
import { isDecimalText } from '../../base/decimal.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { faultNames, type FaultName } from '../../rehearsal/faults.ts';
import { NotRehearsedError, rehearse, type SeedResult } from '../../rehearsal/rehearse.ts';
import { CommandRefusedError } from '../../rehearsal/world.ts';
import { papersBy } from '../../report/papers.ts';
import { summaryOf } from '../../report/summary.ts';
import { oneOf, outputOf, type Context, type Given } from '../context.ts';
import { InvalidError } from '../given/invalid.ts';
import { givenInputs, loadGiven } from '../given/playbooks.ts';
import { writeJson } from '../running/papers.ts';
import { scenarioGiven } from '../sandbox/scenario.ts';
import { badSeeds, rehearsalLines, rehearsalObject } from '../screens/rehearsal.ts';
import { summaryLines } from '../screens/summary.ts';
import { programName } from '../version.ts';

const time = Date.UTC(2026, 0, 31, 8); // the moment every world begins, as in tests
const seedsUsual = 20;

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const faults = faultsIn(given);
  const seeds = seedsIn(given);
  const [file = ''] = given.words;
  const playbook = await loadGiven(file, context);
  const inputs = await givenInputs(playbook, given, context);
  const scenarioFile = given.text('scenario');
  const scenario =
    scenarioFile === undefined ? {} : { scenario: await scenarioGiven(scenarioFile, context) };
  const program = programName;
  const papers = papersBy(program);
  const results: SeedResult[] = [];
  for (const seed of seeds) {
    const options = { inputs, faults, time, program, papers, ...scenario };
    results.push(await rehearse(playbook, seed, options).catch(notRehearsed(file, seed)));
  }
  const told = { file, faults, results, command: (seed: number) => commandOf(seed, given) };
  await writeJson(rehearsalObject(told), context);
  if (format === 'json') out.line(JSON.stringify(rehearsalObject(told)));
  else {
    if (given.text('seed') !== undefined) results.forEach((result) => tell(result, context));
    out.line(rehearsalLines(told, out.look).join('\n'));
  }
  return badSeeds(results).length === 0 ? exits.done : exits.stopped;
}

/** @throws UsageError with the near word */
function faultsIn(given: Given): readonly FaultName[] {
  const named = given.texts('fault').map((name) => oneOf(name, faultNames, '--fault'));
  return named.length === 0 ? faultNames : named;
}

const seedsMax = 100_000;

function seedsIn(given: Given): readonly number[] {
  const seed = numberIn(given, 'seed');
  const seeds = numberIn(given, 'seeds');
  if (seed !== undefined && seeds !== undefined) {
    throw new UsageError('--seed is one seed and --seeds is how many', 'give one of them');
  }
  if (seed !== undefined) return [seed];
  return Array.from({ length: seeds ?? seedsUsual }, (_none, index) => index + 1);
}

function numberIn(given: Given, flag: string): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const value = isDecimalText(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= 1 && value <= seedsMax) return value;
  throw new UsageError(`--${flag} is a whole number from 1 to ${seedsMax}`);
}

/** The same line with one seed. */
function commandOf(seed: number, given: Given): string {
  const words = (flag: string): string[] =>
    given.texts(flag).map((value) => `--${flag} ${shellWord(value)}`);
  const scenario = given.text('scenario');
  return [
    `deskhand rehearse ${shellWord(given.words[0] ?? '')} --seed ${seed}`,
    ...words('fault'),
    ...(scenario === undefined ? [] : [`--scenario ${shellWord(scenario)}`]),
    ...words('var'),
    ...words('var-file'),
  ].join(' ');
}

function notRehearsed(file: string, seed: number): (error: unknown) => never {
  return (error) => {
    const isOurs = error instanceof NotRehearsedError || error instanceof CommandRefusedError;
    if (!isOurs) throw error;
    throw new InvalidError(`${file} cannot be rehearsed (seed ${seed}): ${error.message}`);
  };
}

/** One seed in full: what went wrong, in its order, and how the run tells it. */
function tell({ story, entries }: SeedResult, { terminal: { out } }: Context): void {
  out.line(`${count(story.length, 'fault or death', 'faults and deaths')}:`);
  for (const [index, line] of story.entries()) out.line(`  ${index + 1}. ${plainText(line)}`);
  out.line();
  if (entries.length === 0) return;
  out.line(summaryLines({ ...summaryOf(entries), next: [] }, out.look).join('\n'));
  out.line();
}
