/** One writer per file, however its path is spelled; locks of ended processes are released. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockTarget } from '../../../src/engine/export/target-lock.ts';
import { openTarget, type Target } from '../../../src/engine/export/target.ts';
import { placeFor } from '../../../src/engine/export/overwrite.ts';
import { writeRows } from '../../../src/engine/export/rows.ts';
import { verifyFile } from '../../../src/engine/export/verify.ts';
import { mortalDisk, type MortalDisk } from '../../support/disks.ts';
import { origin } from '../../support/origin.ts';

let workspace: string;
const targets: Target[] = [];
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'targets-'));
});
afterEach(async () => {
  for (const target of targets.splice(0)) await target.close();
  rmSync(workspace, { recursive: true });
});

async function targetOf(file: string, from = workspace): Promise<Target> {
  const target = await openTarget(from, file);
  targets.push(target);
  return target;
}

const lockOf = (file: string): string => join(workspace, file);

describe('the lock of a file', () => {
  test('refuses a second writer with the first one’s name until it is released', async () => {
    const target = await targetOf('rows.csv');
    const lock = lockTarget(target, 'r-1');
    expect(() => lockTarget(target, 'r-2')).toThrow(/rows\.csv is not written: run r-1 \(process/);
    expect(() => lockTarget(target, 'r-1')).toThrow(/run r-1 .* is writing it/);
    const refusal = (() => {
      try {
        return lockTarget(target, 'r-2');
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toMatchObject({ code: 'file-locked', exit: 5, actor: 'operator' });
    lock.release();
    lockTarget(target, 'r-2').release();
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('is the same for every spelling of the path', async () => {
    mkdirSync(join(workspace, 'real', 'out'), { recursive: true });
    symlinkSync('real', join(workspace, 'linked'));
    const lock = lockTarget(await targetOf('real/out/rows.csv'), 'r-1');
    for (const [from, file] of [
      ['real', 'out/rows.csv'],
      ['linked', 'out/rows.csv'],
      ['linked/out', 'rows.csv'],
      ['real/../real/out', 'rows.csv'],
    ] as const) {
      const target = await targetOf(file, join(workspace, from));
      expect(() => lockTarget(target, 'r-2'), from).toThrow('run r-1');
    }
    lockTarget(await targetOf('real/out/other.csv'), 'r-2').release();
    const twin = await targetOf('real/out/ROWS.csv');
    const isOneFile = existsSync(join(workspace, 'real', 'OUT'));
    if (isOneFile) expect(() => lockTarget(twin, 'r-2')).toThrow('run r-1');
    else lockTarget(twin, 'r-2').release();
    lock.release();
  });

  test('of a killed process is taken over; that of a running one is not', async () => {
    const child = holding('rows.csv');
    await once(child.stdout, 'data');
    const target = await targetOf('rows.csv');
    expect(() => lockTarget(target, 'r-2')).toThrow(`run r-child (process ${child.pid} on`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(lockOf('.rows.csv.lock'))).toBe(true);
    lockTarget(target, 'r-2').release();
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('that cannot be checked is valid for a quarter of an hour, except for its own run', async () => {
    const target = await targetOf('rows.csv');
    const path = lockOf('.rows.csv.lock');
    unseen(path, 'r-1');
    expect(() => lockTarget(target, 'r-2')).toThrow(/run r-1 .*may be writing it: .*container/);
    lockTarget(target, 'r-1').release();
    unseen(path, 'r-1');
    aged(path, 16 * 60);
    lockTarget(target, 'r-2').release();
    unseen(path, 'r-1');
    aged(path, 14 * 60);
    expect(() => lockTarget(target, 'r-2')).toThrow('may be writing it');
  });

  test('stays valid while renewed, and a takeover is noticed before anything is written', async () => {
    const target = await targetOf('rows.csv');
    const path = lockOf('.rows.csv.lock');
    const lock = lockTarget(target, 'r-1');
    aged(path, 16 * 60);
    const [old, text] = [lstatSync(path).mtimeMs, readFileSync(path, 'utf8')];
    lock.touch();
    expect(lstatSync(path).mtimeMs).toBeGreaterThan(old + 60_000);
    expect(readFileSync(path, 'utf8')).toBe(text);
    lock.refuseLost();
    rmSync(path);
    expect(() => lock.refuseLost()).toThrow('another run took it over');
    const other = lockTarget(target, 'r-2');
    expect(() => lock.refuseLost()).toThrow('another run took it over');
    const theirs = readFileSync(path, 'utf8');
    lock.touch();
    lock.release();
    expect(readFileSync(path, 'utf8')).toBe(theirs);
    other.release();
  });

  test('never replaces a file of another program', async () => {
    const target = await targetOf('rows.csv');
    const path = lockOf('.rows.csv.lock');
    for (const put of [() => writeFileSync(path, 'mine'), () => mkdirSync(path)]) {
      rmSync(path, { recursive: true, force: true });
      put();
      const before = lstatSync(path);
      expect(() => lockTarget(target, 'r-1')).toThrow(/\.rows\.csv\.lock exists and is not a lock/);
      expect(lstatSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    }
  });
});

/** Another process that locks a file and reports it. */
function holding(file: string) {
  const urlOf = (name: string): string => pathToFileURL(`src/engine/export/${name}.ts`).href;
  const program = join(workspace, '..', `holder-${process.pid}.mts`);
  writeFileSync(
    program,
    `import { lockTarget } from ${JSON.stringify(urlOf('target-lock'))};
     import { openTarget } from ${JSON.stringify(urlOf('target'))};
     lockTarget(await openTarget(${JSON.stringify(workspace)}, ${JSON.stringify(file)}), 'r-child');
     process.stdout.write('held');
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  );
  return spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** A lock left by a process of another container. */
function unseen(path: string, holder: string): void {
  writeFileSync(path, '');
  const { ino } = lstatSync(path, { bigint: true });
  const record = JSON.parse(recordOfOurs(holder));
  const text = JSON.stringify({ ...record, namespace: 'pid:[1] time:[1]', inode: String(ino) });
  writeFileSync(path, `${text}\n`);
}

function recordOfOurs(holder: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  const target = { file: 'x', name: 'x', folder, close: async () => undefined };
  const lock = lockTarget(target, holder);
  const text = readFileSync(join(folder, '.x.lock'), 'utf8');
  lock.release();
  rmSync(folder, { recursive: true });
  return text;
}

function aged(path: string, seconds: number): void {
  const at = lstatSync(path).mtimeMs / 1000 - seconds;
  utimesSync(path, at, at);
}

describe('a file and its manifest', () => {
  const write = (first: number, disk = mortalDisk(Infinity, 'after')): Promise<unknown> =>
    writeRows({
      workspace,
      file: 'rows.csv',
      format: 'csv',
      disk,
      token: 'aaaaaaaaaa',
      rows: async function* () {
        for (let at = 0; at < 3; at++) yield { id: String(first + at) };
      },
      origin: () => origin,
    });
  const path = (): string => join(workspace, 'rows.csv');

  test.each(['before', 'after'] as const)(
    'always belong to one export, and are recognized, after a crash %s any action',
    async (when) => {
      const counting = mortalDisk(Infinity, 'after');
      await write(10);
      await write(20, counting);
      for (let last = 1; last <= counting.acts(); last++) {
        for (const name of readdirSync(workspace)) rmSync(join(workspace, name));
        await write(10);
        const earlier = readFileSync(path(), 'utf8');
        await expect(write(20, mortalDisk(last, when))).rejects.toThrow();
        const found = await verifyFile(path());
        expect(['whole', 'unproved'], `${last}`).toContain(found.kind);
        // A later run recognizes it as an export and may replace it.
        const target = await targetOf('rows.csv');
        expect((await placeFor(target, 'own')).replaces, `${last}`).toBe(3);
        await expect(placeFor(target, 'none'), `${last}`).rejects.toThrow('already exists');
        await write(20);
        expect(await verifyFile(path())).toMatchObject({ kind: 'whole' });
        expect(readFileSync(path(), 'utf8')).not.toBe(earlier);
        expect(readdirSync(workspace).filter((name) => name.endsWith('.old'))).toEqual([]);
      }
    },
  );

  test('stay together when the rename fails', async () => {
    await write(10);
    const disk = mortalDisk(Infinity, 'after');
    const failing: MortalDisk = {
      ...disk,
      rename: async (from: string, to: string): Promise<void> => {
        if (to.endsWith('/rows.csv')) throw Object.assign(new Error('no'), { code: 'EIO' });
        await disk.rename(from, to);
      },
    };
    await expect(write(20, failing)).rejects.toThrow('the disk failed');
    expect(await verifyFile(path())).toMatchObject({ kind: 'whole' });
    expect(readdirSync(workspace).toSorted()).toEqual(['rows.csv', 'rows.csv.manifest.json']);
  });

  test('are not published over a file that was created in between', async () => {
    await write(10);
    const target = await targetOf('rows.csv');
    for (const overwrite of ['own', 'none'] as const) {
      if (overwrite === 'none') {
        rmSync(path());
        rmSync(`${path()}.manifest.json`);
      }
      const place = await placeFor(target, overwrite);
      await place.refuseOther({ sha256: '0' });
      writeFileSync(path(), 'mine\n');
      await expect(place.refuseOther({ sha256: '0' })).rejects.toThrow('already exists');
    }
  });

  test('of an earlier attempt are replaced by their own run, and not by a file written in between', async () => {
    await write(10);
    const { claim } = await verifiedClaim();
    const target = await targetOf('rows.csv');
    const resumed = await placeFor(target, 'none', true);
    await resumed.refuseOther({ sha256: claim });
    await expect(resumed.refuseOther({ sha256: '0' })).rejects.toThrow('already exists');
    writeFileSync(path(), 'mine\n');
    const own = await placeFor(target, 'own', true);
    await expect(own.refuseOther({ sha256: claim })).rejects.toThrow('already exists');
    await (await placeFor(target, 'all', true)).refuseOther({ sha256: claim });
  });

  test('a manifest of another program is never replaced, one of ours is', async () => {
    await write(10);
    rmSync(path());
    const target = await targetOf('rows.csv');
    await (await placeFor(target, 'none')).refuseOther({ sha256: '0' });
    for (const text of ['mine', '{"version":1}', '{"manifest":1,"file":"rows.csv"}']) {
      writeFileSync(`${path()}.manifest.json`, text);
      await expect(placeFor(target, 'own')).rejects.toThrow(
        'rows.csv.manifest.json already exists',
      );
      await expect(placeFor(target, 'none')).rejects.toThrow(
        'rows.csv.manifest.json already exists',
      );
    }
  });

  async function verifiedClaim(): Promise<{ claim: string }> {
    const found = await verifyFile(path());
    return { claim: found.kind === 'whole' ? found.claim.sha256 : '' };
  }
});
