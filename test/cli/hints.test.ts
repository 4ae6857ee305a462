/** Commands in messages: each one is valid and works where it is printed. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorNames } from '../../src/app/explain/errors.ts';
import { subjects } from '../../src/app/explain/subjects.ts';
import { topicOf } from '../../src/app/explain/topics.ts';
import { parseAndStart } from '../../src/cli/program.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import type { Verb } from '../../src/cli/verbs/verb.ts';
import { folderWith, type Ended } from './deskhand.ts';
import { inside } from './inside.ts';
import { ladder } from './ladder.ts';

const firstWords = new Set(verbs.map(({ name }) => name.split(' ')[0] ?? ''));

const root = join(import.meta.dirname, '..', '..', 'src');

/** A command in the source, with `W` for inserted values. */
interface Printed {
  readonly file: string;
  readonly words: string;
}

/** Files generated for a repository, shell or timer, which have separate tests. */
const generated =
  /^cli\/(init|verbs|completion)\/|^app\/schedule\/export\/|^cli\/(program|args\/own-files)\.ts/;

/** In backticks, or to the end of a text or line: `see: deskhand runs list`. */
const command =
  /([`'>(]|: |^|  )(?:npx |W)?deskhand ([a-z][^`'<\n]*?)(?=`|'|<|$|  |,? then |; |\))/gm;

const lines = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !generated.test(file))
  .flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll('\\`', '`');
    const kept = text.split('\n').filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line));
    return kept.map((line) => ({ file, line: withoutParts(line) }));
  });
const printed: readonly Printed[] = lines.flatMap(({ file, line }) =>
  commandsIn(line).map((words) => ({ file, words })),
);

function withoutParts(line: string): string {
  const inner = line.replaceAll(/\$\{[^{}]*\}/g, 'W');
  return inner === line ? line : withoutParts(inner);
}

