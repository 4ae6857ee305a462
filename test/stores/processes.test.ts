/** Git is started as seldom as can be: each start takes milliseconds, and a run has many changes. */
import { expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { authorFrom } from '../../src/stores/git/author.ts';
import { gitIn, type Git } from '../../src/stores/git/command.ts';
import { commitOn, type Committer } from '../../src/stores/git/commit.ts';
import { emptyTree, treeAt } from '../../src/stores/git/tree.ts';
import { git as run, gitEnv, hub, start } from './machines.ts';

/** Git in a repository, and what it is started for. */
function noted(): { readonly folder: string; readonly git: Git; readonly asked: string[] } {
  const folder = hub();
  const plain = gitIn({ folder, env: gitEnv });
  const asked: string[] = [];
  const git: Git = (words, input) => {
    asked.push(words[0] ?? '');
    return plain(words, input);
  };
  return { folder, git, asked };
}

const committer = (git: Git): Committer => ({
  git,
  author: async () => ({ name: 'test', email: 'test@localhost' }),
  clock: standingClock(start),
});

test('a short text that was written or read here is not read again, a long one is', async () => {
  const { git, asked } = noted();
  const long = 'x'.repeat(5_000);
  const paths = ['claims/a', 'claims/b'];
  const one = await commitOn(
    emptyTree,
    { why: 'one', files: new Map([['claims/a', 'a']]) },
    committer(git),
  );
  const files = new Map([
    ['claims/b', 'b'],
    ['runs/c', long],
  ]);
  const two = await commitOn(one, { why: 'two', files }, committer(git));
  const texts = new Map([
    ['claims/a', 'a'],
    ['claims/b', 'b'],
  ]);
  expect(await two.texts(paths)).toEqual(texts);
  expect(asked).toEqual(['fast-import', 'fast-import']);

  const read = await treeAt(two.commit ?? '', git);
  asked.splice(0);
  expect(await read.texts(paths)).toEqual(texts);
  expect(await read.texts([...paths, 'runs/c'])).toEqual(new Map([...texts, ['runs/c', long]]));
  expect(await read.texts(['runs/c'])).toEqual(new Map([['runs/c', long]]));
  expect(asked).toEqual(['cat-file', 'cat-file', 'cat-file']);
  expect([...read.known.values()].toSorted()).toEqual(['a', 'b']);
});

test('a text that is replaced or removed is given no longer', async () => {
  const { git } = noted();
  const edit = (text: string | null) => ({ why: 'w', files: new Map([['claims/a', text]]) });
  const one = await commitOn(emptyTree, edit('one'), committer(git));
  const two = await commitOn(one, edit('two'), committer(git));
  expect(await two.texts(['claims/a'])).toEqual(new Map([['claims/a', 'two']]));
  const three = await commitOn(two, edit(null), committer(git));
  expect(await three.texts(['claims/a'])).toEqual(new Map());
  expect(three.known.size).toBe(0);
});

test('the name and the address of the user are asked for once', async () => {
  const { folder, git, asked } = noted();
  expect(await authorFrom({}, {}, git)()).toEqual({ name: 'test', email: 'test@localhost' });
  expect(asked).toEqual(['config']);
  run(folder, ['config', 'user.name', 'Ann of the desk']);
  expect(await authorFrom({}, {}, git)()).toMatchObject({ name: 'Ann of the desk' });
  expect(await authorFrom({ email: 'a@b' }, { GIT_AUTHOR_NAME: 'Ben' }, git)()).toEqual({
    name: 'Ben',
    email: 'a@b',
  });
  expect(asked).toHaveLength(2);
});
