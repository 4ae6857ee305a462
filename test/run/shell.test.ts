/** Programs of this machine: run by their words, in a bare environment, only where they are allowed. */
import { createHmac } from 'node:crypto';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { replay } from '../../src/journal/replay.ts';
import { loadPlaybook } from '../../src/playbook/load.ts';
import { postNotice, signatureOf } from '../../src/run/webhook.ts';
import { entriesOf, live, openDesk, planOn, playbookFrom, type Life } from '../support/desk.ts';

const node = JSON.stringify(process.execPath);
const program = (code: string, more = ''): string => `
playbook: 1
name: program
inputs:
  word: { type: string, default: "$(touch nobody) ; * \\"x\\" -rf" }
steps:
  - id: it
    uses: shell/run
    with:
      command: [${node}, -e, ${JSON.stringify(code)}, "{{ inputs.word }}", 7]
${more}
`;

async function ran(code: string, more = '', life: Life = {}) {
  const desk = await openDesk();
  const playbook = playbookFrom(program(code, more));
  const result = await live(desk, playbook, { programs: true, ...life });
  return { result, outcome: replay(entriesOf(desk)).get('it')?.outcome, disk: desk.disk };
}

describe('shell/run', () => {
  test('gives a program its words as they are, and keeps what it prints', async () => {
    const { outcome } = await ran('console.log(JSON.stringify(process.argv.slice(1)))');
    expect(outcome).toMatchObject({
      kind: 'done',
      output: { exit: 0, stdout: '["$(touch nobody) ; * \\"x\\" -rf","7"]\n', stderr: '' },
    });
  });

  test('shows it nothing of our environment but what it needs to start', async () => {
    process.env['DESKHAND_API_SECRET'] = 'not for programs';
    const { outcome } = await ran(
      'console.log(Object.keys(process.env).sort().join())',
      '      env: { WORD: "{{ inputs.word }}" }',
    );
    delete process.env['DESKHAND_API_SECRET'];
    const { stdout } = Object(outcome).output;
    expect(stdout.trim().split(',')).toEqual(
      ['HOME', 'LANG', 'PATH', 'TZ', 'WORD'].filter(
        (name) => name === 'WORD' || process.env[name] !== undefined,
      ),
    );
  });

  test('hides a secret it was given, however it is printed', async () => {
    const more = '      env: { TOKEN: "{{ secrets.LONG_TOKEN }}" }';
    const code =
      'const t = process.env.TOKEN; console.log(t, Buffer.from(t).toString("hex")); console.error(t)';
    const { outcome, disk } = await ran(code, more);
    expect(outcome).toMatchObject({ output: { stdout: '••• •••\n', stderr: '•••\n' } });
    expect(disk).not.toContain('LONG_TOKEN,');
  });

  test.each([
    ['process.stderr.write("bad\\nworse"); process.exit(3)', 'ended with 3: worse'],
    ['setTimeout(() => {}, 60000)', 'did not end within 0.5 s'],
    ['process.stdout.write("x".repeat(300 * 1024))', 'printed more than 256 KiB'],
  ])('%s fails the step', async (code, message) => {
    const { outcome, result } = await ran(code, '    timeout: 500ms');
    expect(outcome).toMatchObject({ kind: 'failed', code: 'program' });
    expect(Object(outcome).message).toContain(message);
    expect(result.exit).toBe(1);
  });

  test.each([[false], [['jq']]])('is refused where the profile allows %j', async (programs) => {
    const desk = await openDesk();
    const playbook = playbookFrom(program('0'));
    await expect(planOn(desk, playbook)).rejects.toThrow(/does not allow shell.run to start/);
    const { outcome } = await ran('0', '', { programs });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'config', exit: 3 });
  });

  test.each([
    ['command: [a]', 'command: a b', 'command wants a list of words; this is one of a b'],
    ['command: [a]', 'command: [a]\n      stdin: x', 'shell/run has no field "stdin"'],
    ['command: [a]', 'command: ["{{ secrets.KEY }}"]', 'secrets'],
    ['command: [a]', 'env: { A: b }', 'command is missing'],
  ])('%s as %s is told', (good, bad, message) => {
    const text = `playbook: 1\nname: p\nsteps:\n  - id: it\n    uses: shell/run\n    with:\n      ${good}\n`;
    expect(loadPlaybook(text, 'p.yaml').problems).toEqual([]);
    const found = loadPlaybook(text.replace(good, bad), 'p.yaml').problems;
    expect(found.map((problem) => problem.message).join()).toContain(message);
  });
});

test('a notice is signed with a key of its own, which is written nowhere', async () => {
  const desk = await openDesk();
  const sent: unknown[] = [];
  const notice = playbookFrom(`
playbook: 1
name: told
steps:
  - id: tell
    uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: done, sign-with: "{{ secrets.SIGNING_KEY }}" }
`);
  await live(desk, notice, { notify: async (...all) => void sent.push(all) });
  expect(sent).toEqual([['HOOK', expect.objectContaining({ text: 'done' }), 'SIGNING_KEY']]);
  expect(JSON.stringify(entriesOf(desk).slice(1))).not.toContain('SIGNING_KEY');
  const hmac = createHmac('sha256', 'k').update('{}').digest('hex');
  expect(signatureOf('{}', 'k')).toBe(`sha256=${hmac}`);
});

test.each(['http://hooks.example/x', 'hooks.example', 'file:///etc/hosts'])(
  'a notice to %s is not posted, and the address is not told',
  async (address) => {
    const failure = await postNotice(address, {}).then(String, String);
    expect(failure).toContain('url must be https://');
    expect(failure).not.toContain('hooks');
  },
);
