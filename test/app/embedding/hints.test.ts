/** Errors of the library name its functions and options; what only a person may do stays a command. */
import { expect, test } from 'vitest';
import { plan, run } from '../../../src/index.ts';
import { libraryWords } from '../../../src/app/embedding/hints.ts';
import { folder, pauseFirst } from './options.ts';

test.each([
  ['continue it: `deskhand resume r-7k2m`', "continue it: `resume({ run: 'r-7k2m' })`"],
  ['give a value with --var name=value or --var-file FILE', 'give a value with `inputs`'],
  [
    'name the file it leads to: --config FILE, or DESKHAND_CONFIG',
    'name the file it leads to: `config`',
  ],
  ['--expires is a duration', '`expires` is a duration'],
  ['use a shorter --expires, or ask the owner', 'use a shorter `expires`, or ask the owner'],
  ['deskhand approve p-41c9d2aa', 'deskhand approve p-41c9d2aa'],
  ['explain a rule: deskhand explain PB203', 'explain a rule: deskhand explain PB203'],
  [
    'make a plan of a playbook: deskhand plan FILE --out plan.json',
    'make a plan of a playbook: `plan({ playbook })`',
  ],
])('%s', (text, said) => {
  expect(libraryWords(text)).toBe(said);
});

test('an error about inputs names the option', async () => {
  const { cwd, env } = folder();
  const wrong = plan({ playbook: 'ladder.yaml', inputs: { rungs: 'many' }, cwd, env });
  await expect(wrong).rejects.toMatchObject({ hint: 'give a value with `inputs`' });
});

test('a plan whose run was started names the function that continues it', async () => {
  const { cwd, env } = folder({ 'pause-first.yaml': pauseFirst });
  const made = await plan({ playbook: 'pause-first.yaml', cwd, env });
  const going = run({ plan: made, cwd, env });
  for await (const event of going) if (event.kind === 'opened' && event.step === 'pause') break;
  const again = await run({ plan: made, cwd, env }).result;
  expect(again).toMatchObject({
    status: 'refused',
    error: { hint: expect.stringContaining(`resume({ run: '${made.run}' })`) },
  });
});
