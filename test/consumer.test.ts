/** Compiles the published declarations as a project with the package and its dependencies would. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { isRecord } from '../src/base/json.ts';
import { examplesIn } from './docs/examples.ts';

const root = join(import.meta.dirname, '..');
const project = join(tmpdir(), 'consumer');
const dist = join(project, 'node_modules', 'deskhand', 'dist');

const examples = examplesIn('docs/embedding.md');

const settings = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    resolveJsonModule: true,
    target: 'es2022',
    types: ['node'],
    noEmit: true,
  },
  files: ['consumer.ts', ...examples.map(({ name }) => name)],
};

const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'node20', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'preserve', moduleResolution: 'bundler' },
];

const source = `
import { createClient, DeskhandError, plan, resume, run, validate, httpTransport, loadPlaybook, openSandbox, operations, systemClock, systemRandom } from 'deskhand';
import type { Client, Exchange, AnswerOf, Input, OperationName, Playbook, Problem, Sandbox } from 'deskhand';
import * as api from 'deskhand/api';
import { createLimiter, Secret, type Credentials } from 'deskhand/client';
import { resolveInputs, rules } from 'deskhand/playbook';
import { startServer } from 'deskhand/sandbox';
import manifest from 'deskhand/package.json' with { type: 'json' };
import schema from 'deskhand/schemas/playbook.schema.json' with { type: 'json' };

const { transport } = httpTransport({ baseUrl: 'http://127.0.0.1:1' });
const key: Credentials = { apiKey: new Secret('k'), secretKey: new Secret('s'), passphrase: new Secret('p') };
export const client: Client = createClient({
  transport,
  credentials: key,
  clock: systemClock,
  random: systemRandom(),
  limiter: createLimiter({ clock: systemClock }),
});
export const names: readonly OperationName[] = api.operationNames;
declare const input: Input<'futures/place-order'>;
export const order: Promise<AnswerOf<'futures/place-order'>> = client.call('futures/place-order', input);
// @ts-expect-error: no such operation
void client.call('futures/place-oder', {});
// @ts-expect-error: a secret must be a Secret, not a text
createClient({ transport, credentials: { ...key, secretKey: 's' } });
// @ts-expect-error: the result is not any
const text: number = loadPlaybook('playbook: 1', 'a.yaml');
// @ts-expect-error: an optional field is absent, not undefined
createLimiter({ clock: systemClock, isLeader: undefined });
export const texts: readonly string[] = [manifest.version, schema.title];
export async function embedded(signal: AbortSignal): Promise<string> {
  const { isValid } = await validate({ playbooks: 'a.yaml' });
  const reviewed = await plan({ playbook: 'a.yaml', inputs: { size: '0.1', all: isValid } }).catch((error: unknown) => {
    throw error instanceof DeskhandError ? new Error(error.code) : error;
  });
  const running = run({ plan: reviewed, signal, credentials: { main: { apiKey: 'k', secretKey: new Secret('s'), passphrase: 'p' } } });
  for await (const event of running) if (event.kind === 'settled') console.log(event.outcome.kind);
  const outcome = await running.result;
  // @ts-expect-error: a refused run has no report
  console.log(outcome.report);
  if (outcome.status === 'refused') return outcome.error.message;
  if (outcome.status === 'doubt') return (await resume({ run: outcome.run }).result).status;
  run({ plan: reviewed, playbook: { playbook: 1 }, config: { profiles: {} } });
  // @ts-expect-error: a plan or a playbook
  run({ signal });
  const code: 0 | undefined = outcome.status === 'done' ? outcome.exit : undefined;
  return String(code);
}
export { openSandbox, operations, resolveInputs, rules, startServer, text };
export type { Exchange, Playbook, Problem, Sandbox };
`;

beforeAll(() => {
  mkdirSync(dist, { recursive: true });
  execFileSync(process.execPath, [join(root, '.ci', 'declarations.mjs'), dist]);
  cpSync(join(root, 'package.json'), join(dist, '..', 'package.json'));
  const about: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const dependencies =
    isRecord(about) && isRecord(about['dependencies']) ? about['dependencies'] : {};
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    const path = join(project, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), path);
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'consumer.ts'), source);
  for (const { name, text } of examples) writeFileSync(join(project, name), text);
  symlinkSync(join(root, 'schemas'), join(dist, '..', 'schemas'));
});

test.each(resolutions)('a project compiles against them, strictly: %o', (resolution) => {
  const compilerOptions = { ...settings.compilerOptions, ...resolution };
  const path = join(project, 'tsconfig.json');
  writeFileSync(path, JSON.stringify({ ...settings, compilerOptions }));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', path], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test('there is a file for each entry, and one for what they share', () => {
  const entries = ['api', 'client', 'index', 'playbook', 'sandbox'];
  expect(readdirSync(dist).sort()).toEqual(
    [...entries, 'types'].map((name) => `${name}.d.ts`).sort(),
  );
});
