import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { junitXml } from '../../src/cli/reporters/tests-junit.ts';
import { parseXml, type Element } from '../support/xml.ts';
import { deskhand, folderWith } from './deskhand.ts';

const playbook = `playbook: 1
name: leverage
steps:
  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: 5 }
`;

const tests = `playbook-test: 1
playbook: leverage.yaml
tests:
  - name: leverage is set
    expect: { outcome: done, orders: [] }
  - name: it <is> "quoted" & 'more' ]]>
    expect:
      exit: 1
      journal: { leverage: refused }
  - name: it gives no reason
`;

const files = {
  'leverage.yaml': playbook,
  'a.test.yaml': tests,
  'b/c.test.yaml':
    'playbook-test: 1\nplaybook: ../leverage.yaml\ntests: [{ name: c, expect: { exit: 0 } }]\n',
};

/** Removes the duration. */
const timeless = (text: string): string => text.replaceAll(/\d+\.\d+ s|\d+ ms/g, '… s');

test('the tests of the bundled workflows pass', async () => {
  const cwd = folderWith();
  cpSync(join(import.meta.dirname, '..', '..', 'workflows'), join(cwd, 'workflows'), {
    recursive: true,
  });
  const { code, stdout, stderr } = await deskhand(['test', 'workflows'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\d\d tests in \d+ files: \d\d passed\. All on the sandbox\.\n$/);
});

describe('test', () => {
  test('shows expected and actual values with the line', async () => {
    const { code, stdout } = await deskhand(['test'], { cwd: folderWith(files) });
    expect([code, timeless(stdout)]).toMatchSnapshot();
  });

  test('a failed test exits with 1', async () => {
    const cwd = folderWith({
      ...files,
      'a.test.yaml': files['a.test.yaml'].replace(/ {2}- name: it gives no reason\n/, ''),
    });
    expect((await deskhand(['test', '-q'], { cwd })).code).toBe(1);
  });

  test('-q omits passed tests', async () => {
    const { stdout } = await deskhand(['test', '-q', 'b'], { cwd: folderWith(files) });
    expect(stdout).toBe('✔ 1 test in 1 file: 1 passed. All on the sandbox.\n');
  });

  test('-o json prints one object', async () => {
    const { stdout } = await deskhand(['test', '-o', 'json'], { cwd: folderWith(files) });
    const report = JSON.parse(stdout.replaceAll(/"tookMs":\d+/g, '"tookMs":0'));
    expect(report).toMatchSnapshot();
  });

  test('an invalid test file is shown as a code frame, and the others run', async () => {
    const cwd = folderWith({
      ...files,
      'a.test.yaml': 'playbook-test: 1\nplaybook: levrage.yaml\ntests: [{ name: a }]\n',
    });
    const { code, stdout, stderr } = await deskhand(['test'], { cwd });
    expect([code, timeless(stdout), stderr]).toMatchSnapshot();
  });

  test('an invalid playbook is shown in its own file', async () => {
    const cwd = folderWith({
      ...files,
      'leverage.yaml': playbook.replace('leverage: 5', 'levrage: 5'),
    });
    const { code, stderr } = await deskhand(['test', 'b'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('leverage.yaml:6:40');
  });

  test.each([
    [['test']],
    [['test', 'missing.test.yaml']],
    [['test', '-']],
    [['test', '-o', 'markdown']],
  ])('%j without a test is a usage error', async (words) => {
    const { code, stdout, stderr } = await deskhand(words, { cwd: folderWith() });
    expect([code, stdout, stderr]).toMatchSnapshot();
  });

  test('GitHub Actions gets an annotation for each difference', async () => {
    const env = { GITHUB_ACTIONS: 'true' };
    const { stderr } = await deskhand(['test'], { cwd: folderWith(files), env });
    expect(stderr).toMatchSnapshot();
  });

  test('--update rewrites the expectations, runs again and passes', async () => {
    const cwd = folderWith(files);
    const { code, stderr } = await deskhand(['test', '--update'], { cwd });
    expect([code, stderr]).toEqual([0, 'updated a.test.yaml: 2 expectations\n']);
    expect(readFileSync(join(cwd, 'a.test.yaml'), 'utf8')).toContain('journal: { leverage: done }');
    expect((await deskhand(['test'], { cwd })).code).toBe(0);
  });

  test('a nested playbook runs like any other step', async () => {
    const around =
      'playbook: 1\nname: around\nsteps:\n  - { id: lines, for-each: [a, b], uses: ../leverage.yaml }\n';
    const tests = 'playbook-test: 1\nplaybook: around.yaml\ntests:\n  - name: both\n    expect:\n';
    const cwd = folderWith({
      'leverage.yaml': playbook,
      'in/around.yaml': around,
      'in/a.test.yaml': `${tests}      journal: { "lines[b]/leverage": done }\n`,
    });
    expect(timeless((await deskhand(['test'], { cwd })).stdout)).toContain('1 passed');
    const wrong = { 'leverage.yaml': playbook.replace('leverage: 5', 'levrage: 5') };
    const broken = folderWith({
      ...wrong,
      'in/around.yaml': around,
      'in/a.test.yaml': `${tests}      exit: 0\n`,
    });
    const { code, stderr } = await deskhand(['test'], { cwd: broken });
    expect([code, stderr.includes('leverage.yaml:6:40')]).toEqual([3, true]);
  });

  test('leaves no files', async () => {
    const cwd = folderWith({ ...files, 'a.test.yaml': files['b/c.test.yaml'].replace('../', '') });
    await deskhand(['test'], { cwd });
    expect((await deskhand(['runs', 'list'], { cwd })).stdout).toBe('no runs yet\n');
  });
});

describe('--junit', () => {
  const suites = async (): Promise<Element> => {
    const cwd = folderWith({ ...files, 'd.test.yaml': 'playbook-test: 2\n' });
    await deskhand(['test', '--junit', 'out/junit.xml'], { cwd });
    return parseXml(readFileSync(join(cwd, 'out/junit.xml'), 'utf8'));
  };

  test('is XML with one case per test and correct totals', async () => {
    const root = await suites();
    const { tests: all, failures, errors } = root.attributes;
    expect([root.name, all, failures, errors]).toEqual(['testsuites', '5', '1', '2']);
    const cases = root.children.flatMap(({ children }) => children);
    expect(cases.map(({ children }) => children[0]?.name)).toEqual([
      undefined,
      'failure',
      'error',
      undefined,
      'error',
    ]);
    for (const suite of root.children)
      expect(Number(suite.attributes['tests'])).toBe(suite.children.length);
  });

  test('names and messages are complete with any characters', async () => {
    const cases = (await suites()).children.flatMap(({ children }) => children);
    const failed = cases[1];
    expect(failed?.attributes['name']).toBe('it <is> "quoted" & \'more\' ]]>');
    expect(failed?.children[0]?.text).toContain('a.test.yaml:9 journal.leverage');
  });

  test('no text breaks the XML', () => {
    const at = {
      file: hostile,
      start: { offset: 0, line: 1, column: 1 },
      end: { offset: 0, line: 1, column: 1 },
    };
    const difference = { what: hostile, at, expected: hostile, got: hostile };
    const result = { name: hostile, at, tookMs: 1, differences: [difference], revisions: [] };
    const broken = { ...result, broken: { at, message: hostile } };
    const xml = junitXml([{ file: hostile, problems: [], results: [result, broken] }]);
    const [suite] = parseXml(xml).children;
    expect(suite?.children).toHaveLength(2);
  });
});

const hostile = `<&"'>]]>\u0000\u001b[31m\ud800 \ufffe\n<![CDATA[ </failure> &#0; \u202e`;
