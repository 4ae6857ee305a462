/** Damaged journals: what is reported about them, and that nothing is sent. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { files, resting } from './ladder.ts';

interface Place {
  readonly cwd: string;
  readonly run: string;
  readonly folder: string;
  readonly journal: string;
  readonly header: string;
}

/** A run that stopped at its last step: its orders rest, and it can be resumed. */
async function stoppedRun(): Promise<Place> {
  const yaml = files['ladder.yaml'].replace(
    'write: { file:',
    'expect: [{ that: "{{ eq 1 2 }}" }]\n    write: { file:',
  );
  const cwd = folderWith({ 'ladder.yaml': yaml });
  const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'json'], { cwd });
  const { run, status } = JSON.parse(stdout);
  expect(status).toBe('stopped');
  const folder = join(cwd, '.deskhand', 'runs', run);
  const [journal, header] = [join(folder, 'journal.ndjson'), join(folder, 'header.json')];
  return { cwd, run, folder, journal, header };
}

const linesOf = ({ journal }: Place): string[] => readFileSync(journal, 'utf8').split('\n');

function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

const damages: readonly (readonly [string, (place: Place) => void, string])[] = [
  [
    'a byte flipped in the middle',
    ({ journal }) => change(journal, '"kind":"opened"', '"kind":"opeded"'),
    'journal.ndjson:2 is damaged: wrong checksum',
  ],
  [
    'a line taken out',
    (place) => writeFileSync(place.journal, linesOf(place).toSpliced(3, 1).join('\n')),
    'journal.ndjson:4 is damaged: not entry 4',
  ],
  [
    'version 999',
    ({ header }) => change(header, '"format": 1', '"format": 999'),
    'header.json has format 999; this version reads 1',
  ],
  ['no header', ({ header }) => rmSync(header), 'header.json is missing'],
  [
    'a header of another kind',
    ({ header }) => writeFileSync(header, '[]'),
    'header.json is damaged',
  ],
  [
    'a header cut off',
    ({ header }) => writeFileSync(header, readFileSync(header, 'utf8').slice(0, 80)),
    'header.json is damaged',
  ],
  [
    'a header without its account',
    ({ header }) => change(header, '"target": "sandbox",', ''),
    'header.json is damaged',
  ],
  [
    'the header of another run',
    ({ header, run }) => change(header, `"run": "${run}"`, '"run": "r-other"'),
    'header.json is of run r-other, not of r-',
  ],
  [
    'the header of another playbook',
    ({ header }) => change(header, '"playbook": "ladder"', '"playbook": "other"'),
    'journal.ndjson:1 is of playbook ladder, not of other',
  ],
  [
    'zeros in the middle',
    ({ journal }) => {
      const bytes = readFileSync(journal);
      writeFileSync(journal, bytes.fill(0, 40, 400));
    },
    'journal.ndjson:1 is damaged: wrong checksum',
  ],
  [
    'every line twice',
    ({ journal }) => appendFileSync(journal, readFileSync(journal)),
    'is damaged: not entry ',
  ],
  ['no journal', ({ journal }) => rmSync(journal), 'file not found'],
  [
    'a folder in its place',
    ({ journal }) => {
      rmSync(journal);
      mkdirSync(journal);
    },
    'journal.ndjson is not a file',
  ],
  [
    'a link in its place',
    ({ journal }) => {
      renameSync(journal, `${journal}.moved`);
      symlinkSync(`${journal}.moved`, journal);
    },
    'journal.ndjson is a link, not a journal',
  ],
  [
    'the journal of another account',
    ({ header }) => change(header, '"profile": "sandbox"', '"profile": "other"'),
    'journal.ndjson:1 belongs to another account: sandbox on in-process-',
  ],
];

/** Line breaks depend on the length of the folder's path. */
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

