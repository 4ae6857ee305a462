/** A state that someone changed is refused, and said to be changed where it was. */
import { expect, test } from 'vitest';
import { git, hub, machine, ref, tip, wanted, withRun } from './machines.ts';

/** A store with two runs, one of which still has the account. */
async function lived(): Promise<string> {
  const bare = hub();
  const one = machine(bare);
  for (const run of ['r-1', 'r-2']) {
    await withRun(one, run, `p-0000000${run.at(-1) ?? ''}`);
  }
  await one.store.claim(wanted('r-3'));
  return bare;
}

/** Puts a commit with these files, and this text around its tree, where the ref is. */
function force(bare: string, files: ReadonlyMap<string, string>, like: string, edit = same): void {
  const lines = [...files].map(([path, text]) => {
    const id = git(bare, ['hash-object', '-w', '--stdin'], text);
    return `100644 ${id}\t${path}\n`;
  });
  git(bare, ['read-tree', '--empty']);
  git(bare, ['update-index', '--index-info'], lines.join(''));
  const tree = git(bare, ['write-tree']);
  const text = git(bare, ['cat-file', 'commit', like]);
  const changed = edit(`${text}\n`.replace(/^tree \w+/, `tree ${tree}`));
  const commit = git(bare, ['hash-object', '-t', 'commit', '-w', '--stdin'], changed);
  git(bare, ['update-ref', ref, commit]);
}

const same = (text: string): string => text;

function filesAt(bare: string, commit: string): Map<string, string> {
  const paths = git(bare, ['ls-tree', '-r', '--name-only', commit]).split('\n');
  return new Map(paths.map((path) => [path, `${git(bare, ['show', `${commit}:${path}`])}\n`]));
}

async function refusal(bare: string): Promise<string> {
  const error: unknown = await machine(bare)
    .store.sync()
    .then(
      () => 'it was believed',
      (reason: unknown) => reason,
    );
  return String(error);
}

test('an unchanged state is accepted', async () => {
  const bare = await lived();
  const commit = tip(bare);
  force(bare, filesAt(bare, commit), commit);
  expect(tip(bare)).toBe(commit);
  expect(await machine(bare).store.sync()).toHaveLength(1);
});

test('a changed byte in any file is refused with the file’s name', async () => {
  const bare = await lived();
  const commit = tip(bare);
  const files = filesAt(bare, commit);
  expect([...files.keys()]).toEqual([
    'chain',
    'claims/r-3.json',
    'plans/p-00000001',
    'plans/p-00000002',
    'runs/r-1/header.json',
    'runs/r-1/journal.ndjson',
    'runs/r-2/header.json',
    'runs/r-2/journal.ndjson',
  ]);
  for (const [path, text] of files) {
    for (const at of [0, Math.floor(text.length / 2), text.length - 2]) {
      const byte = text[at] === 'x' ? 'y' : 'x';
      const changed = text.slice(0, at) + byte + text.slice(at + 1);
      force(bare, new Map([...files, [path, changed]]), commit);
      expect(await refusal(bare)).toMatch(
        path === 'chain'
          ? /was tampered with: line \d+ of chain was changed/
          : `was tampered with: ${path} was changed since "`,
      );
    }
  }
});

test('a missing or unknown file is refused', async () => {
  const bare = await lived();
  const commit = tip(bare);
  const files = filesAt(bare, commit);
  const without = new Map(files);
  without.delete('claims/r-3.json');
  force(bare, without, commit);
  expect(await refusal(bare)).toContain('claims/r-3.json is missing since "r-3 begins on');
  force(bare, new Map([...files, ['runs/r-9/journal.ndjson', '']]), commit);
  expect(await refusal(bare)).toContain('runs/r-9/journal.ndjson is not in the chain');
});

test('a changed message, date, author or parent of the commit is refused', async () => {
  const bare = await lived();
  const commit = tip(bare);
  const files = filesAt(bare, commit);
  const edits: readonly [string, (text: string) => string][] = [
    ['a word', (text) => text.replace('begins', 'begonz')],
    ['an end', (text) => `${text}more\n`],
    ['a date', (text) => text.replace(/(author .*)\d \+0000/, '$19 +0000')],
    ['a name', (text) => text.replace('author test', 'author tess')],
    ['the one before', (text) => text.replace(/parent \w+/, `parent ${commit}`)],
    ['none before', (text) => text.replace(/parent \w+\n/, '')],
  ];
  for (const [what, edit] of edits) {
    force(bare, files, commit, edit);
    expect(tip(bare), what).not.toBe(commit);
    expect(await refusal(bare), what).toMatch(/the commit of line \d+ holds/);
  }
});

test('a chain that was truncated or rewritten is refused by a machine that saw more', async () => {
  const bare = await lived();
  const one = machine(bare);
  await one.store.sync();
  git(bare, ['update-ref', '-d', `${ref}-witness`]); // by what it saw itself alone
  git(bare, ['update-ref', ref, `${ref}~1`]);
  await expect(one.store.sync()).rejects.toThrow(
    /history was rewritten: line \d+ \("r-3 begins on .+"\) was seen here, and chain now ends before it/,
  );
  await machine(bare).store.claim(wanted('r-8')); // another machine never saw it
  await expect(one.store.sync()).rejects.toThrow(/chain now holds another/);
  git(bare, ['update-ref', '-d', ref]);
  git(bare, ['update-ref', '-d', `${ref}-witness`]);
  await expect(one.store.sync()).rejects.toThrow(/it is missing; line \d+ .* was seen here/);
});

test('a link or an executable in place of a file is refused', async () => {
  const bare = await lived();
  const id = git(bare, ['hash-object', '-w', '--stdin'], '/etc/passwd');
  const tree = git(bare, ['mktree'], `120000 blob ${id}\tchain\n`);
  git(bare, ['update-ref', ref, git(bare, ['commit-tree', tree, '-m', 'link'])]);
  expect(await refusal(bare)).toContain('chain is not a plain file');
});
