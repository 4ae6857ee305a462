/** Invalid command lines: the right exit code, one clear sentence, and no action. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs/index.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';

const good = 'playbook: 1\nname: a\nsteps:\n  - uses: market/list-discount-rates\n';

/** A folder with a playbook, a folder, bytes that are not text, and a file that is not a playbook. */
function place(): string {
  const cwd = folderWith({
    'a.yaml': good,
    'empty.yaml': '',
    'list.yaml': '- 1\n',
    'plan.json': '{"seal":',
  });
  mkdirSync(join(cwd, 'folder'));
  mkdirSync(join(cwd, 'folder.json'));
  symlinkSync('nowhere', join(cwd, 'dangling-link.yaml'));
  writeFileSync(
    join(cwd, 'bytes.yaml'),
    Buffer.from([0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d]),
  );
  return cwd;
}

/** Control characters except line feed, and characters that change the reading direction or end a line. */
const wild = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u;

/** What holds for every invalid command line. */
function isClear({ stdout, stderr }: Ended, cwd: string): void {
  expect(stderr).not.toMatch(/^\s+at .*[:(]/m);
  expect(stdout + stderr).not.toMatch(wild);
  expect(stderr).toMatch(/^error\[[a-zA-Z0-9-]+\] \S.*/m);
  expect(stderr).not.toMatch(/\bError:|ENOENT:|EISDIR:|undefined|\[object|internal/);
  expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
}

/** Command lines with their exit code and the start of their message. */
const lines: readonly (readonly [line: string, code: number, message: string])[] = [
  ['nonsense', 2, 'unknown command "nonsense"'],
  ['runs nonsense', 2, 'unknown command "nonsense"'],
  ['sandbox', 2, 'a subcommand is required'],
  ['--nonsense', 2, 'unknown flag "--nonsense"'],
  ['plan a.yaml --nonsense', 2, 'unknown flag "--nonsense"'],
  ['plan a.yaml -o xml', 2, '--output is text, json or markdown, not "xml"'],
  ['fmt a.yaml -o markdown', 2, '--output is text, not "markdown"'],
  ['init -o yaml', 2, '--output is text or json, not "yaml"'],
  ['-o', 2, '--output needs a value'],
  ['runs list --log-level loud', 2, '--log-level is error, warn, info or debug, not "loud"'],
  ['plan', 2, '<file> is missing'],
  ['plan a.yaml a.yaml', 2, 'unexpected argument'],
  ['run a.yaml a.yaml', 2, 'unexpected argument'],
  ['graph a.yaml a.yaml', 2, 'unexpected argument'],
  ['runs list extra', 2, 'unexpected argument'],
  ['demo extra', 2, 'unexpected argument'],
  ...['plan', 'run', 'graph', 'validate', 'fmt', 'test', 'sandbox load'].flatMap((verb) => [
    [`${verb} missing.yaml`, 2, 'file not found: missing.yaml'] as const,
    [`${verb} a.yaml/inside.yaml`, 2, 'file not found: a.yaml/inside.yaml'] as const,
  ]),
  ...['plan', 'run', 'graph', 'validate', 'fmt', 'rehearse', 'sandbox load'].map(
    (verb) => [`${verb} folder`, 2, 'folder is a folder'] as const,
  ),
  ['run folder.json', 2, 'folder.json is a folder'],
  ['test folder', 2, 'no test found here'],
  ...['plan', 'run', 'graph', 'fmt', 'rehearse', 'sandbox load'].map(
    (verb) => [`${verb} bytes.yaml`, 3, 'bytes.yaml is not UTF-8 text'] as const,
  ),
  ...['plan', 'run', 'graph'].map(
    (verb) => [`${verb} empty.yaml`, 3, 'the file is empty'] as const,
  ),
  ['run plan.json', 5, 'plan.json was changed after it was saved: not valid JSON'],
  ['plan a.yaml --out /proc/nobody/plan.json', 1, '/proc/nobody: no such file or folder'],
  ['run a.yaml --only nope', 2, 'unknown step "nope"'],
  ['run a.yaml --approve nope', 5, 'plan not found: "nope"; nothing was sent'],
  ['plan a.yaml --var', 2, '--var needs a value'],
  ['plan a.yaml --var x', 2, '"x" is not an input like name=value'],
  ['plan a.yaml --var-file missing.yaml', 2, 'file not found: missing.yaml'],
  ['plan a.yaml --var-file list.yaml', 2, 'list.yaml must contain a mapping of inputs'],
  ['plan a.yaml --out folder', 2, '--out: folder is a folder'],
  ['plan a.yaml --out a.yaml/x.json', 2, 'a.yaml/x.json cannot be written: a.yaml is a file'],
  ['plan a.yaml --json-into folder', 2, '--json-into: folder is a folder'],
  ['run a.yaml --report a.yaml', 2, '--report: a.yaml is a file'],
  ['test --junit folder', 2, '--junit: folder is a folder'],
  ['sandbox start --ready-file folder', 2, '--ready-file: folder is a folder'],
  ['resume nope', 2, 'no run nope in'],
  ['resume ../../etc', 2, '"../../etc" is not a run id'],
  ['runs show nope', 2, 'no run nope in'],
  ['call', 2, '<operation> is missing'],
  ['call nope', 2, 'unknown operation "nope"'],
  ['call market/list-tickers x', 2, '"x" is not a field like name=value'],
  ['call market/list-tickers', 3, 'market/list-tickers: category is missing'],
  ['call market/list-tickers category=SPOT --page x', 2, '--page is all or one, not "x"'],
  ['graph a.yaml --format svg', 2, '--format is text, mermaid or dot, not "svg"'],
  ['explain nonsense-word', 2, 'unknown topic "nonsense-word"'],
  ['explain --schema', 2, '--schema is for an operation'],
  ['help nonsense', 2, 'unknown help topic "nonsense"'],
  ['init a.yaml', 2, 'a.yaml is a file'],
  ['sandbox start --port x', 2, '--port is a whole number, not "x"'],
  ['sandbox start --clock sundial', 2, '--clock "sundial" is not a clock'],
  ['sandbox start --scenario list.yaml', 3, 'the input must be of type object'],
  ['sandbox advance soon', 2, '"soon" is not a duration'],
  ['sandbox control clok', 2, 'unknown control path "clok"'],
  ['sandbox control clock/advance ms=x', 2, 'the sandbox refused: A parameter is not valid'],
  ['-C nowhere plan a.yaml', 2, '--dir: folder not found: nowhere'],
  ['-C a.yaml plan a.yaml', 2, '--dir: a.yaml is not a folder'],
  ['--config missing.yaml runs list', 2, 'file not found: missing.yaml'],
  ['--config folder runs list', 2, '--config: folder is a folder'],
  ['-p nope plan a.yaml', 3, 'unknown profile "nope" in any configuration file'],
];

test.each(lines)('deskhand %s', async (line, code, message) => {
  const cwd = place();
  const ended = await deskhand(line.split(' '), { cwd });
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  const last = ended.stderr
    .split('\n')
    .filter((text) => text.startsWith('error['))
    .at(code === 3 ? 0 : -1);
  expect(last).toContain(message);
  isClear(ended, cwd);
});

test('a broken link is not suggested in place of itself', async () => {
  const { code, stderr } = await deskhand(['plan', 'dangling-link.yaml'], { cwd: place() });
  expect([code, stderr]).toEqual([2, 'error[usage] file not found: dangling-link.yaml\n']);
});

test.each(verbs.map(({ name, positionals: words }) => [name, words]))(
  '%s has no other format',
  async (name, words) => {
    const cwd = place();
    const word = words.startsWith('<') ? ['a.yaml'] : [];
    const ended = await deskhand([...name.split(' '), ...word, '-o', 'nonsense'], { cwd });
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    isClear(ended, cwd);
  },
);

test('names with control characters are displayed safely', async () => {
  const name = 'a\u001b[31m\r\u202e\u0085.yaml';
  const cwd = folderWith({
    [name]: good.replace('list-discount-rates', 'list-nothing'),
    [`b${name}`]: good.replace('name: a', 'name:   a   '),
  });
  for (const words of [
    ['plan', name],
    ['validate', name],
    ['validate', `b${name}`],
    ['fmt', name],
    ['fmt', `b${name}`],
    ['test', name],
    ['graph', name],
    ['call', name],
    ['explain', name],
    [name],
    ['run', 'x', '--only', name],
    ['sandbox', 'load', name],
    ['-p', name, 'plan', `b${name}`],
    ['plan', `b${name}`, '--out', `${name}/x`],
    ['plan', `b${name}`],
    ['run', `b${name}`],
  ]) {
    const { stdout, stderr } = await deskhand(words, { cwd });
    expect([words[0], stdout + stderr]).toEqual([words[0], expect.not.stringMatching(wild)]);
  }
});
