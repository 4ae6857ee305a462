/** Options that a program in JavaScript gets wrong: each is named, and nothing is sent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { optionKinds } from '../../../src/app/embedding/check-options.ts';
import { plan, resume, run, validate } from '../../../src/index.ts';
import { resting } from '../../cli/ladder.ts';
import { folder } from './options.ts';

/** Calls without the types of a compiler. */
const calls: Readonly<Record<string, (options: never) => Promise<unknown>>> = {
  plan,
  validate,
  run: (options) => run(options).result,
  resume: (options) => resume(options).result,
};

/** The error of a call, whether it is thrown or an outcome. */
async function errorOf(name: string, options: unknown): Promise<unknown> {
  const ended: unknown = await calls[name]?.(options as never).catch((error: unknown) => ({
    error,
  }));
  return Object(ended).error;
}

const ladder = { playbook: 'ladder.yaml' };

test.each<[string, object, string, string?]>([
  ['plan', {}, 'plan needs the option playbook'],
  ['plan', { playbook: 7 }, 'the option playbook of plan must be a text or an object'],
  ['plan', { ...ladder, plan: 'p-1' }, 'plan has no option "plan"'],
  ['validate', {}, 'validate needs the option playbooks'],
  [
    'validate',
    { playbooks: [1] },
    'the option playbooks of validate must be a text, an object, or a list of them',
  ],
  ['run', {}, 'run needs the option playbook or plan'],
  ['run', { ...ladder, plan: 'p-1' }, 'run takes either playbook or plan, not both'],
  ['run', { ...ladder, only: 'tickers' }, 'the option only of run must be a list of texts'],
  ['run', { ...ladder, approve: 7 }, 'the option approve of run must be a text'],
  ['run', { ...ladder, beside: 'ann' }, 'the option beside of run must be an object'],
  ['run', { ...ladder, statedir: '/x' }, 'run has no option "statedir"', 'did you mean stateDir?'],
  ['run', { ...ladder, signal: 'stop' }, 'the option signal of run must be an AbortSignal'],
  ['run', { ...ladder, inputs: null }, 'the option inputs of run must be an object'],
  ['run', { ...ladder, env: 'CI' }, 'the option env of run must be an object'],
  ['run', { ...ladder, credentials: [] }, 'the option credentials of run must be an object'],
  [
    'run',
    { ...ladder, inputs: new Map([['rungs', 2]]) },
    'the option inputs of run must be an object',
  ],
  ['run', { ...ladder, credentials: new Map() }, 'the option credentials of run must be an object'],
  ['run', { plan: 7 }, 'the option plan of run must be a text or an object'],
  ['plan', { ...ladder, isOffline: 'yes' }, 'the option isOffline of plan must be true or false'],
  ['resume', { run: 'r-1', signal: {} }, 'the option signal of resume must be an AbortSignal'],
  ['resume', {}, 'resume needs the option run'],
  ['resume', { run: 'r-1', planFile: 1 }, 'the option planFile of resume must be a text'],
])('%s(%o): %s', async (name, options, message, hint = 'see docs/embedding.md') => {
  const where = folder();
  const error = await errorOf(name, { ...where, ...options });
  expect(error).toMatchObject({ code: 'usage', exit: 2, message, hint });
  expect(await resting(where.cwd)).toBe(0);
});

test.each([
  new Map([['a', 1]]),
  [new Set([1])],
  { a: Number.NaN },
  { a: [Infinity] },
  { a: () => 1 },
  Symbol('a'),
  1n,
])('an input cannot be %o, of which JSON would lose something', async (rungs) => {
  const where = folder();
  const error = await errorOf('run', { ...where, ...ladder, inputs: { rungs } });
  expect(error).toMatchObject({ code: 'usage', message: 'input "rungs" is not JSON' });
  expect(await resting(where.cwd)).toBe(0);
});

test.each(Object.keys(calls))('%s needs an object', async (name) => {
  for (const options of [undefined, null, 'ladder.yaml']) {
    expect(await errorOf(name, options)).toMatchObject({
      code: 'usage',
      message: `${name} needs an object with its options`,
    });
  }
});

test.each([null, 'key', 7, {}])('a key of an account cannot be %o', async (key) => {
  const error = await errorOf('run', { ...folder(), ...ladder, credentials: { main: key } });
  expect(error).toMatchObject({
    code: 'config',
    message: expect.stringContaining('apiKey is missing'),
  });
});

test('docs/embedding.md has every option', () => {
  const page = readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'docs', 'embedding.md'),
    'utf8',
  );
  const options = Object.values(optionKinds).flatMap((kinds) => Object.keys(kinds));
  expect(options.filter((option) => !new RegExp(`\\b${option}\\b`).test(page))).toEqual([]);
});
