/** What users see in editors: the language server behind VS Code, Neovim, Helix and others. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { templates } from '../../src/cli/init/templates.ts';
import { operationNames, operationOf } from '../../src/exchange/api/operations/index.ts';
import { openEditor, type Completion, type Editor } from './editor.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'editor-'));
let editor: Editor;

beforeAll(async () => {
  cpSync(join(root, 'schemas'), join(folder, 'schemas'), { recursive: true });
  editor = await openEditor(folder);
});
afterAll(async () => {
  await editor.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A playbook with only this step. */
const step = (text: string): string =>
  `# yaml-language-server: $schema=schemas/editor/playbook.schema.json
playbook: 1
name: x
steps:
  - id: a
${text.replaceAll(/^/gm, '    ')}
`;

const labels = (found: readonly Completion[]): readonly string[] => found.map(({ label }) => label);

function saidOf(found: readonly Completion[], label: string): string {
  const documentation = found.find((each) => each.label === label)?.documentation ?? '';
  return typeof documentation === 'string' ? documentation : documentation.value;
}

/** `line:column message` of each problem; lines start at 1. */
async function problemsIn(text: string): Promise<readonly string[]> {
  return (await editor.diagnosticsOf(text)).map(
    ({ range, message }) => `${range.start.line + 1}:${range.start.character + 1} ${message}`,
  );
}

