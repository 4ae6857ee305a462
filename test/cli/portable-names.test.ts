/** Every file that commands write has a name that Windows allows, and that no other has in another case. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { foldedName, unusableName } from '../../src/base/platform/file-name.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';
import { ladder } from './ladder.ts';

const ben = keyOf('portable-ben');
const files = {
  'ladder.yaml': ladder,
  'nightly.yaml': `playbook: 1
name: nightly
schedule: [{ cron: "0 12 * * *" }]
steps:
  - id: spot
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: "out/{{ run.id }}.csv" }
`,
  'failing.yaml': `playbook: 1
name: failing
steps: [{ id: a, uses: market/list-tickers, with: { category: SPOT }, expect: [{ that: "{{ eq 1 2 }}" }] }]
`,
  'deskhand.yaml': `profiles:
  main: { approve: { by: anyone, signers: ./allowed_signers, records: approvals } }
  con: {}
  Main: {}
  sandbox: {}
`,
  allowed_signers: `ben@desk.example ${publicOf(ben)}\n`,
};

const lines: readonly (readonly [line: string, code: number])[] = [
  ['init desk --github --gitlab --example order-ladder', 0],
  ['demo', 0],
  ['plan ladder.yaml --out plans/ladder.json', 0],
  [`approve plans/ladder.json --key ${ben} --comment read`, 0],
  [`decline plans/ladder.json --key ${ben}`, 0],
  ['plan nightly.yaml -p sandbox', 0],
  ['run ladder.yaml -p sandbox --report reports --json-into result.json', 0],
  ['run nightly.yaml -p sandbox --report reports', 0],
  ['run nightly.yaml -p con', 0],
  ['run nightly.yaml -p Main', 0],
  ['run failing.yaml -p sandbox', 1],
  ['export order/list-history category=USDT-FUTURES --file rows.csv.gz -p sandbox', 0],
  ['export market/list-tickers category=SPOT --file tickers.parquet -p sandbox', 0],
  ['schedule run-due nightly.yaml', 0],
  ['schedule pause nightly --reason closed', 0],
  ['schedule export nightly.yaml --systemd --out units', 0],
  ['schedule export nightly.yaml --github --out units', 0],
  ['sandbox advance 1h', 0],
  ['sandbox reset', 0],
  ['test desk', 0],
  ['doctor -p sandbox', 0],
  ['runs set-aside r-aaaaaaaaaaaa --comment gone', 2],
  ['runs prune --yes', 0],
];

/** Of a path below the folder; with a usual folder before it, Windows' 260 characters are enough. */
const lengthMax = 160;

test('names of files suit every system', async () => {
  const cwd = folderWith(files);
  execFileSync('git', ['init', '-q'], { cwd });
  for (const [line, code] of lines) {
    const words = line.split(' ');
    const ended = await inside(words, { cwd });
    expect([line, ended.code, ended.stderr]).toEqual([line, code, ended.stderr]);
  }
  const paths = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .map((entry) => relative(cwd, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !path.startsWith('.git/'));
  expect(paths.length).toBeGreaterThan(60);
  const unusable = paths.filter((path) => path.split('/').some((name) => unusableName(name)));
  expect(unusable).toEqual([]);
  expect(paths.filter((path) => path.length > lengthMax)).toEqual([]);
  const folded = new Set(paths.map(foldedName));
  expect(folded.size).toBe(paths.length);
});
