import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseXml } from '../support/xml.ts';
import { deskhand, folderWith } from './deskhand.ts';

const good = `playbook: 1
name: prices
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
  - id: rates
    needs: [tickers]
    uses: market/list-discount-rates
`;
const bad = good.replace('market/list-tickers', 'market/list-tickrs');

describe('validate', () => {
  test('a valid playbook prints one line and exits with 0', async () => {
    const cwd = folderWith({ 'a.yaml': good });
    const { code, stdout, stderr } = await deskhand(['validate', 'a.yaml'], { cwd });
    expect([code, stdout, stderr]).toEqual([0, '✔ a.yaml: no problems. Nothing was sent.\n', '']);
  });

  test('an error prints a code frame with a suggestion and exits with 3', async () => {
    const cwd = folderWith({ 'a.yaml': bad });
    const { code, stdout } = await deskhand(['validate', 'a.yaml'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toContain('market/list-tickers');
    expect(stdout).toMatch(/a\.yaml:5:11/);
  });

  test('without arguments all playbooks of the folder are validated', async () => {
    const cwd = folderWith({ 'playbooks/a.yaml': good, 'playbooks/b.yaml': bad });
    const { code, stdout } = await deskhand(['validate', '-o', 'json'], { cwd });
    expect(code).toBe(3);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('playbooks/b.yaml');
  });

  test('a dash reads stdin', async () => {
    const { code, stdout } = await deskhand(['validate', '-'], { cwd: folderWith(), input: bad });
    expect([code, stdout.includes('stdin:5:11')]).toEqual([3, true]);
  });

  test.each([['github'], ['sarif']])('-o %s has file and line', async (format) => {
    const cwd = folderWith({ 'a.yaml': bad });
    const { stdout } = await deskhand(['validate', 'a.yaml', '-o', format], { cwd });
    expect(stdout).toContain(format === 'github' ? '::error file=a.yaml,line=5' : '"startLine":5');
  });

  test('GitHub Actions gets annotations automatically', async () => {
    const cwd = folderWith({ 'a.yaml': bad });
    const env = { GITHUB_ACTIONS: 'true' };
    const { stdout } = await deskhand(['validate', 'a.yaml'], { cwd, env });
    expect(stdout).toContain('\n::error file=a.yaml,line=5');
  });
});

describe('fmt', () => {
  const messy = good.replace('category: SPOT', 'category: {{inputs.c}}').replaceAll('\n', '  \r\n');

  test('adds missing quotes and normalizes spaces', async () => {
    const cwd = folderWith({ 'a.yaml': messy });
    const { code } = await deskhand(['fmt', 'a.yaml'], { cwd });
    const text = readFileSync(join(cwd, 'a.yaml'), 'utf8');
    expect([code, text]).toEqual([0, good.replace('SPOT', '"{{ inputs.c }}"')]);
  });

  test('--check changes nothing and names the files that would change', async () => {
    const cwd = folderWith({ 'a.yaml': messy, 'b.yaml': good });
    const { code, stdout } = await deskhand(['fmt', '--check', 'a.yaml', 'b.yaml'], { cwd });
    expect([code, stdout]).toEqual([1, 'would change a.yaml\n']);
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(messy);
  });

  test('a text with a colon is quoted', async () => {
    const input = good.replace('name: prices', 'name: prices\ndescription: prices: all of them');
    const { stdout } = await deskhand(['fmt', '-'], { cwd: folderWith(), input });
    expect(stdout).toContain('\ndescription: "prices: all of them"\n');
  });

  test('an unreadable file is reported and not changed, and the others are written', async () => {
    const cwd = folderWith({ 'a.yaml': 'steps: [', 'b.yaml': messy });
    const { code, stdout, stderr } = await deskhand(['fmt', 'a.yaml', 'b.yaml'], { cwd });
    expect([code, stdout]).toEqual([3, 'changed b.yaml\n']);
    expect(stderr).toContain('error[config] a.yaml:1:');
    expect(stderr).toContain('2 files, 1 changed, 1 not valid\n');
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe('steps: [');
  });

  test('literal text keeps its spaces', async () => {
    const text = good.replace('name: prices', 'name: prices\ndescription: |\n  a  \n\n\n  b');
    const { stdout } = await deskhand(['fmt', '-'], { cwd: folderWith(), input: text });
    expect(stdout).toBe(text);
  });
});

describe('graph', () => {
  const wide = `${good}  - id: sums
    needs: [tickers, rates]
    uses: loan/list-orders
    if: "{{ eq 1 1 }}"
finally:
  - uses: report/page
    with: { file: out/x.html }
`;

  test.each([['text'], ['mermaid'], ['dot']])(
    'shows everything a step waits for, as %s',
    async (format) => {
      const cwd = folderWith({ 'a.yaml': wide });
      const { stdout } = await deskhand(['graph', 'a.yaml', '--format', format], { cwd });
      expect(stdout).toMatchSnapshot();
    },
  );

  test('and dependencies by the order of the file', async () => {
    const text = `playbook: 1
name: order
parallel: 2
steps:
  - { id: a, uses: market/list-discount-rates }
  - { id: b, uses: market/list-discount-rates }
  - { id: c, uses: market/list-discount-rates, needs: [a] }
  - { id: d, uses: margin/get-interest-rate, needs: [a], with: { coin: "{{ steps.c.response.0.coin }}" } }
  - { id: e, uses: market/list-discount-rates }
`;
    const cwd = folderWith({ 'a.yaml': text });
    const drawn = async (format: string): Promise<string> =>
      (await deskhand(['graph', 'a.yaml', '--format', format], { cwd })).stdout;
    const lines = (await drawn('text')).split('\n').map((line) => line.replace(/.*─ /, ''));
    expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
      'order',
      'a market/list-discount-rates',
      'c market/list-discount-rates',
      'd margin/get-interest-rate also after c',
      'b market/list-discount-rates after a',
      'e market/list-discount-rates after b, d',
      '',
    ]);
    expect((await drawn('mermaid')).match(/s\d -\S+ s\d/g)).toEqual([
      's1 -.-> s2',
      's1 --> s3',
      's1 --> s4',
      's3 -.-> s4',
      's2 -.-> s5',
      's4 -.-> s5',
    ]);
    expect(await drawn('dot')).toContain('s1 -> s2 [style=dashed];');
  });

  test('a terminal without these glyphs gets plain letters', async () => {
    const cwd = folderWith({ 'a.yaml': wide });
    const { stdout } = await deskhand(['graph', 'a.yaml'], { cwd, env: { LANG: 'C' } });
    expect(stdout).toContain('`- tickers');
    expect(stdout).not.toMatch(/[^\n -~]/);
  });

  test.each([['text'], ['mermaid'], ['dot']])('draws the steps as %s', async (format) => {
    const cwd = folderWith({ 'a.yaml': good });
    const { stdout } = await deskhand(['graph', 'a.yaml', '--format', format], { cwd });
    expect(stdout).toMatchSnapshot();
  });
});

