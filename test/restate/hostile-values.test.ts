/** Another program writes to the objects of runs: each hostile value is refused or marked, and hides no other run. */
import { expect, test } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import { keyOf, registryObject } from '../../src/stores/restate/objects/names.ts';
import { folderWith } from '../cli/deskhand.ts';
import { batchOf, requestOf, taken } from '../stores/shared/contract.ts';
import { marks, refusedInWords, typed, type Typing } from '../stores/shared/in-words.ts';
import { interrupted, replaceValues, valuesOf } from './forget.ts';
import { lease, place, type Place } from './stream-world.ts';

const good = 'r-good2345';
const hostile: readonly unknown[] = [
  null,
  5,
  -1,
  1e300,
  true,
  '',
  marks,
  `${marks}${'x'.repeat(5_000)}`,
  '../../x',
  [],
  [null],
  [{ id: 5 }],
  { id: marks },
];

/** A machine of the project, without a key. */
function machine({ server }: Place): Typing {
  const cwd = folderWith({
    'deskhand.yaml': `profile: main
profiles: { main: { target: sandbox, base-url: "http://127.0.0.1:9", account-id: desk-1 } }
state: { store: restate, lease: 60s, url: { env: DESK_RESTATE }, admin: "${server.admin}" }
`,
  });
  return { cwd, env: { DESK_RESTATE: server.url } };
}

/** Copies of a run, each with one hostile value: of a field, and of the whole. @returns their ids */
async function plant({ server }: Place, name: 'claim' | 'state'): Promise<readonly string[]> {
  const values = await valuesOf(server, keyOf('desk', good));
  const fields = JSON.parse(values.get(name) ?? '') as Record<string, unknown>;
  const copies = [...Object.keys(fields), undefined].flatMap((field) =>
    hostile.map((value) => (field === undefined ? value : { ...fields, [field]: value })),
  );
  const runs = copies.map((_copy, at) => `r-${name}-${at}`);
  await Promise.all(
    copies.map(async (copy, at) => {
      const changed = new Map(values).set(name, JSON.stringify(copy));
      await replaceValues(server, keyOf('desk', `r-${name}-${at}`), changed);
    }),
  );
  const desk = await valuesOf(server, 'desk', registryObject);
  const open = JSON.parse(desk.get('open') ?? '[]') as unknown[];
  desk.set('open', JSON.stringify([...runs.map((run) => [run, 1]), ...open]));
  await replaceValues(server, 'desk', desk, registryObject);
  return runs;
}

test('claims with hostile values do not hide intact ones', async () => {
  const there = await place();
  const runs = there.connect(minute);
  const { holder } = await taken(runs, requestOf(good, { lease }));
  await runs.keep(holder, batchOf(0, 'one\n'));
  await interrupted(there.server, keyOf('desk', good));
  const here = machine(there);
  for (const name of ['claim', 'state'] as const) {
    const planted = await plant(there, name);
    expect(planted.length).toBeGreaterThan(100);
    const known = await runs.claims();
    const marked = known.filter(
      ({ run, damage }) => run.startsWith(`r-${name}-`) && damage !== undefined,
    );
    expect(known.find(({ run }) => run === good)).not.toHaveProperty('damage');
    expect(marked.length).toBeGreaterThan(20);
    for (const { run, playbook, host, nonce, since, left, damage = '' } of known) {
      const types = [playbook, host, nonce, damage].map((text) => typeof text);
      expect([run, ...types]).toEqual([run, 'string', 'string', 'string', 'string']);
      expect([run, Number.isFinite(since), Number.isFinite(left)]).toEqual([run, true, true]);
    }
    for (const run of planted) {
      await refusedInWords(`claim of ${run}`, runs.claims(run));
      await refusedInWords(`lines of ${run}`, runs.lines(run, 0));
    }
    const list = await typed(here, 'runs', 'list');
    if (name === 'claim')
      expect(list).toContain(`claim of run ${planted[0] ?? ''} in the database`);
    await refusedInWords(`another run beside ${name}`, runs.take(requestOf(`r-${name}`)));
  }
});
