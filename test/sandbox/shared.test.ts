/** One world for several processes, and what is left of it when one of them dies. */
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { standingClock, type StandingClock } from '../../src/base/clock.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { DamagedError } from '../../src/sandbox/persistence/damaged.ts';
import { forgetWorld } from '../../src/sandbox/persistence/shared.ts';
import { opened, openingLimit, signed } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
const folders: string[] = [];
const sandboxes: Sandbox[] = [];

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  await Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const fileIn = (folder: string): string => join(folder, 'world');

async function open(folder: string, clock: StandingClock = standingClock(born)): Promise<Sandbox> {
  const sandbox = await openSandbox({ clock, stateFile: fileIn(folder), limits: false });
  sandboxes.push(sandbox);
  return sandbox;
}

const order = { ...openingLimit, price: '75000' };

function place(sandbox: Sandbox, clientOid: string): string {
  const { code } = opened(
    sandbox.handle(
      signed(sandbox.accounts.hedge, 'futures/place-order', {
        input: { ...order, clientOid },
        timestamp: sandbox.now(),
      }),
    ),
  );
  return code;
}

function openIds(sandbox: Sandbox): string[] {
  const { data } = opened(
    sandbox.handle(
      signed(sandbox.accounts.hedge, 'order/list-open', {
        input: { symbol: 'BTCUSDT' },
        timestamp: sandbox.now(),
      }),
    ),
  );
  const { list } = Object(data);
  return list.map(({ clientOid }: { clientOid: string }) => clientOid).reverse();
}

const checked = (text: string): string => `${crc32(text).toString(16).padStart(8, '0')} ${text}`;

const hashOf = (sandbox: Sandbox): unknown => sandbox.control('GET', 'hash');

describe('two sandboxes of one folder', () => {
  test('see each other’s orders immediately, in one order', async () => {
    const folder = freshFolder();
    const [one, two] = [await open(folder), await open(folder)];
    expect(place(one, 'a')).toBe('00000');
    expect(place(two, 'b')).toBe('00000');
    expect(place(one, 'c')).toBe('00000');
    expect(openIds(one)).toEqual(['a', 'b', 'c']);
    expect(openIds(two)).toEqual(['a', 'b', 'c']);
    expect(hashOf(one)).toEqual(hashOf(two));
  });

  test('refuse a clientOid that the other has used', async () => {
    const folder = freshFolder();
    const [one, two] = [await open(folder), await open(folder)];
    expect(place(one, 'same')).toBe('00000');
    expect(place(two, 'same')).toBe('45034');
  });

  test('share clock, faults and settings', async () => {
    const folder = freshFolder();
    const [one, two] = [await open(folder), await open(folder)];
    one.control('POST', 'clock/advance', { ms: 3_600_000 });
    one.control('POST', 'config', { pageOverflow: 'clamp' });
    expect(two.now()).toBe(born + 3_600_000);
    expect(two.control('GET', 'config')).toMatchObject({ pageOverflow: 'clamp' });
  });
});

describe('a world that was closed', () => {
  test('is restored, even after a kill', async () => {
    const folder = freshFolder();
    const first = await open(folder);
    for (let n = 0; n < 5; n++) place(first, `o${n}`);
    const clock = standingClock(born + 90_000);
    const second = await open(folder, clock);
    expect(openIds(second)).toEqual(['o0', 'o1', 'o2', 'o3', 'o4']);
    expect(hashOf(second)).toEqual(hashOf(first));
  });

  test('is restored after its file was compacted, and other processes notice', async () => {
    const folder = freshFolder();
    const [first, other] = [await open(folder), await open(folder)];
    const sizes: number[] = [];
    for (let n = 0; n < 230; n++) {
      place(first, `o${n}`);
      sizes.push(statSync(fileIn(folder)).size);
    }
    const cuts = sizes.filter((size, at) => size < (sizes[at - 1] ?? 0));
    expect(cuts).toHaveLength(1);
    const second = await open(folder);
    expect(openIds(second)).toHaveLength(100); // one page
    expect(hashOf(second)).toEqual(hashOf(first));
    expect(place(second, 'more')).toBe('00000');
    expect(hashOf(second)).toEqual(hashOf(first));
    expect(hashOf(other)).toEqual(hashOf(first));
  });

  test('loses only commands that were never answered', async () => {
    const folder = freshFolder();
    const first = await open(folder);
    place(first, 'kept');
    await first.close();
    const log = fileIn(folder);
    appendFileSync(log, readFileSync(log, 'utf8').split('\n').at(-2)?.slice(0, 40) ?? '');
    const second = await open(folder);
    expect(openIds(second)).toEqual(['kept']);
  });

  test('keeps its files private to their owner', async () => {
    const folder = freshFolder();
    const sandbox = await open(folder);
    place(sandbox, 'a');
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    }
    await sandbox.close();
    expect(readdirSync(folder)).toEqual(['world']);
  });

  test('is refused with a hint when it is damaged or made by another version', async () => {
    const folder = freshFolder();
    const sandbox = await open(folder);
    place(sandbox, 'a');
    await sandbox.close();
    const log = fileIn(folder);
    const text = readFileSync(log, 'utf8');
    writeFileSync(log, text.replace('"size":"0.01"', '"size":"9.01"'));
    const failure: unknown = await open(folder).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DamagedError);
    expect(failure).toMatchObject({
      message: `the sandbox state ${log} cannot be used: a line is damaged`,
      hint: 'it was not changed; restore it from a backup, or remove it (deskhand sandbox reset -p sandbox) to start a new world without its orders',
      exit: 3,
    });
  });

  test('is refused when another version would compute it differently', async () => {
    const folder = freshFolder();
    const sandbox = await open(folder);
    place(sandbox, 'a');
    await sandbox.close();
    const failure = () => open(folder).then(String, String);
    const file = fileIn(folder);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const write = (place: number, from: RegExp, to: string): void => {
      const changed = lines.with(
        place,
        checked((lines.at(place) ?? '').slice(9).replace(from, to)),
      );
      writeFileSync(file, `${changed.join('\n')}\n`);
    };
    write(0, /"format":\d+/, '"format":99');
    expect(await failure()).toContain('it was written by another version of deskhand');
    write(-1, /"told":\d+/, '"told":7');
    expect(await failure()).toContain('it was written by another version of deskhand');
    write(-1, /$/, '');
    expect(openIds(await open(folder))).toEqual(['a']);
  });

  test('can be reset while another process has it open', async () => {
    const folder = freshFolder();
    const [one, two] = [await open(folder), await open(folder)];
    place(one, 'a');
    forgetWorld(fileIn(folder));
    expect(openIds(two)).toEqual([]);
    expect(openIds(one)).toEqual([]);
    expect(hashOf(one)).toEqual(hashOf(two));
  });
});