describe('explain', () => {
  test.each([
    ['futures/place-order'],
    ['futures/list-bills'],
    ['PB006'],
    ['ladder'],
    ['40762'],
    ['in-doubt'],
  ])('%s has a page', async (topic) => {
    const { code, stdout } = await deskhand(['explain', topic], { cwd: folderWith() });
    expect(code).toBe(0);
    expect(stdout).toMatchSnapshot();
  });

  test('an operation is found without its group', async () => {
    const { stderr } = await deskhand(['explain', 'place-order'], { cwd: folderWith() });
    expect(stderr).toContain('did you mean futures/place-order?');
  });

  test('the schema of an operation is JSON', async () => {
    const words = ['explain', 'account/create-sub', '--schema'];
    const { stdout } = await deskhand(words, { cwd: folderWith() });
    expect(JSON.parse(stdout).input.required).toEqual(['username']);
  });
});

describe('validate for build servers', () => {
  const cwd = (): string => folderWith({ 'playbooks/a.yaml': good, 'playbooks/b.yaml': bad });

  test('-o gitlab is a code quality report with a stable fingerprint for each problem', async () => {
    const folder = cwd();
    const first = await deskhand(['validate', '-o', 'gitlab'], { cwd: folder });
    expect(first.code).toBe(3);
    const issues = JSON.parse(first.stdout);
    expect(issues[0]).toMatchObject({
      check_name: expect.stringMatching(/^PB\d{3}$/),
      severity: 'major',
      location: { path: 'playbooks/b.yaml', lines: { begin: 5 } },
    });
    const prints = issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
    expect(new Set(prints).size).toBe(issues.length);
    writeFileSync(join(folder, 'playbooks', 'b.yaml'), `# moved a line down\n${bad}`);
    const later = JSON.parse(
      (await deskhand(['validate', '-o', 'gitlab'], { cwd: folder })).stdout,
    );
    expect(later.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).toEqual(prints);
  });

  test('-o junit has one test per file', async () => {
    const { stdout } = await deskhand(['validate', '-o', 'junit'], { cwd: cwd() });
    const root = parseXml(stdout.trimEnd());
    expect(root.attributes).toMatchObject({ tests: '2', failures: '1' });
    const [suite] = root.children;
    const cases = suite?.children.map(({ attributes, children }) => [
      attributes['classname'],
      children.map(({ name }) => name),
    ]);
    expect(cases).toEqual([
      ['playbooks/a.yaml', []],
      ['playbooks/b.yaml', ['failure']],
    ]);
  });

  test('-o markdown also writes the job page and a JSON file', async () => {
    const folder = cwd();
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'page.md') };
    const { stdout } = await deskhand(['validate', '--json-into', 'out/v.json'], {
      cwd: folder,
      env,
    });
    expect(stdout).toContain('1 problem in 2 files');
    const page = readFileSync(join(folder, 'page.md'), 'utf8');
    expect(page).toMatch(/^<!-- deskhand:validate:all -->\n/);
    expect(page).toMatch(/\| ✖ \| `playbooks\/b.yaml:5:11` \| `PB\d+` \| /);
    expect(JSON.parse(readFileSync(join(folder, 'out', 'v.json'), 'utf8')).files).toHaveLength(2);
    const markdown = await deskhand(['validate', '-o', 'markdown'], { cwd: folder });
    expect([markdown.code, markdown.stdout]).toEqual([3, page]);
  });
});
