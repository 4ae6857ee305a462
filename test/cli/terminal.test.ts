/** Output in a GitHub pipeline: only our own workflow commands are commands. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { terminalOver, type Terminal } from '../../src/report/terminal/terminal.ts';

async function printed(
  env: Terminal['env'],
  print: (terminal: Terminal) => void,
): Promise<readonly string[]> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = () => new PassThrough();
  print(terminalOver({ stdin, stdout, stderr, env, wantsColour: false, wantsInput: false }));
  stdout.end();
  stderr.end();
  return Promise.all([text(stdout), text(stderr)]);
}

const onGithub = { GITHUB_ACTIONS: 'true' };

test.each([
  ['::set-env name=A::b', String.raw`\::set-env name=A::b`],
  ['  ::stop-commands::x', String.raw`  \::stop-commands::x`],
  ['a\n::add-path::/x', String.raw`a` + '\n' + String.raw`\::add-path::/x`],
  ['said: ##[add-mask]x', String.raw`said: ##\[add-mask]x`],
  ['{"msg":"##[error]x"}', String.raw`{"msg":"##\u005berror]x"}`],
  ['a :: b', 'a :: b'],
])('%j is not a command', async (line, shown) => {
  const both = (terminal: Terminal): void => {
    terminal.out.line(line);
    terminal.err.line(line);
  };
  expect(await printed(onGithub, both)).toEqual([`${shown}\n`, `${shown}\n`]);
  expect(await printed({}, both)).toEqual([`${line}\n`, `${line}\n`]);
});

test('escaped JSON has the same meaning', () => {
  expect(JSON.parse(String.raw`{"msg":"##\u005berror]x"}`)).toEqual({ msg: '##[error]x' });
});

test('commands that deskhand prints itself are not escaped', async () => {
  const command = '::error file=a.yaml,line=1,title=t::m';
  const [out] = await printed(onGithub, ({ out: channel }) => channel.command(command));
  expect(out).toBe(`${command}\n`);
});
