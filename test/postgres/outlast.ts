/** Those who only watch while the store of a desk is stopped, and started again. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { begin } from '../cli/deskhand.ts';
import { expectOrders, folder, planned, worker, type Desk } from './desk.ts';
import { planQueued } from './elsewhere.ts';

/** A store that can be stopped, and started again. */
export interface Stoppable {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Who follows a run, or waits for the plan of a worker, outlasts a store that is gone for a while. */
export async function followersOutlast(all: Desk, store: Stoppable): Promise<void> {
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  const env = all.reviewer;
  const watching = (words: readonly string[]) => {
    const child = begin(words, { cwd: folder(all), env });
    let said = '';
    child.stderr.on('data', (part) => (said += String(part)));
    const says = async (words: string): Promise<void> => {
      while (!said.includes(words)) await once(child.stderr, 'data');
    };
    const ended = Promise.all([text(child.stdout), once(child, 'close')]);
    return { child, says, ended, said: () => said };
  };
  const follower = watching(['run', file, '--queue', '--follow']);
  await follower.says(`${run} waits`);
  const log = watching(['runs', 'logs', '-f', run]);
  const leaver = watching(['runs', 'logs', '-f', run]);
  const planner = watching([...planQueued, '--var', 'rungs=1', '-o', 'json']);
  for (const each of [log, leaver]) await each.says(`${run} waits`);
  await planner.says('waits for one: deskhand worker');
  await store.stop();
  const late = watching(['runs', 'logs', '-f', run]);
  const watchers = [follower, log, leaver, planner, late];
  for (const each of watchers) await each.says('the store gives no answer since');
  leaver.child.kill('SIGINT');
  const [, [left]] = await leaver.ended;
  expect([left, leaver.said()]).toEqual([
    130,
    expect.stringContaining(`look at it again: deskhand runs logs -f ${run}`),
  ]);
  await store.start();
  const patient = [follower, log, planner, late];
  for (const each of patient) await each.says('the store answers again');
  await worker(all);
  for (const each of patient) {
    const [stdout, [code]] = await each.ended;
    expect([code, stdout, each.said()]).toEqual([0, expect.any(String), expect.any(String)]);
    expect(each.said().match(/gives no answer/g)).toHaveLength(1);
  }
  await expectOrders(all, 3);
}
