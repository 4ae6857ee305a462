/** What proves that a lock's owner is dead, and what does not. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askSystem, kernelOn, thisKernel, type Kernel } from '../../../src/base/lock/kernel.ts';
import { lifeOf, ownerHere, type Owner } from '../../../src/base/lock/owner.ts';
import { decodeRecord } from '../../../src/base/lock/record.ts';

const kernel: Kernel = {
  boot: 'boot-1',
  namespace: 'pid:[1] time:[1]',
  pid: 10,
  born: '1000',
  host: () => 'here',
  startOf: (pid) => ({ 10: '1000', 11: '1100', 12: '' })[pid],
};
const here = ownerHere('machine-1', kernel);

test.each<[string, Partial<Owner>, string]>([
  ['this process', {}, 'alive'],
  ['another that runs', { pid: 11, born: '1100' }, 'alive'],
  ['a number nobody has', { pid: 13 }, 'dead'],
  ['a number that another process has now', { pid: 11, born: '1050' }, 'dead'],
  ['a process of another machine', { machine: 'machine-2', pid: 13 }, 'unknown'],
  ['a process of another host', { host: 'there', pid: 13 }, 'unknown'],
  ['a process before a restart, or on a copy', { boot: 'boot-2', pid: 13 }, 'unknown'],
  ['a process of another container', { namespace: 'pid:[2] time:[1]', pid: 13 }, 'unknown'],
  ['a process that counts time otherwise', { namespace: 'pid:[1] time:[2]' }, 'unknown'],
  ['a process that did not know its boot', { boot: '', pid: 13 }, 'unknown'],
  ['a process that did not know its namespace', { namespace: '', pid: 13 }, 'unknown'],
  ['a process whose start nobody tells', { pid: 12 }, 'unknown'],
  ['a process that did not know its start', { born: '' }, 'unknown'],
])('%s', (_name, change, state) => {
  expect(lifeOf({ ...here, ...change }, here, kernel)).toMatchObject({ state });
});

test.each(['boot', 'namespace'] as const)('nothing is proved without our own %s', (field) => {
  const blind = { ...kernel, [field]: '' };
  const self = ownerHere('machine-1', blind);
  expect(lifeOf({ ...self, pid: 13 }, self, blind).state).toBe('unknown');
});

test.each([
  ['{}'],
  ['{"version":2}'],
  ['{"version":3,"run":"r-1","pid":7,"host":"h","born":""}'],
  ['{"run":"r-1","pid":0,"host":"h","born":""}'],
  ['{"run":"r-1","pid":-1,"host":"h","born":""}'],
  ['{"run":"r-1","pid":2147483648,"host":"h","born":""}'],
  ['0 17'],
  ['null'],
  [''],
])('%s is not a lock', (text) => {
  expect(decodeRecord(text)).toBeUndefined();
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('this process runs, with everything a proof needs', () => {
    const real = thisKernel();
    expect([real.boot, real.namespace, real.born]).not.toContain('');
    expect(real.startOf(real.pid)).toBe(real.born);
    expect(real.startOf(1)).not.toBe(real.born);
  });

  test('an ended process counts as gone even before it is reaped', async () => {
    const child = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60']);
    onTestFinished(() => void child.kill());
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const zombie = Number(said);
    const psField = (field: string, pid = 0): string =>
      spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
    // Its parent is not a shell, which would reap it; then the parent exits.
    while (psField('comm', child.pid) !== 'sleep') await new Promise(setImmediate);
    child.stdin.end();
    while (!psField('stat', zombie).startsWith('Z')) await new Promise(setImmediate);
    process.kill(zombie, 0); // its process id is still in use
    expect(thisKernel().startOf(zombie)).toBeUndefined();
  });

  test('if /proc shows another namespace, process ids prove nothing', () => {
    const words = ['--pid', '--fork', process.execPath, '--import', 'tsx', '--input-type=module'];
    const said = spawnSync(
      'unshare',
      [
        ...words,
        '-e',
        `console.log(JSON.stringify((await import('./src/base/lock/kernel.ts')).thisKernel().namespace))`,
      ],
      { encoding: 'utf8' },
    );
    if (said.status !== 0) return console.warn(`unshare is not permitted here: ${said.stderr}`);
    expect(JSON.parse(said.stdout)).toBe('');
  });
});

test('on other systems boot and start time come from sysctl and ps', () => {
  const asked: string[] = [];
  const kernel = kernelOn('darwin', (program, args) => {
    asked.push([program, ...args].join(' '));
    return program.endsWith('sysctl')
      ? '6E1D2F30-0A4B-4C5D-8E9F-001122334455\n'
      : 'Fri Nov 20 04:00:00 2026\n';
  });
  expect(asked).toEqual([
    '/usr/sbin/sysctl -n kern.bootsessionuuid',
    `/bin/ps -o lstart= -p ${process.pid}`,
  ]);
  expect(kernel).toMatchObject({ namespace: 'darwin', born: 'Fri Nov 20 04:00:00 2026' });
  expect(kernel.boot).toMatch(/^[0-9a-f]{16}$/);
  expect(kernelOn('darwin', () => '')).toMatchObject({ boot: '', born: '' });
});

test('ps gives the same start time in any time zone and language', () => {
  const starts = ['UTC', 'Asia/Tokyo'].map((zone) => {
    process.env['TZ'] = zone;
    return kernelOn('darwin', askSystem).born;
  });
  delete process.env['TZ'];
  expect(starts[0]).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
  expect(starts[1]).toBe(starts[0]);
});

test('a system without this information proves nothing', () => {
  const windows = kernelOn('win32', () => '');
  const self = ownerHere('machine-1', windows);
  expect(lifeOf(self, self, windows).state).toBe('unknown');
});
