/** What every implementation of JobQueue must do, with two processes over one queue. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, minute, second, type Millis } from '../../../src/base/clock.ts';
import { exits } from '../../../src/base/error.ts';
import type { Ending, Job, JobQueue, Worker } from '../../../src/stores/queue.ts';

export type ClosableQueue = JobQueue & { close(): Promise<void> };

export interface QueueWorld {
  /** One process. */
  connect(): ClosableQueue;
  /** Moves the clock of the queue. */
  advance(ms: Millis): Promise<void>;
  close(): Promise<void>;
}

export const lease = 20 * second;

/** A job for an account of its own. */
export function jobOf(id: string, more: Partial<Job> = {}): Job {
  return {
    id,
    kind: 'run',
    playbook: 'ladder',
    profiles: ['live'],
    accounts: [`account of ${id}`],
    format: 1,
    by: 'ann',
    body: { inputs: { size: '1.5' } },
    ...more,
  };
}

export function workerOf(name: string, more: Partial<Worker> = {}): Worker {
  return {
    name,
    host: `host of ${name}`,
    version: '1.0.0',
    format: 1,
    profiles: ['live'],
    slots: 2,
    ...more,
  };
}

const done: Ending = { exit: exits.done, message: 'done' };
const [w1, w2] = [workerOf('w1'), workerOf('w2')];