describe('completion', () => {
  test('uses offers every operation with its title', async () => {
    const found = await editor.completionsAt(step('uses: |'));
    expect(labels(found)).toEqual(expect.arrayContaining([...operationNames, 'wait', 'shell/run']));
    expect(saidOf(found, 'futures/place-order')).toBe(operationOf('futures/place-order').title);
  });

  test.each(operationNames)('with offers the fields of %s and no others', async (name) => {
    const fields = Object.keys(Object(operationOf(name).input.json['properties']));
    const found = await editor.completionsAt(step(`uses: ${name}\nwith:\n  |`));
    const offered = labels(found).filter((label) => label !== operationOf(name).title);
    expect(new Set(offered)).toEqual(new Set(fields));
    for (const field of fields) expect(saidOf(found, field), field).not.toBe('');
  });

  test('all required fields are inserted together, without values', async () => {
    const { title } = operationOf('futures/set-all-leverage');
    const found = await editor.completionsAt(step('uses: futures/set-all-leverage\nwith:\n  |'));
    const snippet = found.find(({ label }) => label === title)?.insertText;
    expect(snippet).toBe('productType: $1\nleverage: $2');
  });

  test.each([
    ['futures/place-order', 'side', ['buy', 'sell']],
    ['futures/place-order', 'force', ['ioc', 'fok', 'gtc', 'post_only']],
    ['market/list-tickers', 'category', ['SPOT', 'USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES']],
    ['futures/set-all-leverage', 'productType', ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES']],
  ])('%s %s offers its values', async (uses, field, words) => {
    for (const typed of ['|', '"|"']) {
      const found = await editor.completionsAt(step(`uses: ${uses}\nwith:\n  ${field}: ${typed}`));
      expect(labels(found)).toEqual(expect.arrayContaining(words));
    }
  });

  test('a built-in step has fields, too', async () => {
    const found = await editor.completionsAt(step('uses: notify/webhook\nwith:\n  |'));
    expect(labels(found)).toEqual(expect.arrayContaining(['url', 'text', 'sign-with']));
  });

  test('a step without uses is offered each of its keys once', async () => {
    const found = labels(await editor.completionsAt(step('').replace('  - id: a', '  - |')));
    expect(found).toEqual(expect.arrayContaining(['id', 'uses', 'for-each', 'once-per']));
    expect(found.filter((label) => label === 'with').length).toBeLessThanOrEqual(1);
  });

  test('keywords of the language are offered where they are allowed', async () => {
    expect(labels(await editor.completionsAt(step('once-per: |')))).toEqual(['run', 'playbook']);
    expect(labels(await editor.completionsAt(step('on-error: |')))).toEqual([
      'stop',
      'continue',
      'partial',
    ]);
  });
});

describe('hover', () => {
  test.each([
    ['uses: futures/place-order\nwith:\n  si|ze: 1', 'Quantity in the base coin'],
    ['uses: order/list-history\nwith:\n  categ|ory: SPOT', 'Kind of order'],
    ['uses: account/create-sub\nwith:\n  user|name: a', 'lower-case'],
    ['uses: market/list-ti|ckers', '`market/list-tickers`: Get tickers'],
    ['once-|per: playbook', 'once in any number of runs'],
  ])('%j', async (text, expected) => {
    expect(await editor.hoverAt(step(text))).toContain(expected);
  });
});

describe('errors', () => {
  test.each([
    ['an unknown operation', 'uses: futures/place-ordr', /^6:11 Value is not accepted/],
    [
      'an unknown field',
      'uses: market/list-tickers\nwith: { category: SPOT, symbl: A }',
      /^7:29 Property symbl is not allowed/,
    ],
    [
      'a word that is not allowed',
      'uses: market/list-tickers\nwith: { category: SPT }',
      /^7:23 Value is not accepted\. Valid values: "SPOT", "USDT-FUTURES"/,
    ],
    [
      'a missing field',
      'uses: futures/set-all-leverage\nwith: { leverage: 5 }',
      /^7:5 Missing property "productType"/,
    ],
    ['no fields at all', 'uses: futures/set-all-leverage', /^5:5 Missing property "with"/],
    [
      'a field another one asks for',
      'uses: futures/place-order\nwith: { symbol: A, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, size: 1, orderType: limit }',
      /^7:5 Missing property "price"/,
    ],
    [
      'a field of a built-in step',
      'uses: wait\nwith: { fr: 1s }',
      /^7:13 Property fr is not allowed/,
    ],
    [
      'a list for a text',
      'uses: market/list-tickers\nwith: { category: SPOT, symbol: [A] }',
      /^7:37 Incorrect type/,
    ],
  ])('%s is reported once, at its location', async (_what, text, expected) => {
    const problems = await problemsIn(step(text));
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });

  test.each([
    [
      'a template represents any value',
      'uses: market/list-tickers\nwith: { category: "{{ inputs.category }}" }',
    ],
    [
      'a number may be unquoted',
      'uses: futures/set-all-leverage\nwith: { productType: USDT-FUTURES, leverage: 5 }',
    ],
    ['another playbook is no operation', 'uses: ./other.yaml\nwith: { anything: 1 }'],
  ])('%s', async (_what, text) => {
    expect(await problemsIn(step(text))).toEqual([]);
  });

  const shipped = readdirSync(join(root, 'workflows')).filter((name) => name.endsWith('.yaml'));
  test.each([...shipped.map((name) => `workflows/${name}`), 'test/language/complete.yaml'])(
    '%s has none',
    async (name) => {
      const schema = name.endsWith('.test.yaml') ? 'playbook-test' : 'playbook';
      const text = readFileSync(join(root, name), 'utf8').replace(
        /^# yaml-language-server.*\n/,
        '',
      );
      const modeline = `# yaml-language-server: $schema=schemas/editor/${schema}.schema.json\n`;
      expect(await problemsIn(modeline + text)).toEqual([]);
    },
  );
});

describe('other files', () => {
  const file = (schema: string, text: string): string =>
    `# yaml-language-server: $schema=schemas/${schema}.schema.json\n${text}`;

  test('a test of a playbook is completed and validated', async () => {
    const start = 'playbook-test: 1\nplaybook: a.yaml\ntests:\n  - name: x\n';
    const at = (text: string) => editor.completionsAt(file('editor/playbook-test', start + text));
    expect(labels(await at('    expect:\n      outcome: |\n'))).toEqual(
      expect.arrayContaining(['not-started']),
    );
    expect(labels(await at('    world:\n      account: |\n'))).toEqual(
      expect.arrayContaining(['hedge', 'oneway']),
    );
    expect(
      labels(await at('    world:\n      scenario:\n        market:\n          - |\n')),
    ).toEqual(expect.arrayContaining(['category', 'symbol', 'mark']));
    const wrong = file('editor/playbook-test', `${start}    expect: { exit: 7 }\n`);
    expect(await problemsIn(wrong)).toEqual([expect.stringMatching(/^6:21 Value is not accepted/)]);
  });

  test('deskhand.yaml is completed and validated', async () => {
    const found = await editor.completionsAt(file('config', 'profiles:\n  main:\n    |\n'));
    expect(labels(found)).toEqual(expect.arrayContaining(['target', 'base-url', 'guards']));
    expect(await problemsIn(file('config', 'profiles:\n  main: { target: lve }\n'))).toHaveLength(
      1,
    );
  });
});

test('the VS Code settings of `deskhand init` distinguish tests from playbooks', async () => {
  const { 'yaml.schemas': schemas } = JSON.parse(templates.editor);
  const vscode = await openEditor(folder, schemas);
  const found = async (name: string, text: string) =>
    (await vscode.diagnosticsOf(text.replace(/^# yaml-language-server.*\n/, ''), name))
      .map(({ message }) => message)
      .sort();
  expect(await found('playbooks/a.yaml', templates.playbook)).toEqual([]);
  expect(await found('playbooks/a.test.yaml', templates.test)).toEqual([]);
  const swapped = await found('playbooks/b.test.yaml', templates.playbook);
  expect(swapped).toContain('Missing property "playbook-test".');
  expect(swapped).not.toContain('Missing property "steps".');
  expect(await found('playbooks/b.yaml', templates.test)).toContain('Missing property "steps".');
  expect(await found('deskhand.yaml', 'profils: {}\n')).toEqual([
    'Property profils is not allowed.',
  ]);
  await vscode.close();
});