/** The program's name at the start of a title or sentence is not a command. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(command)]
    .map(([whole, , words = '']) => ({ words: words.trim(), isQuoted: whole.startsWith('`') }))
    .filter(({ words, isQuoted }) => isQuoted || firstWords.has(words.split(' ')[0] ?? ''))
    .map(({ words }) => words);
}

function verbOf(words: string): Verb | undefined {
  const [first = '', second = ''] = words.split(' ');
  return verbs.find(({ name }) => name === first || name === `${first} ${second}`);
}

describe('every command in a message', () => {
  test('is accepted by the command line', async () => {
    const wrong: unknown[] = [];
    for (const { file, words } of printed) {
      const problem = await problemOf(words);
      if (problem !== undefined) wrong.push([file, words, problem]);
    }
    expect(wrong).toEqual([]);
    expect(printed.length).toBeGreaterThan(60);
  });

  test('is in backticks or at the end, so that readers see where it ends', () => {
    const loose = lines.flatMap(({ file, line }) => {
      const all = [...line.matchAll(/deskhand ([a-z][\w-]*)/g)].filter(([, word = '']) =>
        firstWords.has(word),
      );
      return all.length > commandsIn(line).length ? [[file, line.trim()]] : [];
    });
    expect(loose).toEqual([]);
  });
});

const samples: Readonly<Record<string, string>> = { OPERATION: 'order/list-open', CODE: 'usage' };

async function problemOf(words: string): Promise<string | undefined> {
  const argv = words
    .replaceAll(/"[^"]*"?/g, 'W')
    .split(' ')
    .map((word) => samples[word] ?? word);
  const verb = verbOf(words);
  if (verb === undefined) return 'no such verb';
  try {
    const start = (): Promise<0> => Promise.resolve(0);
    await parseAndStart(argv, { verbs, version: '', write: () => undefined, columns: 80, start });
    if (verb.name === 'explain' && argv[1] !== undefined && argv[1] !== 'W') topicOf(argv[1]);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const files = {
  'ladder.yaml': ladder,
  'wrong.yaml': 'playbook: 1\nname: wrong\nsteps: [{ id: a, use: b }]\n',
  'failing.yaml': `playbook: 1
name: failing
steps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT }, expect: [{ that: "{{ eq 1 2 }}" }] }]
`,
  'polling.yaml': `playbook: 1
name: polling
steps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT }, until: "{{ eq 1 2 }}", poll: { every: 1s, for: 1s } }]
`,
  'subs.yaml': `playbook: 1
name: subs
steps: [{ id: sub, uses: account/create-sub, with: { username: alpha } }]
`,
  'example.test.yaml': 'playbook-test: 1\nplaybook: ladder.yaml\ncases: []\n',
  'lost.yaml': `version: 1
faults:
  - { match: { operation: account/create-sub }, when: after-commit, times: 1, action: { kind: reset } }
`,
};

/** Situations in order; each line runs in the folder that the lines before it left. */
const situations: readonly string[] = [
  '',
  'plan',
  'resolve',
  'export order/list-open --file',
  'explain',
  'help topics',
  'help qqqqqqqqqqqq',
  'explain --schema',
  ...Object.keys(subjects).map((name) => `explain ${name}`),
  ...Object.keys(errorNames).map((name) => `explain ${name}`),
  'runs show last',
  'resume r-aaaaaaaaaaaa',
  'validate',
  'run wrong.yaml',
  'validate example.test.yaml',
  'explain nothing-at-all',
  'call nothing/at-all',
  'call order/list-open nothing=1',
  'call order/list-open category=NO',
  'export order/list-history cursor=1 --file a.csv',
  'export order/list-history --columns nothing --file a.csv',
  'approve p-00000000',
  'run p-00000000',
  'schedule run-due --schedule s-00000000',
  'keys former abcdef01 -p sandbox',
  'keys former zz -p sandbox',
  'import ladder.yaml nothing --id 1',
  'new',
  'new prices --operation futures/place-order',
  'new prices --operation market/list-tickers --with category=SPOT',
  'demo',
  'init desk',
  'plan ladder.yaml --out plan.json',
  'run plan.json',
  'run failing.yaml',
  'run polling.yaml',
  'sandbox load lost.yaml',
  'run subs.yaml',
  'doctor --offline',
  'drift subs.yaml',
  'types ladder.yaml',
  'resolve RUN nothing --absent',
  'resolve RUN sub',
  'runs set-aside RUN',
  'runs set-aside RUN --comment seen',
  'runs unlock RUN',
  'runs verify RUN',
  'runs diff RUN last',
];

/** What a reader inserts for a word in capitals. */
const filled: Readonly<Record<string, string>> = {
  FILE: 'ladder.yaml',
  OPERATION: 'order/list-open',
  SUB_UID: '7000000099',
  ORDER_ID: '1234567890123456789',
  ID: 'desk',
  FINGERPRINT: 'abcdef01',
  ADDRESS: 'sub',
  CODE: 'usage',
};

test('printed commands work where they are printed', async () => {
  const cwd = folderWith(files);
  const seen = new Set<string>();
  const wrong: unknown[] = [];
  const execute = async (line: string, at = cwd): Promise<Ended> => {
    const { stdout } = await inside(['runs', 'list', '-o', 'json'], { cwd: at });
    const run: string = JSON.parse(stdout).runs[0]?.run ?? 'r-aaaaaaaaaaaa';
    return inside(
      wordsOf(line).map((word) => filled[word] ?? (word === 'RUN' ? run : word)),
      { cwd: at },
    );
  };
  for (const situation of situations) {
    const { stdout, stderr } = await execute(situation);
    const text = unbroken(`${stdout}\n${stderr}`);
    for (const line of commandsIn(text)) {
      if (seen.has(line)) continue;
      seen.add(line);
      const apart = folderWith(); // each of several alternatives, as if it were the only one
      cpSync(cwd, apart, { recursive: true });
      const { code, stderr: said } = await execute(line, apart);
      // A help page is about no particular run: what it names may not exist.
      const isUsage = code === 2 && (!/[A-Z]{2}/.test(line) || /unexpected|unknown/.test(said));
      if (isUsage || said.includes('[internal]')) wrong.push([situation, line, said]);
    }
  }
  expect(wrong).toEqual([]);
  const all = [...seen];
  const unseen = printed.filter(({ words }) => {
    const parts = words
      .split('W')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return !all.some((line) => new RegExp(`^${parts.join('.*')}$`).test(line));
  });
  expect(new Set(unseen.map(({ words }) => words))).toEqual(new Set(Object.keys(elsewhere)));
});