export function jobQueueContract(name: string, open: () => Promise<QueueWorld>): void {
  describe(`job queue: ${name}`, () => {
    let world: QueueWorld;
    let one: ClosableQueue;
    let two: ClosableQueue;

    beforeAll(async () => {
      world = await open();
      [one, two] = [world.connect(), world.connect()];
    });
    afterAll(async () => {
      await Promise.all([one.close(), two.close()]);
      await world.close();
    });
    /** Each test begins without jobs and workers. */
    afterEach(async () => {
      await world.advance(hour);
      for (const { job, worker = '' } of await one.list()) {
        await one.giveBack(worker, job.id, 0);
        await one.stop(job.id, 'the test');
      }
      for (const worker of await one.workers()) await one.leave(worker.name);
      expect(await one.list()).toEqual([]);
    });

    const put = async (...jobs: readonly Job[]): Promise<void> => {
      for (const job of jobs) expect(await one.put(job)).toBe('queued');
    };
    const idsOf = (states: Awaited<ReturnType<JobQueue['list']>>): readonly string[] =>
      states.map(({ job }) => job.id);
    /** Takes a job; undefined when there is none. */
    const taken = async (queue: JobQueue, worker: Worker): Promise<string | undefined> =>
      (await queue.take(worker, lease))?.id;

    describe('putting', () => {
      test('a job is delivered as it was put, also a body of many bytes and of any characters', async () => {
        const strange = '\u0000 \ud800 "é\u2028 {}, 𝄞 \\u0000';
        const body = { [strange]: [strange, null, 1e-7, true], big: 'é"\n'.repeat(1_500_000) };
        const names = {
          playbook: 'a,b "c" {d} \\',
          by: "o'b",
          accounts: ['{a,b}', '"', '', 'NULL'],
        };
        const profiles = ['a b', 'c"d'];
        const job = jobOf('put-1', { kind: 'run', ...names, profiles, body });
        await put(job);
        expect(await two.take(workerOf('w', { profiles }), lease)).toEqual(job);
        await two.finish('w', 'put-1', { ...done, hint: strange, result: body });
        expect((await one.find('put-1'))?.ending).toEqual({ ...done, hint: strange, result: body });
      });

      test('a job that two processes put is one job, as long as it is known', async () => {
        const answers = await Promise.all([one, two, one, two].map((q) => q.put(jobOf('put-2'))));
        expect(answers.toSorted()).toEqual(['known', 'known', 'known', 'queued']);
        expect(idsOf(await one.list())).toEqual(['put-2']);
        expect(await taken(one, w1)).toBe('put-2');
        expect(await two.put(jobOf('put-2', { kind: 'resume' }))).toBe('known');
        await one.finish('w1', 'put-2', done);
        expect(await two.put(jobOf('put-2'))).toBe('known');
        expect(await two.put(jobOf('put-2', { by: 'ben' }))).toBe('known');
        expect(await one.find('put-2')).toMatchObject({ state: 'ended', job: { kind: 'run' } });
      });

      test('a resume is queued once again after the job of its run has ended, behind the others', async () => {
        await put(jobOf('put-3'));
        expect(await taken(one, w1)).toBe('put-3');
        await one.stop('put-3', 'ann');
        await one.finish('w1', 'put-3', { exit: exits.inDoubt, message: 'in doubt' });
        await put(jobOf('put-4', { accounts: ['account of put-3'] }));
        await world.advance(hour);
        const resume = jobOf('put-3', { kind: 'resume', by: 'bob', body: ['again'] });
        const answers = await Promise.all([one, two].map((q) => q.put(resume)));
        expect(answers.toSorted()).toEqual(['known', 'queued']);
        const { body: _body, ...job } = resume;
        const state = await two.find('put-3');
        expect(state).toEqual({ job, state: 'queued', age: state?.age });
        expect(state?.age).toBeLessThan(hour);
        expect(idsOf(await one.list())).toEqual(['put-4', 'put-3']);
        expect(await taken(one, w1)).toBe('put-4');
        expect(await taken(one, w1)).toBeUndefined();
        await one.finish('w1', 'put-4', done);
        expect(await one.take(w1, lease)).toEqual(resume);
      });
    });

    describe('taking', () => {
      test('jobs are taken in the order of queueing, each by one worker', async () => {
        expect(await taken(one, w1)).toBeUndefined();
        await put(jobOf('b'), jobOf('a'), jobOf('c'));
        expect(await taken(one, w1)).toBe('b');
        expect(await taken(two, w2)).toBe('a');
        expect(await taken(one, w1)).toBe('c');
        expect(await taken(two, w2)).toBeUndefined();
      });

      test('a job waits until older ones with one of its accounts have ended', async () => {
        await put(
          jobOf('x', { accounts: ['A', 'B'] }),
          jobOf('y', { accounts: ['B', 'C'] }),
          jobOf('z', { accounts: ['C'] }),
          jobOf('other', { accounts: ['D'] }),
          jobOf('none', { accounts: [] }),
          jobOf('none-2', { accounts: [] }),
          jobOf('twice', { accounts: ['E', 'E'] }),
        );
        expect(await taken(one, w1)).toBe('x');
        // y waits for x, and z for y, although nobody has y.
        expect(await taken(two, w2)).toBe('other');
        for (const id of ['none', 'none-2', 'twice']) expect(await taken(two, w2)).toBe(id);
        expect(await taken(two, w2)).toBeUndefined();
        await one.finish('w1', 'x', done);
        expect(await taken(two, w2)).toBe('y');
        expect(await taken(one, w1)).toBeUndefined();
        await two.giveBack('w2', 'y', hour);
        expect(await taken(one, w1)).toBeUndefined();
        await one.stop('y', 'ann');
        expect(await taken(one, w1)).toBe('z');
      });

      test('a job that no worker can do keeps its place before others of its account', async () => {
        await put(
          jobOf('new', { accounts: ['A'], format: 2 }),
          jobOf('old', { accounts: ['A'] }),
          jobOf('free', { accounts: ['B'] }),
        );
        expect(await taken(one, w1)).toBe('free');
        expect(await taken(one, w1)).toBeUndefined();
        expect(await taken(two, workerOf('w3', { format: 2 }))).toBe('new');
      });

      test('a worker takes no format newer than its own', async () => {
        await put(jobOf('f3', { format: 3 }), jobOf('f2', { format: 2 }), jobOf('f1'));
        expect(await taken(one, workerOf('w', { format: 2 }))).toBe('f2');
        expect(await taken(one, workerOf('w', { format: 2 }))).toBe('f1');
        expect(await taken(one, workerOf('w', { format: 2 }))).toBeUndefined();
        expect(await taken(one, workerOf('w', { format: 4 }))).toBe('f3');
      });

      test('a job that a newer worker had is for workers of that format, also when it is queued again', async () => {
        const [older, newer] = [workerOf('older'), workerOf('newer', { format: 2 })];
        await put(jobOf('turns'));
        expect(await taken(one, older)).toBe('turns');
        await one.giveBack('older', 'turns', 0);
        expect(await two.take(newer, lease)).toMatchObject({ id: 'turns', format: 2 });
        await two.giveBack('newer', 'turns', 0);
        expect(await taken(one, older)).toBeUndefined();
        expect(await taken(two, newer)).toBe('turns');
        await two.finish('newer', 'turns', done);
        await put(jobOf('turns', { kind: 'resume' }));
        expect(await taken(one, older)).toBeUndefined();
        expect(await taken(two, newer)).toBe('turns');
      });

      test('a job that a newer worker had is for an older one that reads what it wrote', async () => {
        await put(jobOf('readable'));
        const newer = workerOf('newer', { format: 3 });
        expect(await two.take(newer, lease, 1)).toMatchObject({ id: 'readable', format: 1 });
        await two.giveBack('newer', 'readable', 0);
        expect(await two.take(newer, lease, 2)).toMatchObject({ id: 'readable', format: 2 });
        await two.giveBack('newer', 'readable', 0);
        expect(await taken(one, workerOf('old'))).toBeUndefined();
        expect(await taken(one, workerOf('older', { format: 2 }))).toBe('readable');
      });

      test('a worker needs every profile of a job', async () => {
        await put(jobOf('both', { profiles: ['live', 'hedge'] }), jobOf('no', { profiles: [] }));
        expect(await taken(one, w1)).toBe('no');
        expect(await taken(one, workerOf('w', { profiles: ['hedge'] }))).toBeUndefined();
        expect(await taken(one, workerOf('w', { profiles: [] }))).toBeUndefined();
        const all = workerOf('w', { profiles: ['other', 'hedge', 'live'] });
        expect(await taken(one, all)).toBe('both');
      });

      test('workers that race for jobs take each exactly once, and of an account one at a time', async () => {
        const ids = Array.from({ length: 100 }, (_, at) => `race-${at}`);
        const accountOf = (at: number): string => `account ${at % 7}`;
        for (const [at, id] of ids.entries()) await put(jobOf(id, { accounts: [accountOf(at)] }));
        const order: string[] = [];
        const busy = new Set<string>();
        const race = async (queue: JobQueue, worker: Worker): Promise<void> => {
          while (order.length < ids.length) {
            const job = await queue.take(worker, lease);
            if (job === undefined) continue;
            const [account = ''] = job.accounts;
            expect(busy.has(account)).toBe(false);
            busy.add(account);
            order.push(job.id);
            await queue.list();
            busy.delete(account);
            await queue.finish(worker.name, job.id, done);
          }
        };
        const workers = Array.from({ length: 10 }, (_, at) => workerOf(`racer-${at}`));
        await Promise.all(workers.map((worker, at) => race(at % 2 === 0 ? one : two, worker)));
        expect(order.toSorted()).toEqual(ids.toSorted());
        for (let account = 0; account < 7; account++) {
          const isOfAccount = (id: string): boolean => ids.indexOf(id) % 7 === account;
          expect(order.filter(isOfAccount)).toEqual(ids.filter(isOfAccount));
        }
        expect(await one.list()).toEqual([]);
      });
    });

    describe('leases', () => {
      test('a job whose lease is over is taken by another worker, and the first one changes nothing', async () => {
        await put(jobOf('lost'));
        expect(await taken(one, w1)).toBe('lost');
        await world.advance(lease - second);
        expect(await taken(two, w2)).toBeUndefined();
        await world.advance(2 * second);
        expect(await one.find('lost')).toMatchObject({ state: 'taken', worker: 'w1' });
        expect(await taken(two, w2)).toBe('lost');
        await one.finish('w1', 'lost', done);
        await one.giveBack('w1', 'lost', 0);
        expect(await one.find('lost')).toMatchObject({ state: 'taken', worker: 'w2' });
        expect(await taken(one, w1)).toBeUndefined();
        expect(await one.beat(w1, lease)).toEqual([]);
        expect(await two.beat(w2, lease)).toEqual([{ id: 'lost' }]);
        await two.finish('w2', 'lost', { ...done, message: 'by w2' });
        await one.finish('w1', 'lost', done);
        await two.finish('w2', 'lost', done);
        await two.giveBack('w2', 'lost', 0);
        expect(await one.find('lost')).toMatchObject({
          state: 'ended',
          ending: { message: 'by w2' },
        });
        expect(await taken(two, w2)).toBeUndefined();
      });

      test('a worker that reports keeps its jobs, also after their lease if nobody took them', async () => {
        await put(jobOf('k1'), jobOf('k2'), jobOf('k3'));
        for (const id of ['k1', 'k2']) expect(await taken(one, w1)).toBe(id);
        expect(await taken(two, w2)).toBe('k3');
        for (let beats = 0; beats < 3; beats++) {
          await world.advance(lease - second);
          const jobs = await one.beat(w1, lease);
          expect(jobs.map(({ id }) => id).toSorted()).toEqual(['k1', 'k2']);
        }
        expect(await taken(two, w2)).toBe('k3'); // it did not report
        expect(await taken(two, w2)).toBeUndefined();
        await world.advance(lease + second);
        expect(await one.beat(w1, lease)).toHaveLength(2);
        expect(await taken(two, w2)).toBe('k3');
        expect(await taken(two, w2)).toBeUndefined();
        for (let beats = 0; beats < 3; beats++) await one.beat(w1, lease); // leases do not add up
        await world.advance(lease + second);
        expect(await taken(two, w2)).toBe('k1');
      });

      test('a job that is given back continues with any worker, after the delay', async () => {
        await put(jobOf('g1'), jobOf('g2'));
        for (const id of ['g1', 'g2']) expect(await taken(one, w1)).toBe(id);
        await one.giveBack('w1', 'g1', minute);
        await one.giveBack('w1', 'g2', 0);
        expect(await one.find('g1')).toMatchObject({ state: 'queued', worker: 'w1' });
        expect(await taken(two, w2)).toBe('g2');
        expect(await taken(two, w2)).toBeUndefined();
        expect(await one.beat(w1, lease)).toEqual([]); // and it does not end the delay
        await world.advance(minute + second);
        expect(await two.beat(w2, lease)).toEqual([{ id: 'g2' }]);
        await one.finish('w1', 'g1', done);
        expect(await taken(two, w2)).toBe('g1');
      });
    });

    describe('waiting for another run', () => {
      const wait = { because: 'run r-1 on desk-1 has main', hint: 'resume it', run: 'r-1' };

      test('the job of the run that another one waits for goes first, although it was queued later', async () => {
        const accounts = ['main'];
        await put(jobOf('waits', { accounts }), jobOf('later', { accounts }));
        expect(await taken(one, w1)).toBe('waits');
        await one.giveBack('w1', 'waits', 0, wait);
        expect(await two.find('waits')).toMatchObject({ state: 'queued', wait });
        await put(jobOf('r-1', { accounts, kind: 'resume' }));
        expect(await taken(two, w2)).toBe('r-1');
        expect(await taken(two, w2)).toBeUndefined();
        await two.finish('w2', 'r-1', done);
        expect(await taken(two, w2)).toBe('waits');
        expect((await one.find('waits'))?.wait).toEqual(wait); // known until it is known better
        expect(await taken(one, w1)).toBeUndefined();
        await two.giveBack('w2', 'waits', 0);
        expect((await one.find('waits'))?.wait).toBeUndefined();
      });

      test('what a worker has goes before the run that it waits for', async () => {
        await put(jobOf('has', { accounts: ['main', 'other'] }));
        expect(await taken(one, w1)).toBe('has');
        await one.giveBack('w1', 'has', 0, wait);
        expect(await taken(one, w1)).toBe('has');
        await put(jobOf('r-1', { accounts: ['main'], kind: 'resume' }));
        expect(await taken(two, w2)).toBeUndefined();
        await world.advance(lease + second);
        expect(await taken(two, w2)).toBe('has');
        await two.giveBack('w2', 'has', minute, { because: 'the disk is full' });
        await put(jobOf('third', { accounts: ['main'] }));
        expect(await taken(two, w2)).toBeUndefined(); // nobody waits for r-1
      });

      test('a job that has ended waits for nothing', async () => {
        await put(jobOf('w-1'));
        expect(await taken(one, w1)).toBe('w-1');
        await one.giveBack('w1', 'w-1', 0, wait);
        await two.stop('w-1', 'ann');
        expect((await one.find('w-1'))?.wait).toBeUndefined();
      });

      test('a worker says why it takes nothing, until it reports without that', async () => {
        const pause = {
          because: 'the disk is full',
          hint: 'free space',
          jobs: ['r-1', 'r-2'],
          left: second,
        };
        await one.beat({ ...w1, pause }, lease);
        await two.beat(w2, lease);
        expect((await two.workers()).map((worker) => worker.pause)).toEqual([pause, undefined]);
        await one.beat(w1, lease);
        expect((await two.workers()).map((worker) => worker.pause)).toEqual([undefined, undefined]);
      });
    });

    describe('queueing again', () => {
      test('an ended job is queued again if the caller says so, and one that has not ended is not', async () => {
        await put(jobOf('again'));
        expect(await one.put(jobOf('again'), true)).toBe('known');
        expect(await taken(one, w1)).toBe('again');
        expect(await one.put(jobOf('again'), true)).toBe('known');
        await one.finish('w1', 'again', { exit: exits.heldBack, message: 'the disk is full' });
        expect(await one.put(jobOf('again'))).toBe('known');
        expect(await one.put(jobOf('again', { by: 'ben' }), true)).toBe('queued');
        const state = await two.find('again');
        expect(state).toMatchObject({ state: 'queued', job: { by: 'ben' } });
        expect(state?.ending).toBeUndefined();
        expect(await two.take(w2, lease)).toEqual(jobOf('again', { by: 'ben' }));
      });
    });

    describe('withdrawing', () => {
      test('a job that no worker took is as if it had not been queued, and may be queued again', async () => {
        await put(jobOf('d1'), jobOf('d2', { accounts: ['account of d1'] }));
        expect(await two.withdraw('d1')).toBe(true);
        expect([await one.find('d1'), await two.withdraw('d1')]).toEqual([undefined, false]);
        expect(await taken(one, w1)).toBe('d2');
        await put(jobOf('d1', { by: 'ben' }));
        expect(await two.withdraw('unknown')).toBe(false);
      });

      test('a job that a worker has, gave back or ended is not withdrawn', async () => {
        await put(jobOf('d3'));
        expect(await taken(one, w1)).toBe('d3');
        expect(await two.withdraw('d3')).toBe(false);
        await one.giveBack('w1', 'd3', 0);
        expect(await two.withdraw('d3')).toBe(false);
        expect(await one.find('d3')).toMatchObject({ state: 'queued', worker: 'w1' });
        expect(await taken(two, w2)).toBe('d3');
        await two.finish('w2', 'd3', done);
        expect(await two.withdraw('d3')).toBe(false);
        expect(await one.find('d3')).toMatchObject({ state: 'ended' });
      });
    });

    describe('stopping', () => {
      test('a queued job ends at once', async () => {
        await put(jobOf('s1'));
        expect(await two.stop('s1', 'bob')).toBe(true);
        const state = await one.find('s1');
        expect(state).toMatchObject({ state: 'ended', stoppedBy: 'bob' });
        expect(state?.ending).toMatchObject({ exit: exits.interrupted });
        expect(state?.ending?.message).toContain('stopped by bob');
        expect(await taken(one, w1)).toBeUndefined();
        expect(await two.stop('s1', 'eve')).toBe(false);
        expect(await one.find('s1')).toMatchObject({ stoppedBy: 'bob', ending: state?.ending });
        expect(await two.stop('unknown', 'bob')).toBe(false);
      });

      test('the worker that has a job learns of its stop and of who asked first', async () => {
        await put(jobOf('s2'), jobOf('s3'));
        for (const id of ['s2', 's3']) expect(await taken(one, w1)).toBe(id);
        expect(await two.stop('s2', 'bob')).toBe(true);
        expect(await two.stop('s2', 'eve')).toBe(true);
        expect(await one.find('s2')).toMatchObject({ state: 'taken', stoppedBy: 'bob' });
        expect((await one.find('s2'))?.ending).toBeUndefined();
        const jobs = await one.beat(w1, lease);
        expect(jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
          { id: 's2', stoppedBy: 'bob' },
          { id: 's3' },
        ]);
        await one.finish('w1', 's2', { exit: exits.stopped, message: 'cancelled its orders' });
        expect(await one.find('s2')).toMatchObject({
          stoppedBy: 'bob',
          ending: { exit: exits.stopped, message: 'cancelled its orders' },
        });
      });

      test('the next worker learns of it when the first one is gone', async () => {
        await put(jobOf('s4'));
        expect(await taken(one, w1)).toBe('s4');
        await two.stop('s4', 'bob');
        await world.advance(lease + second);
        expect(await taken(two, w2)).toBe('s4');
        expect(await two.beat(w2, lease)).toEqual([{ id: 's4', stoppedBy: 'bob' }]);
      });

      test('a stopped job that is given back ends', async () => {
        await put(jobOf('s5'));
        expect(await taken(one, w1)).toBe('s5');
        await two.stop('s5', 'bob');
        await one.giveBack('w1', 's5', 0);
        const state = await two.find('s5');
        expect(state).toMatchObject({ state: 'ended', ending: { exit: exits.interrupted } });
        expect(state?.ending?.message).toContain('stopped by bob');
        expect(await taken(two, w2)).toBeUndefined();
      });
    });

    describe('looking', () => {
      test('jobs that have not ended are listed without bodies, with their age and worker', async () => {
        const jobs = [jobOf('l2'), jobOf('l1', { kind: 'resume' }), jobOf('l3', { format: 7 })];
        await put(...jobs);
        expect(await taken(one, w1)).toBe('l2');
        await world.advance(minute);
        await put(jobOf('l4'));
        await one.stop('l4', 'ann');
        const listed = await two.list();
        const shown = jobs.map(({ body: _body, ...job }) => job);
        expect(listed.map(({ job }) => job)).toEqual(shown);
        expect(listed.map(({ state, worker }) => [state, worker])).toEqual([
          ['taken', 'w1'],
          ['queued', undefined],
          ['queued', undefined],
        ]);
        for (const { age } of listed) expect(age).toBeGreaterThanOrEqual(minute);
        for (const { age } of listed) expect(age).toBeLessThan(hour);
        expect(await two.find('l1')).toMatchObject({ job: shown[1], state: 'queued' });
        expect(await two.find('unknown')).toBeUndefined();
      });

      test('workers are listed from their first report until they leave, or were silent for a day', async () => {
        await one.beat(w2, lease);
        await two.beat(workerOf('w1', { slots: 9, profiles: [] }), lease);
        await world.advance(minute);
        await one.beat(w1, lease);
        const [first, second_, ...rest] = await two.workers();
        expect(rest).toEqual([]);
        expect(first).toEqual({ ...w1, silentFor: first?.silentFor });
        expect(second_).toEqual({ ...w2, silentFor: second_?.silentFor });
        expect(first?.silentFor).toBeLessThan(minute);
        expect(second_?.silentFor).toBeGreaterThanOrEqual(minute);
        await one.leave('w2');
        expect(await two.workers()).toHaveLength(1);
        await world.advance(day + second);
        await one.beat(w2, lease);
        expect((await two.workers()).map((worker) => worker.name)).toEqual(['w2']);
      });
    });

    describe('waking', () => {
      /** A process that waits for changes and has heard of all earlier ones. */
      const waiting = async (): Promise<ClosableQueue> => {
        const queue = world.connect();
        await queue.wake(minute, new AbortController().signal);
        return queue;
      };
      const never = new AbortController().signal;

      test('each change wakes those that wait, and nothing else does', async () => {
        const queue = await waiting();
        const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
          ['put', () => one.put(jobOf('n1'))],
          ['stop', async () => (await taken(one, w1)) && one.stop('n1', 'ann')],
          ['give back', () => one.giveBack('w1', 'n1', 0)],
          ['put again', () => one.put(jobOf('n1', { kind: 'resume' }))],
          ['finish', async () => (await taken(one, w1)) && one.finish('w1', 'n1', done)],
        ];
        for (const [change, make] of changes) {
          let isAwake = false;
          const woken = queue.wake(hour, never).then(() => (isAwake = true));
          await one.beat(w2, lease);
          await one.finish('w2', 'n1', done);
          await one.giveBack('w2', 'n1', 0);
          await one.stop('unknown', 'ann');
          expect(isAwake, change).toBe(false);
          await make();
          await woken;
        }
        await queue.close();
      });

      test('a change between two calls is not missed', async () => {
        const queue = await waiting();
        await one.put(jobOf('n2'));
        for (let calls = 0; calls < 20; calls++) await queue.list(); // it is noticed meanwhile
        await queue.wake(hour, never);
        expect(await taken(queue, w1)).toBe('n2');
        await queue.close();
      });

      test('it ends by itself after the longest time, and with the signal', async () => {
        const queue = await waiting();
        const woken = queue.wake(50, never);
        await world.advance(50);
        await woken;
        const controller = new AbortController();
        const aborted = queue.wake(hour, controller.signal);
        controller.abort();
        await aborted;
        await queue.wake(hour, controller.signal);
        await queue.close();
      });
    });
  });
}
