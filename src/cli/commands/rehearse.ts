/** `rehearse`: runs a playbook on private sandboxes, seed after seed, while faults are injected. */
import { isDecimalText } from '../../base/decimal.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { faultNames, type FaultName } from '../../rehearsal/simulation/faults.ts';
import {
  NotRehearsedError,
  rehearse,
  type SeedResult,
} from '../../rehearsal/simulation/rehearse.ts';
import { CommandRefusedError } from '../../rehearsal/tests/world.ts';
import { documentRenderer } from '../../report/renderer.ts';
import { summaryOf } from '../../report/summary.ts';
import { oneOf, outputOf, type Context, type Args } from '../context.ts';
import { InvalidError } from '../../app/planning/invalid.ts';
import { flagWords } from '../args/given.ts';
import { givenInputs, loadArguments } from '../args/playbook-argument.ts';
import { configToRead, profileOf } from '../../app/config/opened.ts';
import { writeJson } from '../running/documents.ts';
import { scenarioFrom } from '../sandbox/scenario.ts';
import { badSeeds, hasFinished, rehearsalLines, rehearsalObject } from '../screens/rehearsal.ts';
import { summaryLines } from '../../report/terminal/summary.ts';
import { answerForms, type AnswerForms } from '../../sandbox/world/world-settings.ts';
import { programName } from '../../base/version.ts';

const time = Date.UTC(2026, 0, 31, 8); // start time of every world, as in playbook tests
const seedsUsual = 20;

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const faults = faultsIn(args);
  const seeds = seedsIn(args);
  const [file = ''] = args.positionals;
  const config = await configToRead(context);
  const playbook = await loadArguments(file, config, context);
  const { name: profile } = profileOf(context, config, playbook.account);
  const inputs = await givenInputs(playbook, args, context);
  const scenarioFile = args.text('scenario');
  const scenario =
    scenarioFile === undefined ? {} : { scenario: await scenarioFrom(scenarioFile, context) };
  const answers = answersIn(args);
  const program = programName;
  const documents = documentRenderer(program);
  const results: SeedResult[] = [];
  for (const seed of seeds) {
    const options = { inputs, profile, faults, time, program, documents, ...scenario, ...answers };
    results.push(await rehearse(playbook, seed, options).catch(notRehearsed(file, seed)));
  }
  const rehearsal = { file, faults, results, command: (seed: number) => commandOf(seed, args) };
  await writeJson(rehearsalObject(rehearsal), context);
  if (format === 'json') out.json(rehearsalObject(rehearsal));
  else {
    if (args.text('seed') !== undefined) results.forEach((result) => print(result, context));
    out.line(rehearsalLines(rehearsal, out.theme).join('\n'));
  }
  return badSeeds(results).length === 0 && hasFinished(results) ? exits.done : exits.stopped;
}

/** The faults of the flags. @throws UsageError with a suggestion */
function faultsIn(args: Args): readonly FaultName[] {
  const named = args.texts('fault').map((name) => oneOf(name, faultNames, '--fault'));
  return named.length === 0 ? faultNames : named;
}

/** The answer form of the flags. @throws UsageError with a suggestion */
function answersIn(args: Args): { readonly answers?: AnswerForms } {
  const given = args.text('answers');
  return given === undefined ? {} : { answers: oneOf(given, answerForms, '--answers') };
}

const seedsMax = 100_000;

function seedsIn(args: Args): readonly number[] {
  const seed = numberIn(args, 'seed');
  const seeds = numberIn(args, 'seeds');
  if (seed !== undefined && seeds !== undefined) {
    throw new UsageError('--seed is one seed and --seeds is how many', 'give one of them');
  }
  if (seed !== undefined) return [seed];
  return Array.from({ length: seeds ?? seedsUsual }, (_none, index) => index + 1);
}

function numberIn(args: Args, flag: string): number | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const value = isDecimalText(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= 1 && value <= seedsMax) return value;
  throw new UsageError(`--${flag} is a whole number from 1 to ${seedsMax}`);
}

/** The command of this rehearsal with a single seed. */
function commandOf(seed: number, args: Args): string {
  const scenario = args.text('scenario');
  return [
    `deskhand rehearse ${shellWord(args.positionals[0] ?? '')} --seed ${seed}`,
    ...flagWords(['fault', 'answers'], args),
    ...(scenario === undefined ? [] : [`--scenario ${shellWord(scenario)}`]),
    ...flagWords(['var', 'var-file'], args),
  ].join(' ');
}

function notRehearsed(file: string, seed: number): (error: unknown) => never {
  return (error) => {
    const isOurs = error instanceof NotRehearsedError || error instanceof CommandRefusedError;
    if (!isOurs) throw error;
    throw new InvalidError(`${file} cannot be rehearsed (seed ${seed}): ${error.message}`);
  };
}

/** Prints one seed in full: its faults in order, and how the run ended. */
function print({ story, entries }: SeedResult, { terminal: { out } }: Context): void {
  out.line(`${count(story.length, 'fault or crash', 'faults and crashes')}:`);
  for (const [index, line] of story.entries()) out.line(`  ${index + 1}. ${plainText(line)}`);
  out.line();
  if (entries.length === 0) return;
  out.line(summaryLines({ ...summaryOf(entries), next: [] }, out.theme).join('\n'));
  out.line();
}
