/** Folders with many of one thing (steps, listed items, playbooks, profiles, tests, tables), and commands on them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { exits } from '../../src/base/error.ts';
import { deskhand } from '../processes/desk.ts';
import { command, envOf } from './command.ts';
import type { Subject } from './subject.ts';

/** Texts by the names of their files. */
type Files = Readonly<Record<string, string>>;

const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_none, at) => text(at)).join('');
const playbook = (steps: string, name = 'bench'): string =>
  `playbook: 1\nname: ${name}\nsteps:\n${steps}`;
const pause = 'uses: wait, with: { for: 1ms }';
const named = (count: number, file: (at: number) => readonly [name: string, text: string]): Files =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => file(at)));
const tickers = '{ category: USDT-FUTURES, symbol: BTCUSDT }';

/** What a folder holds, for a number of them. */
const pieces = {
  steps: (count) => ({
    'bench.yaml': playbook(many(count, (at) => `- { id: s${at}, ${pause} }\n`)),
  }),
  'listed items': (count) => ({
    'bench.yaml': playbook(
      `- { id: s, for-each: [${many(count, (at) => `k${at}, `)}], ${pause} }\n`,
    ),
  }),
  playbooks: (count) => ({
    'bench.yaml': playbook(many(count, (at) => `- { id: s${at}, uses: ./p${at}.yaml }\n`)),
    ...named(count, (at) => [`p${at}.yaml`, playbook(`- { id: s, ${pause} }\n`, `p${at}`)]),
  }),
  'nested runs of a playbook': (count) => ({
    'bench.yaml': playbook(`- { id: s, for-each: "{{ range 1 ${count} }}", uses: ./part.yaml }\n`),
    'part.yaml': playbook(`- { id: a, ${pause} }\n- { id: b, ${pause} }\n`, 'part'),
  }),
  profiles: (count) => ({
    'deskhand.yaml': `profiles:\n${many(count, (at) => `  a${at}: { target: sandbox }\n`)}`,
    'bench.yaml': playbook(many(count, (at) => `- { id: s${at}, account: a${at}, ${pause} }\n`)),
  }),
  tests: (count) => ({
    'bench.yaml': playbook(`- { id: s, ${pause} }\n`),
    ...named(count, (at) => [
      `p${at}.test.yaml`,
      'playbook-test: 1\nplaybook: bench.yaml\ntests:\n- { name: t, expect: { outcome: done } }\n',
    ]),
  }),
  'unknown names': (count) => ({
    'bench.yaml': playbook(
      many(count, (at) => `- { id: step-${at}, needs: [stpe-${at}], ${pause} }\n`),
    ),
  }),
  'steps that need the one before': (count) => ({
    'bench.yaml': `parallel: 4\n${playbook(many(count, (at) => `- { id: s${at + 1}, needs: [s${at}], ${pause} }\n`).replace('needs: [s0], ', ''))}`,
  }),
  inputs: (count) => ({
    'bench.yaml': `inputs:\n${many(count, (at) => `  i${at}: { type: decimal, default: 1 }\n`)}${playbook(`- { id: s, ${pause} }\n`)}`,
  }),
  'excluded combinations': (count) => ({
    'bench.yaml': playbook(
      `- { id: s, for-each: { matrix: { a: "{{ range 1 ${count} }}", b: [1, 2] }, exclude: [${many(count, (at) => `{ a: ${at + 1}, b: 2 }, `)}] }, ${pause} }\n`,
    ),
  }),
  tables: (count) => ({
    'bench.yaml': playbook(
      `- { id: r, uses: market/list-tickers, with: ${tickers} }\n${many(count, (at) => `- { id: t${at}, uses: report/table, with: { from: r } }\n`)}`,
    ),
  }),
} satisfies Readonly<Record<string, (count: number) => Files>>;

type Piece = keyof typeof pieces;

/** A command on a folder with more and more of one thing; one that shows a run has it from `first`. */
function on(
  piece: Piece,
  words: readonly string[],
  {
    sizes = [1, 100, 1_000, 4_000],
    first,
    code = 0,
  }: { sizes?: readonly number[]; first?: true; code?: number } = {},
): Subject {
  return {
    name: `${words.filter((word) => word !== '-q').join(' ')}: ${piece}`,
    unit: piece,
    sizes,
    prepare: async (count, folder) => {
      const place = mkdtempSync(join(folder, 'place-'));
      for (const [file, text] of Object.entries(pieces[piece](count))) {
        writeFileSync(join(place, file), text);
      }
      if (first) {
        const options = { cwd: place, env: envOf(place), stdio: 'ignore' as const };
        execFileSync(process.execPath, [deskhand, '-q', 'run', 'bench.yaml'], options);
      }
      return () => command(place, words, code);
    },
  };
}

const file = 'bench.yaml';
const checks = [
  ['validate', file],
  ['fmt', '--check', file],
  ['graph', file],
  ['types', file],
];
const plans = [
  ['plan', '--offline', file],
  ['plan', file],
];
const shown = [
  ['runs', 'show', 'last'],
  ['runs', 'logs', 'last'],
  ['runs', 'diff', 'last', 'last'],
  ['runs', 'replay', 'last'],
  ['runs', 'outputs', 'last'],
];
const run = ['-q', 'run', file];
const fewer = { sizes: [1, 30, 300, 1_000] };

export const pieceSubjects: readonly Subject[] = [
  ...[...checks, ...plans, run].map((words) => on('steps', words)),
  ...shown.map((words) => on('steps', words, { first: true })),
  ...[...checks, ...plans, run].map((words) =>
    on('listed items', words, { sizes: [1, 100, 1_000, 9_000] }),
  ),
  ...[...checks, ...plans].map((words) => on('playbooks', words, fewer)),
  on('playbooks', ['schedule', 'list'], fewer),
  on('playbooks', ['drift'], fewer),
  on('playbooks', ['doctor'], fewer),
  ...[...plans, run].map((words) => on('nested runs of a playbook', words, fewer)),
  ...shown.map((words) => on('nested runs of a playbook', words, { ...fewer, first: true })),
  ...[...checks, ...plans, ['doctor'], ['keys', 'list']].map((words) =>
    on('profiles', words, fewer),
  ),
  on('unknown names', ['validate', file], { code: exits.invalid }),
  on('steps that need the one before', run, { sizes: [1, 300, 1_000, 4_000] }),
  on('inputs', ['-q', 'plan', file], { sizes: [1, 100, 300, 900] }),
  on('excluded combinations', ['plan', file], { sizes: [1, 100, 1_000, 3_000] }),
  on('tests', ['test', '.'], { sizes: [1, 10, 100, 400] }),
  on('tables', run, { sizes: [1, 100, 500, 2_000] }),
];
