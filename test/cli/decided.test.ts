/** Failures that a run continued after: reported as final, and never retried after their fallback. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { openOrders } from './ladder.ts';
import { limitOrder } from '../support/order.ts';

const order = (id: string, price: string, more = ''): string => `
  - id: ${id}
    uses: futures/place-order${more}
    outputs: { id: "{{ response.orderId }}" }
    with:${limitOrder({ price })}`;

const refusal = (operation: string, nth: number): string => `
  - match: { operation: ${operation}, nth: ${nth} }
    when: before
    times: 1
    action: { kind: status, status: 400, code: "40762" }`;

const instead = `\n    if: "{{ eq (default steps.main.outputs.id '') '' }}"`;

/** A folder with a playbook, in a world that refuses some requests. */
async function deskWith(text: string, faults: readonly string[]): Promise<string> {
  const cwd = folderWith({ 'it.yaml': `playbook: 1\nname: it\nsteps:${text}\n` });
  writeFileSync(join(cwd, 'faults.yaml'), `version: 1\nfaults:${faults.join('')}\n`);
  const { code, stderr } = await deskhand(['sandbox', 'load', 'faults.yaml'], { cwd });
  expect(code, stderr).toBe(0);
  return cwd;
}

async function placed(cwd: string): Promise<number[]> {
  return (await openOrders(cwd)).map(({ price }) => Number(price)).toSorted((a, b) => a - b);
}

async function runAndResume(cwd: string): Promise<{ run: string; said: string; resumed: string }> {
  const first = await deskhand(['run', 'it.yaml', '--json-into', 'run.json'], { cwd });
  const [run = ''] = /r-[a-z2-7]{12}/.exec(`${first.stdout}${first.stderr}`) ?? [];
  const then = await deskhand(['resume', run], { cwd });
  expect([first.code, then.code], `${first.stderr}\n${then.stderr}`).toEqual([1, 1]);
  const replayed = await deskhand(['runs', 'replay', run], { cwd });
  expect([replayed.code, replayed.stdout], replayed.stderr).toEqual([0, expect.any(String)]);
  return { run, said: first.stdout, resumed: then.stdout };
}

describe('a failure that a run continued from is final', () => {
  test('a refused order is not sent after its fallback was placed', async () => {
    const text = `${order('main', '41000', '\n    on-error: continue')}${order('fallback', '39000', instead)}
  - { id: look, uses: market/list-discount-rates }`;
    const cwd = await deskWith(text, [refusal('futures/place-order', 1)]);
    const { said, resumed } = await runAndResume(cwd);
    expect(await placed(cwd)).toEqual([39000]);
    for (const screen of [said, resumed]) {
      expect(screen).toContain('the failure is final: start a new run');
      expect(screen).not.toContain('deskhand resume');
      expect(screen).toContain('Finished; step main failed');
      expect(screen).not.toMatch(/stopped at/i);
    }
  });

  test('nor are a step that on-failure handled and the steps after it', async () => {
    const text = `${order('main', '41000')}${order('last', '38000')}\non-failure:${order('fallback', '39000')}`;
    const cwd = await deskWith(text, [refusal('futures/place-order', 1)]);
    const { resumed } = await runAndResume(cwd);
    expect(await placed(cwd)).toEqual([39000]);
    expect(resumed).toContain('the failure is final: start a new run');
  });

  test('a step that stopped the run is retried', async () => {
    const text = `${order('main', '41000')}${order('last', '38000')}`;
    const cwd = await deskWith(text, [refusal('futures/place-order', 1)]);
    const first = await deskhand(['run', 'it.yaml'], { cwd });
    expect(first.stdout).toContain('deskhand resume');
    const [run = ''] = /r-[a-z2-7]{12}/.exec(`${first.stdout}${first.stderr}`) ?? [];
    expect((await deskhand(['resume', run], { cwd })).code).toBe(0);
    expect(await placed(cwd)).toEqual([38000, 41000]);
  });
});