/** A help page wraps lines within commands, too. */
function unbroken(text: string): string {
  return text.replaceAll(/`[^`\n]*\n[^`\n]*`/g, (quoted) => quoted.replace(/\n */, ' '));
}

/** A line as a shell splits it. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => word.replaceAll(/^["']|["']$/g, ''));
}

/** Printed in situations that other tests create, with the test file that executes each. */
const elsewhere: Readonly<Record<string, string>> = {
  'approve --enroll': 'peers/serve-approve',
  'approve PLAN': 'story/story',
  'approve W': 'story/story',
  'approve W W': 'cli/approve-step',
  'call OPERATION': 'cli/call',
  'call W --strict': 'cli/call',
  'call WW --page allW': 'cli/damaged',
  'call WWW --page allW': 'cli/damaged',
  drift: 'cli/stopped',
  new: 'cli/new',
  'drift W': 'cli/notify',
  'keys former W -p WW': 'cli/account-flight',
  'plan FILE --full': 'cli/eighty',
  'plan FILE --out plan.json': 'story/story',
  'plan FILE -o markdown': 'cli/orphans',
  'plan W --queue --out plan.json': 'postgres/plan-queue',
  'rehearse W --seed W': 'cli/rehearse',
  'resume W --approve W': 'cli/stopped',
  'resume W --plan FILE': 'story/plans',
  'resume W --queue': 'postgres/workers',
  'run PLAN --queue': 'postgres/workers',
  'runs cancel W': 'postgres/workers',
  'runs files W --into DIR': 'postgres/outputs',
  'runs logs -f W': 'postgres/elsewhere',
  'runs prune --yes': 'postgres/pruned-runs',
  worker: 'postgres/workers',
  'run FILE': 'cli/run',
  'run W --approve W': 'cli/live',
  'run W -p W --from WW --of W': 'cli/reuse',
  'runs files W': 'cli/reuse',
  'runs list --playbook W': 'cli/reuse',
  'runs list --status doubt': 'cli/run-overviews',
  'run W --scheduled-for W': 'cli/account-flight',
  'run W --new --reason WHY': 'cli/unfinished',
  'run W --queue': 'told/queueing',
  'runs unlock W --comment "the runner was deleted"': 'cli/unlock',
  'runs unlock W --comment "…"': 'cli/unlock',
  'sandbox control --list': 'cli/sandbox-profile',
  'sandbox start': 'sandbox/shared',
  'schedule list': 'cli/schedule',
  'schedule resume W': 'cli/schedule',
  serve: 'secrets/commands',
  'store restored': 'postgres/commands',
  'store restored --yes': 'postgres/commands',
  'store serve': 'restate/commands',
  'store upgrade': 'postgres/commands',
};

test.each(Object.entries(elsewhere))('%s is executed by %s', (command, file) => {
  const path = join(import.meta.dirname, '..', file);
  const own = `${path}.test.ts`;
  const text = readFileSync(existsSync(own) ? own : `${path}.ts`, 'utf8'); // or what tests share
  const words = command.replace(/"[^"]*"/, '').split(' ');
  for (const word of words.filter((each) => /^(?:--)?[a-z]+(?:-[a-z]+)*$/.test(each))) {
    expect(text).toMatch(new RegExp(`(?<![\\w-])${word}(?![\\w-])`));
  }
});
