/** `--store` and DESKHAND_STORE: which store is used, and what is refused without showing it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/base/clock.ts';
import { DeskhandError } from '../../../src/base/error.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import type { StateSettings } from '../../../src/stores/settings.ts';
import { folderWith } from '../../cli/deskhand.ts';

const git = 'state: { store: git, remote: desk, root: 9f86d081884c7d65, lease: 2m, name: desk }\n';
const postgres = 'state: { store: postgres, url: { env: DESK_DATABASE }, lease: 9s }\n';

interface Given {
  readonly yaml?: string;
  readonly flag?: string;
  readonly env?: string;
}

async function chosen({
  yaml = '{}\n',
  flag,
  env,
}: Given): Promise<readonly [StateSettings, string]> {
  const cwd = folderWith({ 'deskhand.yaml': yaml });
  const { state, stateFrom = 'default' } = await loadConfig({
    cwd,
    env: { XDG_CONFIG_HOME: cwd, ...(env !== undefined && { DESKHAND_STORE: env }) },
    ...(flag !== undefined && { store: flag }),
  });
  return [state, stateFrom.replace(`${cwd}/`, '')];
}

async function refused(given: Given): Promise<string> {
  return chosen(given).then(
    ([state]) => `accepted: ${state.store}`,
    (error: unknown) => {
      if (!(error instanceof DeskhandError)) throw error;
      return `exit ${error.exit}: ${error.message} | ${error.hint}`;
    },
  );
}

describe('the store', () => {
  test('is that of the flag, then of the environment, then of the file, and the source is known', async () => {
    const flag = 'postgres://db/desk';
    const given = { kind: 'given', url: flag };
    const all = { yaml: git, flag, env: 'local' };
    expect(await chosen(all)).toMatchObject([{ store: 'postgres', url: given }, '--store']);
    expect(await chosen({ yaml: git, env: 'local' })).toEqual([
      { store: 'local' },
      'DESKHAND_STORE',
    ]);
    expect(await chosen({ yaml: git })).toMatchObject([{ store: 'git' }, 'deskhand.yaml']);
    expect(await chosen({})).toEqual([{ store: 'local' }, 'default']);
    expect(await chosen({ env: '' })).toEqual([{ store: 'local' }, 'default']);
  });

  test('of the user’s own file has that file as its source', async () => {
    const cwd = folderWith({ 'deskhand.yaml': '{}\n' });
    mkdirSync(join(cwd, 'deskhand'));
    writeFileSync(join(cwd, 'deskhand', 'config.yaml'), postgres);
    const { stateFrom } = await loadConfig({ cwd, env: { XDG_CONFIG_HOME: cwd } });
    expect(stateFrom).toBe(join(cwd, 'deskhand', 'config.yaml'));
  });

  test('keeps other settings of the configured store of its kind, and no others', async () => {
    const env = 'postgres://ann:s3cret@db/desk';
    const url = { kind: 'env', name: 'DESKHAND_STORE' };
    expect((await chosen({ yaml: postgres, env }))[0]).toEqual({
      store: 'postgres',
      url,
      lease: 9 * second,
    });
    const shared = postgres.replace('lease', 'pace: shared, lease');
    expect((await chosen({ yaml: shared, env }))[0]).toMatchObject({ url, sharesPace: true });
    expect((await chosen({ yaml: git, env }))[0]).toEqual({
      store: 'postgres',
      url,
      lease: 4 * second,
    });
    expect((await chosen({ yaml: git, flag: 'git' }))[0]).toMatchObject({
      remote: 'desk',
      root: '9f86d081884c7d65',
    });
    expect((await chosen({ yaml: postgres, flag: 'git' }))[0]).toMatchObject({
      remote: 'origin',
      lease: 5 * minute,
    });
  });

  test('in git has its remote and its ref in the address; the root of another remote is not used', async () => {
    const flag = 'git+ssh://git@host.example/desk.git#refs/heads/runs';
    const [state] = await chosen({ yaml: git, flag });
    expect(state).toEqual({
      store: 'git',
      remote: 'ssh://git@host.example/desk.git',
      ref: 'refs/heads/runs',
      lease: 2 * minute,
      name: 'desk',
    });
    expect((await chosen({ flag: 'git+file:///srv/desk.git' }))[0]).toMatchObject({
      remote: 'file:///srv/desk.git',
      ref: 'refs/heads/deskhand-state',
      isDefault: true,
    });
  });

  test('in Restate has the address of each node; service and lease are those of the file', async () => {
    const yaml =
      'state: { store: restate, url: { env: X }, lease: 9s, service: "http://h:1", admin: "http://h:2" }\n';
    const url = 'restate://one:8080,restate://two:8080/desk';
    expect((await chosen({ yaml, flag: url }))[0]).toEqual({
      store: 'restate',
      url: { kind: 'given', url },
      lease: 9 * second,
      service: 'http://h:1',
      admin: 'http://h:2',
    });
    expect((await chosen({ yaml: postgres, env: 'restate://ann:s3cret@one' }))[0]).toEqual({
      store: 'restate',
      url: { kind: 'env', name: 'DESKHAND_STORE' },
      lease: 4 * second,
      service: 'http://127.0.0.1:9080',
    });
    for (const login of ['s3cret@', 'ann:s3cret@']) {
      const words = await refused({ flag: `restate://one,restate://${login}two` });
      expect(words).toMatch(/^exit 2: --store contains a token.*DESKHAND_STORE/);
      expect(words).not.toContain('s3cret');
    }
  });

  test('in Restate is refused with a login in a URL that is not secret, and with a short lease', async () => {
    const yamlWith = (more: string): string =>
      `state: { store: restate, url: { env: X }, ${more} }\n`;
    expect(await refused({ yaml: yamlWith('service: "http://ann:s3cret@h:1"') })).toMatch(
      /state\.service must be a URL such as .*, without a password/,
    );
    expect(await refused({ yaml: yamlWith('admin: "h:1"') })).toContain(
      'state.admin must be a URL',
    );
    expect(await refused({ yaml: yamlWith('lease: 1s') })).toContain('at least 2s');
    const other = 'state: { store: postgres, url: { env: X }, service: "http://h" }\n';
    expect(await refused({ yaml: other })).toContain('requires store: restate');
  });

  test('is refused in another form, without showing it', async () => {
    for (const text of [
      's3cret',
      'postgres:s3cret',
      'mysql://a:s3cret@db/x',
      'local:s3cret',
      'git:s3cret',
      'constructor',
    ]) {
      for (const given of [{ flag: text }, { env: text }]) {
        const words = await refused(given);
        expect(words).toMatch(
          /^exit [23]: (--store|DESKHAND_STORE) is not the address of a state store/,
        );
        expect(words).not.toContain('s3cret');
      }
    }
    expect(await refused({ flag: 'git+ssh://host/desk#main' })).toContain(
      '--store: state.ref must be the full name',
    );
  });

  test('with a password is refused in a flag, and for git everywhere', async () => {
    for (const flag of ['postgres://ann:s3cret@db/desk', 'postgres://db/desk?password=s3cret']) {
      const words = await refused({ flag });
      expect(words).toMatch(/^exit 2: --store contains a password.*DESKHAND_STORE.*PGPASSFILE/);
      expect(words).not.toContain('s3cret');
    }
    for (const given of ['flag', 'env'] as const) {
      const words = await refused({ [given]: 'git+https://ann:s3cret@host/desk.git' });
      expect(words).toContain('DESKHAND_STATE_TOKEN');
      expect(words).not.toContain('s3cret');
    }
  });
});
