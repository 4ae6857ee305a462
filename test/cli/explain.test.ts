/** Every topic has a page, and every error code is a topic. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { run } from '../../src/cli/commands/explain.ts';
import { onTerminal, type Args } from '../../src/cli/context.ts';
import { topicOf, topicWords } from '../../src/app/explain/topics.ts';
import { terminalOver } from '../../src/report/terminal/terminal.ts';
import { operationNames } from '../../src/exchange/api/operations/index.ts';

/** The text of a topic's page. */
async function page(word: string | undefined, output: 'text' | 'json' = 'text'): Promise<string> {
  let text = '';
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  const terminal = terminalOver({
    stdin: () => process.stdin,
    stdout,
    stderr: stdout,
    env: {},
    wantsColour: false,
    wantsInput: false,
  });
  const globals = { isQuiet: false, isVerbose: false, logLevel: 'warn', output } as const;
  const context = onTerminal({ globals, clock: standingClock(0), secrets: [] }, terminal);
  const given: Args = {
    positionals: word === undefined ? [] : [word],
    text: () => undefined,
    texts: () => [],
    isOn: () => false,
  };
  expect(await run(context, given)).toBe(0);
  return text;
}

describe('explain', () => {
  test.each(topicWords())('%s', async (word) => {
    const text = await page(word);
    expect(text.split('\n').length).toBeGreaterThan(2);
    expect(text).toContain(word);
    expect(text).not.toMatch(/undefined|\[object|NaN/);
    expect(
      text.split('\n').filter((line) => line.length > 100 && line.trim().includes(' ')),
    ).toEqual([]);
    expect(JSON.parse(await page(word, 'json'))).toHaveProperty('kind');
  });

  test('an operation says which fields of its response decisions read', async () => {
    const said = async (name: string) => (await page(name)).replaceAll(/\s+/g, ' ');
    expect(await said('market/list-tickers')).toContain(
      'Needed by decisions: symbol, ts, lastPrice, ask1Price, ask1Size, bid1Price, bid1Size and markPrice.',
    );
    expect(await said('futures/list-bills')).toContain(
      'No field is needed: all are carried as they came',
    );
  });

  test('the overview names every operation, and every word once', async () => {
    const text = await page(undefined);
    for (const name of operationNames) expect(text).toContain(name);
    expect(new Set(topicWords()).size).toBe(topicWords().length);
  });
});

test('every code used in error[…] has a page', () => {
  const root = join(import.meta.dirname, '..', '..', 'src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, name), 'utf8'));
  const codes = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/\bcode: '([a-z][a-z-]+)'/g)].map(([, code = '']) => code),
    ),
  );
  const exported = sources.join('').match(/type ExportCode =([^;]+);/)?.[1] ?? '';
  for (const [, code = ''] of exported.matchAll(/'([a-z-]+)'/g)) codes.add(code);
  expect(codes.size).toBeGreaterThan(25);
  for (const code of codes) expect([code, topicOf(code).kind]).toEqual([code, 'error']);
  expect(topicOf('exchange-40762').kind).toBe('answer'); // refusals carry the exchange's own
});