describe('a damaged journal', () => {
  test.each(damages)(
    'with %s is refused, and nothing is changed or sent',
    async (_name, spoil, said) => {
      const place = await stoppedRun();
      const { cwd, run, folder } = place;
      spoil(place);
      const seen = (): (string | Buffer)[] =>
        readdirSync(folder, { withFileTypes: true }).flatMap((entry) => [
          entry.name,
          entry.isFile() ? readFileSync(join(folder, entry.name)) : '',
        ]);
      const before = seen();
      for (const words of [
        ['resume', run],
        ['runs', 'show', run],
      ]) {
        const { code, stdout, stderr } = await deskhand(words, { cwd });
        expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('error[journal]')]);
        expect(stderr).toContain(said);
      }
      expect((await deskhand(['runs', 'verify', run], { cwd })).code).toBe(1);
      expect((await deskhand(['run', 'ladder.yaml'], { cwd })).code).toBe(1);
      expect([seen(), await resting(cwd)]).toEqual([before, 3]);
    },
  );

  test('shows commands that list the orders it may have placed', async () => {
    const { cwd, run, journal } = await stoppedRun();
    change(journal, '"kind":"intended"', '"kind":"intendee"');
    const { stderr } = await deskhand(['runs', 'show', run], { cwd });
    const printed = /deskhand (call order\/list-(?:open|history)\b[^`\n]* --page all\b[^`\n]*)/g;
    const commands = [...stderr.matchAll(printed)];
    expect(
      commands.map(([, line = '']) => line.split(' ')[1]),
      stderr,
    ).toEqual(['order/list-open', 'order/list-history']);
    const shown = commands.map(async ([, line = '']) =>
      deskhand([...line.trim().split(' '), '-o', 'json'], { cwd }),
    );
    const [open, history] = await Promise.all(shown);
    expect([open?.code, history?.code]).toEqual([0, 0]);
    expect(JSON.parse(open?.stdout ?? '').answer.list).toHaveLength(3);
  });

  test('of another run is refused with that run’s id', async () => {
    const { cwd, run, folder } = await stoppedRun();
    const other = join(folder, '..', 'r-other');
    cpSync(folder, other, { recursive: true });
    change(join(other, 'header.json'), `"run": "${run}"`, '"run": "r-other"');
    const { code, stderr } = await deskhand(['resume', 'r-other'], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`1 is of run ${run}, not of r-other`),
    ]);
    expect(readFileSync(join(other, 'journal.ndjson'))).toEqual(
      readFileSync(join(folder, 'journal.ndjson')),
    );
  });

  test.each([
    ['cut in its last line', (text: string) => text.slice(0, -20)],
    ['ended by zeros', (text: string) => `${text}${'\0'.repeat(512)}`],
  ])(
    'with %s is treated as a crash: shown, resumed, and nothing is sent twice',
    async (_name, spoil) => {
      const { cwd, run, journal } = await stoppedRun();
      writeFileSync(journal, spoil(readFileSync(journal, 'utf8')));
      const shown = await deskhand(['runs', 'show', run], { cwd });
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('3 of 3')]);
      const verified = await deskhand(['runs', 'verify', run], { cwd });
      expect([verified.code, inOneLine(verified.stdout)]).toEqual([
        1,
        expect.stringContaining('the last line has no end'),
      ]);
      const resumed = await deskhand(['resume', run], { cwd });
      expect([resumed.code, await resting(cwd)]).toEqual([1, 3]);
      expect((await deskhand(['runs', 'verify', run], { cwd })).code).toBe(0);
    },
  );

  test('without its header blocks runs that might repeat its writes', async () => {
    const { cwd, run, header } = await stoppedRun();
    rmSync(header);
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('header.json is missing')]);
    const listed = await deskhand(['runs', 'list'], { cwd });
    expect(listed.stdout).toMatch(new RegExp(`^${run}  damaged  .*header\\.json is missing\n$`));
    const data = JSON.parse((await deskhand(['runs', 'list', '-o', 'json'], { cwd })).stdout);
    expect(data).toMatchObject({ runs: [], unnamed: [{ run }] });
    const doctor = await deskhand(['doctor', '--offline'], { cwd });
    expect([doctor.code, doctor.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('header.json is missing'),
    ]);
  });
});

describe('runs set-aside', () => {
  test('allows the playbook to run again after a person’s comment, and keeps the files', async () => {
    const { cwd, run, folder, journal } = await stoppedRun();
    const text = readFileSync(journal);
    writeFileSync(journal, text.subarray(1));
    const words = ['runs', 'set-aside', run];
    const unsaid = await deskhand(words, { cwd });
    expect([unsaid.code, unsaid.stderr]).toEqual([
      2,
      expect.stringContaining('state the outcome of the orders'),
    ]);
    const listed = await deskhand(['runs', 'list'], { cwd });
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^${run} +damaged `)),
      expect.stringContaining('journal.ndjson:1 is damaged'),
    ]);
    const aside = await deskhand([...words, '--comment', 'they are mine'], { cwd });
    expect([aside.code, aside.stderr]).toEqual([0, expect.stringContaining('orders[40000.0]')]);
    expect(existsSync(folder)).toBe(false);
    const kept = join(cwd, '.deskhand', 'set-aside', run, '1');
    expect(readFileSync(join(kept, 'run', 'journal.ndjson'))).toEqual(text.subarray(1));
    expect(JSON.parse(readFileSync(join(kept, 'note.json'), 'utf8'))).toMatchObject({
      run,
      comment: 'they are mine',
      because: expect.stringContaining('journal.ndjson:1 is damaged'),
    });
    const now = await deskhand(['runs', 'list'], { cwd });
    expect([now.code, now.stdout]).toEqual([0, expect.stringContaining('they are mine')]);
    const resumed = await deskhand(['resume', run], { cwd });
    expect([resumed.code, resumed.stderr]).toEqual([
      2,
      expect.stringContaining(`run ${run} was set aside by`),
    ]);
    // Its orders are still found by their names: the exchange knows them.
    expect((await deskhand(['run', 'ladder.yaml'], { cwd })).code).toBe(1);
    expect(await resting(cwd)).toBe(3);
  });

  test('keeps an intact run where it is, and refuses an unknown one', async () => {
    const { cwd, run, folder } = await stoppedRun();
    const whole = await deskhand(['runs', 'set-aside', run, '--comment', 'why'], { cwd });
    expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining('is set aside')]);
    expect(existsSync(folder)).toBe(true);
    const none = await deskhand(['runs', 'set-aside', 'r-none', '--comment', 'why'], { cwd });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no run')]);
  });
});

describe('runs verify', () => {
  test('reports an intact run, also as JSON', async () => {
    const { cwd, run } = await stoppedRun();
    const { code, stdout } = await deskhand(['runs', 'verify', run], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/is intact: \d+ entries, 1 file\n$/)]);
    const json = await deskhand(['runs', 'verify', run, '-o', 'json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ run, isWhole: true, files: 1, findings: [] });
  });

  test('reports every finding with its line and changes nothing', async () => {
    const { cwd, run, journal } = await stoppedRun();
    change(journal, '"kind":"opened"', '"kind":"opeded"');
    appendFileSync(join(cwd, 'out', 'tickers.csv'), 'more\n');
    const before = readFileSync(journal);
    const { code, stdout } = await deskhand(['runs', 'verify', run], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/journal\.ndjson:2 +wrong checksum/);
    expect(inOneLine(stdout)).toMatch(/journal\.ndjson:\d+ out\/tickers\.csv: it has \d+ bytes/);
    expect(stdout).toContain(`${run} has 2 findings`);
    expect(readFileSync(journal)).toEqual(before);
  });
});
