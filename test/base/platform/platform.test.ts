/** What differs between Linux, macOS and Windows, each branch driven here by the name of the system. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endProcesses, type StartedProgram } from '../../../src/base/platform/end-process.ts';
import { namedVariables, passedVariables } from '../../../src/base/platform/environment.ts';
import { foldedName, unusableName } from '../../../src/base/platform/file-name.ts';
import {
  syncFolder,
  syncOpenFolder,
  type FolderHandle,
} from '../../../src/base/platform/folder-sync.ts';
import { homeFolder, settingsFolder, underHome } from '../../../src/base/platform/home.ts';
import { accessOfOthers } from '../../../src/base/platform/modes.ts';
import { renameFile, renameFileSync } from '../../../src/base/platform/rename.ts';
import {
  canSignal,
  stopSignals,
  thisSystem,
  type System,
} from '../../../src/base/platform/system.ts';
import { truncateOpen, truncateOpenSync } from '../../../src/base/platform/truncate.ts';
import { refuseSockets } from '../../../src/serve/server/listener.ts';

const systems: readonly System[] = ['linux', 'darwin', 'win32'];
const unlikeWindows = systems.filter((system) => system !== 'win32');

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says it`), { code });
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'platform-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('a folder is synced', () => {
  const handle = (
    error: Error | undefined,
    isFolder = true,
  ): FolderHandle & { closed: number } => ({
    closed: 0,
    stat: () => Promise.resolve({ isDirectory: () => isFolder }),
    sync: () => (error === undefined ? Promise.resolve() : Promise.reject(error)),
    close() {
      this.closed += 1;
      return Promise.resolve();
    },
  });

  test('on this system', async () => {
    await syncFolder(folder());
    await expect(syncFolder(join(folder(), 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.each(['EPERM', 'EISDIR', 'EBADF'])(
    'where Windows answers %s, which is no failure',
    async (code) => {
      const opened = handle(failure(code));
      await syncFolder('C:\\desk', { system: 'win32', open: () => Promise.resolve(opened) });
      expect(opened.closed).toBe(1);
      const path = folder();
      await syncFolder(path, { system: 'win32', open: () => Promise.reject(failure(code)) });
    },
  );

  test.each(
    unlikeWindows.flatMap((system) =>
      ['EPERM', 'EISDIR', 'EBADF'].map((code) => [system, code] as const),
    ),
  )('on %s %s is a failure', async (system, code) => {
    const opened = handle(failure(code));
    const syncing = syncFolder('/desk', { system, open: () => Promise.resolve(opened) });
    await expect(syncing).rejects.toMatchObject({ code });
    expect(opened.closed).toBe(1);
  });

  test.each(['EIO', 'ENOSPC', 'EACCES', 'ENOENT'])(
    '%s is a failure on every system',
    async (code) => {
      for (const system of systems) {
        await expect(syncOpenFolder(handle(failure(code)), system)).rejects.toMatchObject({ code });
        const refused = { system, open: () => Promise.reject(failure(code)) };
        await expect(syncFolder(folder(), refused)).rejects.toMatchObject({ code });
      }
    },
  );

  test('a file that cannot be synced is a failure on Windows, too', async () => {
    const syncing = syncOpenFolder(handle(failure('EPERM'), false), 'win32');
    await expect(syncing).rejects.toMatchObject({ code: 'EPERM' });
    const file = join(folder(), 'a');
    writeFileSync(file, '');
    const refused = { system: 'win32', open: () => Promise.reject(failure('EPERM')) } as const;
    await expect(syncFolder(file, refused)).rejects.toMatchObject({ code: 'EPERM' });
  });
});

describe('a rename', () => {
  const busy = (times: number, code: string) => {
    const calls: string[] = [];
    return {
      calls,
      rename: (from: string, to: string): void => {
        calls.push(`${from} ${to}`);
        if (calls.length <= times) throw failure(code);
      },
    };
  };

  test.each(['EPERM', 'EACCES', 'EBUSY'])('is repeated on Windows after %s', async (code) => {
    const waits: number[] = [];
    const sync = busy(3, code);
    const wait = (ms: number): void => void waits.push(ms);
    renameFileSync('a', 'b', { system: 'win32', rename: sync.rename, wait });
    expect([sync.calls, waits]).toEqual([Array(4).fill('a b'), [10, 20, 40]]);
    const later = busy(3, code);
    await renameFile('a', 'b', {
      system: 'win32',
      rename: async (from, to) => later.rename(from, to),
      wait: async (ms) => wait(ms),
    });
    expect([later.calls, waits]).toEqual([Array(4).fill('a b'), [10, 20, 40, 10, 20, 40]]);
  });

  test('ends with the error after 630 ms', async () => {
    let waited = 0;
    const stuck = busy(Infinity, 'EBUSY');
    const wait = (ms: number): void => void (waited += ms);
    const options = { system: 'win32', rename: stuck.rename, wait } as const;
    expect(() => renameFileSync('a', 'b', options)).toThrow('EBUSY');
    expect([stuck.calls.length, waited]).toEqual([7, 630]);
    const later = { ...options, rename: async () => stuck.rename('a', 'b'), wait: async () => {} };
    await expect(renameFile('a', 'b', later)).rejects.toThrow('EBUSY');
    expect(stuck.calls).toHaveLength(14);
  });

  test('is tried once elsewhere, and for other errors', () => {
    for (const [system, code] of [
      ...unlikeWindows.map((name) => [name, 'EPERM'] as const),
      ['win32', 'ENOENT'] as const,
    ]) {
      const refused = busy(1, code);
      const options = { system, rename: refused.rename, wait: () => undefined };
      expect(() => renameFileSync('a', 'b', options)).toThrow(code);
      expect(refused.calls).toHaveLength(1);
    }
  });

  test('replaces a file', async () => {
    const path = folder();
    for (const rename of [renameFileSync, renameFile]) {
      writeFileSync(join(path, 'a'), rename.name);
      writeFileSync(join(path, 'b'), '');
      await rename(join(path, 'a'), join(path, 'b'));
      expect(readFileSync(join(path, 'b'), 'utf8')).toBe(rename.name);
    }
  });
});

describe('a started program', () => {
  const windows = {
    Path: 'C:\\bin',
    SYSTEMROOT: 'C:\\Windows',
    ComSpec: 'C:\\Windows\\System32\\cmd.exe',
    PATHEXT: '.EXE;.CMD',
    Temp: 'C:\\Temp',
    USERPROFILE: 'C:\\Users\\ann',
    APPDATA: 'C:\\Users\\ann\\AppData\\Roaming',
    DESKHAND_API_SECRET: 'secret',
    git_config_count: '1',
  };

  test('on Windows gets what it needs to start, whatever the case of the names', () => {
    const { DESKHAND_API_SECRET: _secret, git_config_count: _count, ...needed } = windows;
    expect(passedVariables(windows, ['PATH', 'HOME'], { system: 'win32' })).toEqual(needed);
    const isPassed = (name: string): boolean => name.startsWith('GIT_CONFIG_');
    expect(passedVariables(windows, [], { system: 'win32', isPassed })).toHaveProperty(
      'git_config_count',
    );
  });

  test('elsewhere gets only what is listed, by its exact name', () => {
    for (const system of unlikeWindows) {
      const env = { ...windows, PATH: '/bin', HOME: undefined };
      expect(passedVariables(env, ['PATH', 'HOME'], { system })).toEqual({ PATH: '/bin' });
    }
  });

  test('is ended with its group, or on Windows as a tree', () => {
    const killed: number[] = [];
    const started: string[] = [];
    const start = (program: string, args: readonly string[]): void => {
      started.push([program, ...args].join(' '));
    };
    const kill = (pid: number): void => void killed.push(pid);
    const running = (pid: number | undefined): StartedProgram => ({
      pid,
      exitCode: null,
      signalCode: null,
    });
    endProcesses(running(7), { system: 'win32', kill, start });
    expect([killed, started]).toEqual([
      [],
      [expect.stringMatching(/^[A-Z]:\\.*\\System32\\taskkill\.exe \/pid 7 \/T \/F$/)],
    ]);
    endProcesses(running(8), { system: 'linux', kill, start });
    for (const none of [undefined, running(undefined)])
      endProcesses(none, { system: 'linux', kill });
    expect([killed, started.length]).toEqual([[-8], 1]);
  });

  test('ends nothing by the id of a program that has ended, which another one may have', () => {
    const ids: string[] = [];
    const start = (program: string): void => void ids.push(program);
    const kill = (pid: number): void => {
      ids.push(String(pid));
      throw failure('ESRCH');
    };
    const ends: readonly Partial<StartedProgram>[] = [{ exitCode: 0 }, { signalCode: 'SIGTERM' }];
    for (const end of ends) {
      const ended = { pid: 9, exitCode: null, signalCode: null, ...end };
      for (const system of systems) endProcesses(ended, { system, kill, start });
    }
    expect(ids).toEqual(['-9', '-9', '-9', '-9']);
  });
});

describe('the environment', () => {
  test('is read by upper-case names on Windows, and the name of an input keeps its case', () => {
    const env = { Path: 'C:\\bin', deskhand_profile: 'main', Deskhand_Var_Rungs: '3' };
    expect(namedVariables(env, 'win32')).toEqual({
      PATH: 'C:\\bin',
      DESKHAND_PROFILE: 'main',
      DESKHAND_VAR_Rungs: '3',
    });
    expect(namedVariables(env, 'linux')).toEqual(env);
  });

  test('names the folder of settings', () => {
    const home = (): string => '/home/ann';
    const env = { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' };
    expect(settingsFolder(env, 'win32', home)).toBe(env.APPDATA);
    expect(settingsFolder({}, 'win32', home)).toBe(join('/home/ann', '.config'));
    expect(settingsFolder(env, 'linux', home)).toBe(join('/home/ann', '.config'));
    expect(settingsFolder({ ...env, XDG_CONFIG_HOME: '/x' }, 'win32', home)).toBe('/x');
  });

  test('finds no home where HOME is relative, or is not set for a user without an entry', () => {
    const unknown = (): never => {
      throw new Error('uv_os_homedir returned ENOENT');
    };
    for (const find of [unknown, () => '', () => 'home']) {
      const home = (): string | undefined => homeFolder(find);
      expect(home()).toBeUndefined();
      expect(settingsFolder({}, 'linux', home)).toBeUndefined();
      expect(underHome('a/~/b', 'linux', home)).toBe('a/~/b');
      expect(() => underHome('~/a', 'linux', home)).toThrow('no home folder for ~/a');
    }
    expect(homeFolder(() => '/home/ann')).toBe('/home/ann');
  });

  test('a path may begin with ~, on Windows also before a backslash', () => {
    const home = (): string => 'HOME';
    expect(underHome('~/a', 'win32', home)).toBe('HOME/a');
    expect(underHome('~\\a', 'win32', home)).toBe('HOME\\a');
    expect(underHome('~\\a', 'linux', home)).toBe('~\\a');
    expect(underHome('~ann/a', 'win32', home)).toBe('~ann/a');
    expect(underHome('$&~/a', 'linux', home)).toBe('$&~/a');
  });
});

describe('file names', () => {
  test.each([
    'con',
    'CON',
    'nul.csv',
    'aux.yaml',
    'Com1.json',
    'com¹',
    'lpt9.txt',
    'prn .csv',
    'conin$',
    'a.',
    'a. ',
    'a ',
    ' ',
    'a:b',
    'C:',
    'a\\b',
    'a/b',
    'a?',
    'a*',
    '<a>',
    'a|b',
    '"a"',
    'a\u0001',
    'a\n',
  ])('%j cannot be used on Windows, so nowhere', (name) => {
    expect(unusableName(name)).toBeTypeOf('string');
  });

  test.each([
    'console.csv',
    'null',
    'com10',
    'aux-1.csv',
    '.a',
    'a b',
    'ä',
    'a.b.c',
    'lpt',
    'a-nul',
  ])('%j can be used', (name) => {
    expect(unusableName(name)).toBeUndefined();
  });

  test('that differ in case, or in how letters are composed, are one file on macOS and Windows', () => {
    expect(foldedName('Fills.CSV')).toBe(foldedName('fills.csv'));
    expect(foldedName('a\u0301.csv')).toBe(foldedName('\u00e1.csv'));
    expect(foldedName('a.csv')).not.toBe(foldedName('b.csv'));
  });
});

test('only where files have modes, they tell who may read or change a file', () => {
  const modes = [0o100600, 0o100640, 0o100444, 0o100620, 0o100666];
  const access = ['none', 'read', 'read', 'write', 'write'];
  expect(modes.map((mode) => accessOfOthers(mode, 'linux'))).toEqual(access);
  expect(modes.map((mode) => accessOfOthers(mode, 'darwin'))).toEqual(access);
  expect(accessOfOthers(0o100666, 'win32')).toBeUndefined();
});

test('signals ask a process to stop, where a system has them', () => {
  expect(stopSignals('win32')).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP']);
  for (const system of unlikeWindows) {
    expect([stopSignals(system), canSignal(system)]).toEqual([
      ['SIGINT', 'SIGTERM', 'SIGHUP'],
      true,
    ]);
  }
  expect(canSignal('win32')).toBe(false);
});

test('a socket that is a file is refused where there is none', () => {
  expect(() => refuseSockets('win32')).toThrow('this system has no sockets that are files');
  for (const system of unlikeWindows) refuseSockets(system);
});

test('a file that is open for appending is truncated, on Windows by its path', async () => {
  for (const system of thisSystem === 'win32' ? ['win32' as const] : systems) {
    const path = join(folder(), 'a');
    writeFileSync(path, '12345');
    const handle = await open(path, 'a+');
    const refusing = { truncate: () => Promise.reject(failure('EPERM')) };
    await truncateOpen(system === 'win32' ? refusing : handle, path, 3, system);
    expect(readFileSync(path, 'utf8')).toBe('123');
    truncateOpenSync(handle.fd, path, 2, system);
    expect(readFileSync(path, 'utf8')).toBe('12');
    await handle.close();
    if (system === 'win32') continue;
    const readable = openSync(path, 'r');
    expect(() => truncateOpenSync(readable, path, 1, system)).toThrow('EINVAL'); // through the handle
    closeSync(readable);
  }
});
