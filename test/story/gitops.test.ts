/** docs/gitops.md, done: every command of it, by the person it is for, in the order of the page. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../cli/sandbox.ts';
import { installed, repository, scratch, step, type Repository } from '../pipelines/host.ts';
import { git } from '../stores/machines.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'gitops.md'), 'utf8');

/** A block of the page: a file to write, or commands to run. */
interface Block {
  readonly kind: 'yaml' | 'sh';
  readonly who: string;
  readonly fails: boolean;
  readonly text: string;
}

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```(yaml|sh) (\w+)( fails)?\n([\s\S]*?)^```/gm)].map(
    ([, kind, who = '', fails, body = '']) => ({
      kind: kind === 'sh' ? 'sh' : 'yaml',
      who,
      fails: fails !== undefined,
      text: body,
    }),
  );
}

interface Person {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Someone with a clone, a name for Git, and an SSH key in its usual place. */
function person(name: string, books: Repository, folder: string): Person {
  const home = scratch();
  mkdirSync(join(home, '.ssh'));
  const key = join(home, '.ssh', 'id_ed25519');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key]);
  writeFileSync(join(home, '.gitconfig'), '[protocol "file"]\n  allow = always\n');
  if (folder !== books.clone) git(home, ['clone', '--quiet', books.bare, folder]);
  git(folder, ['config', 'user.name', name]);
  git(folder, ['config', 'user.email', `${name}@desk.example`]);
  return { folder, env: { HOME: home } };
}

test('the whole page works, from the empty repository to the run', async () => {
  const blocks = blocksOf(page);
  const fences = [...page.matchAll(/^```\w+/gm)].length;
  expect(blocks).toHaveLength(fences); // no block is passed over
  const exchange = await startSandbox();
  const bin = await installed();
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n');
  chmodSync(join(bin, 'npx'), 0o755);
  const keys = exchange.env('hedge');
  const secrets = {
    MAIN_API_KEY: keys['DESKHAND_API_KEY'] ?? '',
    MAIN_API_SECRET: keys['DESKHAND_API_SECRET'] ?? '',
    MAIN_API_PASSPHRASE: keys['DESKHAND_API_PASSPHRASE'] ?? '',
  };
  const books = repository();
  const people = new Map([['ann', person('ann', books, books.clone)]]);
  const somebody = (name: string): Person => {
    const known = people.get(name) ?? person(name, books, join(scratch(), name));
    people.set(name, known);
    return known;
  };
  let commands = 0;
  for (const { kind, who, fails, text } of blocks) {
    if (who === 'exchange') continue; // it runs already, on its own port
    if (who === 'cloud') continue; // it needs one; test/pipelines/pins.test.ts reads it
    if (who === 'host') continue; // a step of a host's pipeline, which test/pipelines/action executes
    const { folder, env } = somebody(who);
    const body = text.replaceAll('http://127.0.0.1:8788', exchange.baseUrl);
    if (kind === 'yaml') {
      const name = /^# (\S+\.yaml)\n/.exec(body)?.[1] ?? '';
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), body);
      continue;
    }
    commands += body.trim().split('\n').length;
    const said = await step(body, { cwd: folder, bin, env: { ...env, ...secrets } });
    expect([text, said.code, said.text]).toEqual([text, fails ? 5 : 0, expect.any(String)]);
  }
  expect(commands).toBeGreaterThan(25);
  const { text } = await step(
    'deskhand call order/list-open category=USDT-FUTURES symbol=BTCUSDT -o json',
    {
      cwd: scratch(),
      bin,
      env: keys,
    },
  );
  const orders: { clientOid: string }[] = JSON.parse(text).answer.list;
  expect(orders.filter(({ clientOid }) => clientOid.startsWith('dh'))).toHaveLength(3);
});
