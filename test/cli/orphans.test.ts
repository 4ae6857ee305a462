/** Orders of earlier runs that are no longer in their playbook are reported: no operation cancels them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demoPlaybook } from '../../src/cli/init/demo-playbook.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandboxIn } from './sandbox.ts';

const sentence = '3 orders of earlier runs are no longer in the playbook';

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
}

function place(text = demoPlaybook): Place {
  const cwd = folderWith({ 'demo.yaml': text });
  return { cwd, at: (...words) => deskhand(words, { cwd }) };
}

function change({ cwd }: Place, text: string): void {
  writeFileSync(join(cwd, 'demo.yaml'), text);
}

interface OrphanLine {
  readonly address: string;
  readonly orderId: string;
  readonly clientOid: string;
}

async function orphansOf({ at }: Place, ...words: string[]): Promise<readonly OrphanLine[]> {
  const { stdout } = await at(...words, 'demo.yaml', '-o', 'json');
  return JSON.parse(stdout).orphans ?? [];
}

async function drifted({ at }: Place): Promise<readonly [number | null, number]> {
  const { code, stdout } = await at('drift', 'demo.yaml', '-o', 'json');
  const { lines }: { lines: { kind: string }[] } = JSON.parse(stdout).playbooks[0];
  return [code, lines.filter(({ kind }) => kind === 'orphaned').length];
}

const five = demoPlaybook.replace('maximum: 20, default: 3', 'maximum: 20, default: 5');

describe('changing the rungs of the demo from 3 to 5', () => {
  test('leaves three orders that plan, report and drift list with their ids', async () => {
    const here = place();
    expect((await here.at('run', 'demo.yaml')).code).toBe(0);
    expect(await drifted(here)).toEqual([0, 0]);
    expect(await orphansOf(here, 'plan')).toEqual([]);

    change(here, five);
    const planned = await orphansOf(here, 'plan');
    expect(planned.map(({ address }) => address)).toEqual([
      'ladder[40000.0]',
      'ladder[39500.0]',
      'ladder[39000.0]',
    ]);
    expect(await drifted(here)).toEqual([10, 3]);
    const shown = await here.at('plan', 'demo.yaml');
    expect(shown.stdout).toContain(sentence);
    for (const { orderId, clientOid } of planned) {
      expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(
        `order ${orderId}, clientOid ${clientOid}`,
      );
    }

    const ran = await here.at('run', 'demo.yaml', '-o', 'json');
    const { run, orphans } = JSON.parse(ran.stdout);
    expect([ran.code, orphans]).toEqual([0, planned]);
    expect((await here.at('runs', 'show', run)).stdout).toContain(sentence);
    const comment = await here.at('run', 'demo.yaml', '-o', 'markdown');
    for (const { orderId } of planned) expect(comment.stdout).toContain(orderId);
    expect((await here.at('plan', 'demo.yaml', '-o', 'markdown')).stdout).toContain(sentence);

    const drift = await here.at('drift', 'demo.yaml');
    expect([drift.code, drift.stdout]).toEqual([10, expect.stringContaining(sentence)]);
    for (const { orderId } of planned) expect(drift.stdout).toContain(orderId);
  });

  test('uses the inputs of the newest run', async () => {
    const here = place();
    await here.at('run', 'demo.yaml');
    await here.at('run', 'demo.yaml', '--var', 'rungs=5');
    expect(await drifted(here)).toEqual([10, 3]);
    await here.at('run', 'demo.yaml', '--var', 'rungs=3');
    expect(await drifted(here)).toEqual([10, 5]);
  });

  test('leaves what a run that is not finished sent with its own inputs in the playbook', async () => {
    const here = place();
    expect((await here.at('run', 'demo.yaml')).code).toBe(0);
    const match = { operation: 'futures/place-order', nth: 3 };
    const rules = [
      { match, when: 'before', action: { kind: 'status', status: 400, code: '40762' } },
    ];
    const rejecting = `version: 1\nfaults: ${JSON.stringify(rules)}\n`;
    writeFileSync(join(here.cwd, 'rejecting.yaml'), rejecting);
    expect((await here.at('sandbox', 'load', 'rejecting.yaml')).code).toBe(0);
    expect((await here.at('run', 'demo.yaml', '--var', 'rungs=5')).code).not.toBe(0);
    const { stdout } = await here.at('drift', 'demo.yaml', '-o', 'json');
    const { lines }: { lines: { kind: string }[] } = JSON.parse(stdout).playbooks[0];
    expect(lines.filter(({ kind }) => kind === 'same').length).toBeGreaterThan(4);
    expect(lines.filter(({ kind }) => kind === 'orphaned')).toEqual([]);
  });
});

test('a step that is skipped is still in the playbook, and a removed step is not', async () => {
  const here = place();
  await here.at('run', 'demo.yaml');
  expect(await orphansOf(here, 'plan', '--only', 'account')).toEqual([]);
  const ladder = /  - id: ladder\n/;
  change(
    here,
    demoPlaybook.replace(ladder, '  - id: ladder\n    if: "{{ eq inputs.rungs 99 }}"\n'),
  );
  expect(await orphansOf(here, 'plan')).toEqual([]);
  expect(await drifted(here)).toEqual([0, 0]);
  change(here, demoPlaybook.replace(/  - id: ladder\n[^]*?\n\n(?=  - id: bills)/, ''));
  expect((await orphansOf(here, 'plan')).length).toBe(3);
  expect(await drifted(here)).toEqual([10, 3]);
});

test('with a price from a read, the orders of the newest run count as in the playbook', async () => {
  const cwd = folderWith({
    'demo.yaml': `playbook: 1
name: priced
steps:
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - id: bid
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '{{ floorTo (mul steps.market.response.0.lastPrice 0.9) 0.1 }}' })}
`,
  });
  const sandbox = await startSandboxIn(cwd);
  const here = {
    cwd,
    at: (...words: string[]) => deskhand(words, { cwd, env: sandbox.env('hedge') }),
  };
  const found: (readonly [number | null, number])[] = [];
  for (const price of ['60000', '61000']) {
    const market = ['category=USDT-FUTURES', 'symbol=BTCUSDT', `price=${price}`, `mark=${price}`];
    await here.at('sandbox', 'control', 'market', ...market);
    expect((await here.at('run', 'demo.yaml')).code).toBe(0);
    found.push(await drifted(here));
  }
  expect(found).toEqual([
    [0, 0],
    [10, 1],
  ]);
});
