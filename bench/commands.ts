/**
 * What commands cost as whole processes, in CPU time against `node -e 0` and against the tools
 * people check YAML with: ajv-cli on the same file and schema, redocly on an Arazzo file of as
 * many steps. Rounds take turns, medians are compared.
 *
 *   npm run build && npm ci --prefix test/peers && npx tsx bench/commands.ts
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { descriptionOf, openApiText, playbookOf } from './commands/files.ts';
import { median } from './figures/median.ts';

const root = join(import.meta.dirname, '..');
const deskhand = join(root, 'bin', 'deskhand.js');
const peer = (name: string): string => join(root, 'test', 'peers', 'node_modules', '.bin', name);
const rounds = 11;

if (!existsSync(peer('ajv')) || !existsSync(peer('redocly'))) {
  console.error('the peers are missing: npm ci --prefix test/peers');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'deskhand-commands-'));
mkdirSync(join(folder, 'state'));
writeFileSync(join(folder, 'openapi.yaml'), openApiText);
for (const steps of [3, 100, 1_000]) {
  writeFileSync(join(folder, `p${steps}.yaml`), playbookOf(steps));
  writeFileSync(join(folder, `a${steps}.arazzo.yaml`), descriptionOf(steps));
}
const schema = join(root, 'schemas', 'playbook.schema.json');
const ajv = (steps: number): string[] => [
  peer('ajv'),
  'validate',
  '--strict=false',
  '-s',
  schema,
  '-d',
  join(folder, `p${steps}.yaml`),
];

const commands: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': [process.execPath, '-e', '0'],
  '--version': [process.execPath, deskhand, '--version'],
  '--help': [process.execPath, deskhand, '--help'],
  'completion bash': [process.execPath, deskhand, 'completion', 'bash'],
  'validate 3': [process.execPath, deskhand, 'validate', 'p3.yaml'],
  'plan 3': [process.execPath, deskhand, 'plan', '--offline', 'p3.yaml'],
  'validate 100': [process.execPath, deskhand, 'validate', 'p100.yaml'],
  'validate 1000': [process.execPath, deskhand, 'validate', 'p1000.yaml'],
  'ajv 100': ajv(100),
  'ajv 1000': ajv(1_000),
  'redocly 100': [peer('redocly'), 'lint', 'a100.arazzo.yaml'],
  'redocly 1000': [peer('redocly'), 'lint', 'a1000.arazzo.yaml'],
};

/** CPU seconds of a child, as the shell counts them. */
function cost(words: readonly string[]): number {
  const env = {
    ...process.env,
    DESKHAND_STATE_DIR: join(folder, 'state'),
    REDOCLY_TELEMETRY: 'off',
    CI: '1',
  };
  const told = execFileSync('bash', ['-c', '"$@" >/dev/null 2>&1; times', 'bash', ...words], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const children = told.trim().split('\n').at(-1) ?? '';
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

const costs = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
for (let round = 0; round < rounds; round++) {
  for (const [name, words] of Object.entries(commands)) costs.get(name)?.push(cost(words));
}
rmSync(folder, { recursive: true });

const of = (name: string): number => median(costs.get(name) ?? []);
const ratio = (what: string, to: string): string =>
  `${what}: ${of(what).toFixed(3)} s of CPU, ${(of(what) / of(to)).toFixed(2)} × ${to}`;
for (const line of [
  ratio('--version', 'node -e 0'),
  ratio('--help', 'node -e 0'),
  ratio('completion bash', 'node -e 0'),
  ratio('validate 3', 'node -e 0'),
  ratio('plan 3', 'node -e 0'),
  ratio('validate 100', 'node -e 0'),
  ratio('validate 100', 'ajv 100'),
  ratio('validate 100', 'redocly 100'),
  ratio('validate 1000', 'ajv 1000'),
  ratio('validate 1000', 'redocly 1000'),
]) {
  console.log(line);
}
