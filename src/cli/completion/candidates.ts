/** Candidates that need a lookup: files, playbooks and their names, runs, plans, profiles. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { isRecord } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { loadConfig, type Config } from '../../app/config/load.ts';
import { fieldsOf } from '../../exchange/api/check.ts';
import { isOperation, operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import { listRuns, newestRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { Problems } from '../../language/problems.ts';
import { readSource } from '../../language/source.ts';
import { childOf, textOf, type SourceNode } from '../../language/text/node.ts';
import { inputFile } from '../args/input-file.ts';
import type { Context } from '../context.ts';
import type { Lookup } from '../verbs/verb.ts';
import type { Place } from './cursor.ts';

export interface Candidate {
  readonly word: string;
  readonly description?: string;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Whether the candidates are paths, which the shell quotes. */
  readonly arePaths?: true;
}

type Source = (place: Place, context: Context) => Promise<Candidates> | Candidates;

/** The completions for a place. */
export function candidatesFor(
  lookup: Lookup,
  place: Place,
  context: Context,
): Promise<Candidates> | Candidates {
  return sources[lookup](place, context);
}

/** The ids of the saved plans. */
async function plansIn(place: Place, context: Context): Promise<readonly string[]> {
  const { stateDir } = await configAt(place, context);
  const names = await readdir(join(stateDir, 'plans'));
  return names.flatMap((name) => /^(p-[0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
}

const sources: Readonly<Record<Lookup, Source>> = {
  example: async () => {
    const { exampleNames } = await import('../init/written.ts');
    return words(exampleNames());
  },
  file: ({ typed }) => paths(typed, () => true),
  folder: ({ typed }) => paths(typed, () => false),
  playbook: ({ typed }) => paths(typed, isPlaybook),
  'playbook-or-plan': ({ typed }) =>
    paths(typed, (name) => isPlaybook(name) || name.endsWith('.json')),
  test: ({ typed }) => paths(typed, (name) => /\.test\.ya?ml$/.test(name)),
  profile: async (place, context) => words((await configAt(place, context)).profiles.keys()),
  key: async (place, context) => {
    const { stateDir } = await configAt(place, context);
    const { keyUsesIn } = await import('../../engine/journal/standing.ts');
    const uses = await keyUsesIn(stateDir);
    return words(new Set(uses.flatMap(({ destination }) => destination.keyFingerprint ?? [])));
  },
  run: (place, context) => runs(place, context, () => Promise.resolve(true)),
  'run-playbook': async (place, context) => {
    const { stateDir } = await configAt(place, context);
    return words(new Set((await listRuns(stateDir)).map(({ playbook }) => playbook)));
  },
  'unfinished-run': (place, context) =>
    runs(place, context, async (stateDir, run) => {
      const last = (await readRun(stateDir, run).catch(() => [])).at(-1); // a damaged run is not done
      return !(last?.kind === 'finished' && last.status === 'done');
    }),
  'address-in-doubt': async (place, context) => {
    const { stateDir } = await configAt(place, context);
    const { doubtsIn } = await import('../../engine/effects/doubts.ts');
    const doubts = doubtsIn(await readRun(stateDir, place.words[0] ?? ''));
    return words(doubts.map(({ address }) => address));
  },
  plan: async (place, context) => words(await plansIn(place, context)),
  'plan-or-run': async (place, context) => {
    const asking = await runs(place, context, async (stateDir, run) => {
      const { openQuestions } = await import('../../engine/journal/questions.ts');
      return openQuestions(await readRun(stateDir, run).catch(() => [])).length > 0;
    });
    const plans = await plansIn(place, context).catch(() => []);
    return { candidates: [...asking.candidates, ...plans.map((word) => ({ word }))] };
  },
  'asking-step': async (place, context) => {
    const { stateDir } = await configAt(place, context);
    const { openQuestions } = await import('../../engine/journal/questions.ts');
    const open = openQuestions(await readRun(stateDir, place.words[0] ?? ''));
    return words(open.map(({ address }) => address));
  },
  schedule: async (place, context) => {
    const { schedulesNamed } = await import('../schedule/found.ts');
    const { schedules } = await schedulesNamed([], await configAt(place, context), context);
    const candidates = schedules.map(({ id, playbook, cron }) => ({
      word: id,
      description: `${playbook} ${cron}`,
    }));
    return { candidates };
  },
  step: async ({ words: args }) => {
    const steps = childOf(await playbookIn(args[0]), 'steps');
    const ids =
      steps?.kind === 'list' ? steps.items.map((step) => textOf(childOf(step, 'id'))) : [];
    return words(ids.filter((id) => id !== undefined));
  },
  input: async ({ words: args }) => ({ candidates: await inputsOf(args[0]) }),
  'input-file': async ({ words: args, typed }) => {
    const { input, path } = inputFile(typed);
    if (input !== undefined) {
      const { candidates } = await paths(path, () => true);
      return words(candidates.map(({ word }) => `${input}=${word}`));
    }
    const [inputs, files] = [await inputsOf(args[0]), await paths(typed, () => true)];
    const named = inputs.filter(({ word }) => word.startsWith(typed));
    return named.length === 0 ? files : { candidates: [...named, ...files.candidates] };
  },
  operation: () => ({
    candidates: operationNames.map((word) => ({ word, description: operationOf(word).title })),
  }),
  field: ({ words: [operation = ''], typed }) => fieldsAt(operation, typed),
  'control-path': async () => {
    const { controlPaths } = await import('../../sandbox/control.ts');
    return words(controlPaths);
  },
  topic: async () => {
    const { topicWords } = await import('../../app/explain/topics.ts');
    return words(topicWords());
  },
  'help-topic': async () => {
    const [{ verbs }, { helpTopics }, { topicWords }] = await Promise.all([
      import('../verbs/index.ts'),
      import('../commands/help.ts'),
      import('../../app/explain/topics.ts'),
    ]);
    const commands = verbs.map(({ name }) => name.split(' ')[0] ?? '');
    return words(new Set([...commands, ...helpTopics, ...topicWords()]));
  },
};

/** The inputs of a playbook, which may be absent, as `name=`. */
async function inputsOf(playbook: string | undefined): Promise<readonly Candidate[]> {
  const inputs = childOf(await playbookIn(playbook), 'inputs');
  if (inputs?.kind !== 'map') return [];
  return [...inputs.entries].map(([name, { value }]) => {
    const description = textOf(childOf(value, 'description'));
    return { word: `${name}=`, ...(description !== undefined && { description }) };
  });
}

function words(found: Iterable<string>): Candidates {
  return { candidates: [...found].map((word) => ({ word })) };
}

function isPlaybook(name: string): boolean {
  return /\.ya?ml$/.test(name) && !/\.test\.ya?ml$|^deskhand\.ya?ml$/.test(name);
}

/** Matching files and all folders as candidates; hidden ones only after a dot. */
async function paths(typed: string, fits: (name: string) => boolean): Promise<Candidates> {
  const start = typed.endsWith('/') ? typed : typed.includes('/') ? `${dirname(typed)}/` : '';
  const isHidden = typed.slice(start.length).startsWith('.');
  const entries = await readdir(start === '' ? '.' : start, { withFileTypes: true });
  const found = entries
    .filter(({ name }) => name.startsWith('.') === isHidden)
    .flatMap((entry) => {
      if (entry.isDirectory()) return [`${start}${entry.name}/`];
      return fits(entry.name) ? [`${start}${entry.name}`] : [];
    });
  return { ...words(found.sort()), arePaths: true };
}

function configAt({ values }: Place, { terminal }: Context): Promise<Config> {
  const file = values.get('--config');
  return loadConfig({ cwd: process.cwd(), env: terminal.env, ...(file !== undefined && { file }) });
}

const runsMax = 50; // newest runs; a longer list is not useful

async function runs(
  place: Place,
  context: Context,
  fits: (stateDir: string, run: string) => Promise<boolean>,
): Promise<Candidates> {
  const { stateDir } = await configAt(place, context);
  const newest = await newestRuns(stateDir, runsMax);
  const fitting = await Promise.all(newest.map(({ run }) => fits(stateDir, run)));
  const candidates = newest
    .filter((_header, index) => fitting[index])
    .map(({ run, playbook }) => ({ word: run, description: playbook }));
  return { candidates };
}

/** The readable part of a playbook, which may be incomplete. */
async function playbookIn(path: string | undefined): Promise<SourceNode | undefined> {
  if (path === undefined) return undefined;
  return readSource(await readRegular(path), path, new Problems(), { hasAliases: true }).tree;
}

/** The candidates of a field: `field=`, then the allowed values of the field. */
function fieldsAt(operation: string, typed: string): Candidates {
  if (!isOperation(operation)) return words([]);
  const [field = '', value] = typed.split('=');
  if (value === undefined) return words(fieldsOf(operation).map((name) => `${name}=`));
  const properties = operationOf(operation).input.json['properties'];
  const schema = isRecord(properties) ? properties[field] : undefined;
  const allowed = isRecord(schema) ? (schema['enum'] ?? schema['examples']) : undefined;
  return words(Array.isArray(allowed) ? allowed.map((word) => `${field}=${String(word)}`) : []);
}
