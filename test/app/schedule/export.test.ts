/** Exported schedules with names that mean something to a shell, to cron, to systemd or to GitHub. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { crontabOf } from '../../../src/app/schedule/export/crontab.ts';
import { preparation, uploaded } from '../../../src/cli/init/github.ts';
import { workflowOf } from '../../../src/app/schedule/export/github.ts';
import { unitsOf } from '../../../src/app/schedule/export/systemd.ts';
import { scheduleFor } from './world.ts';

const now = Date.UTC(2026, 10, 20);
const names = [
  'plain.yaml',
  'two words.yaml',
  ` it's "so" .yaml`,
  '50% off %%.yaml',
  '$HOME ${HOME} $(id) `id`.yaml',
  String.raw`back\slash \% \\ \\% \n.yaml`,
  'a;b & c|d > e # f ! *.yaml',
  'übung 日本 😀.yaml',
  '-rf.yaml',
  '~root.yaml',
  String.raw`ends in \.yaml`,
];
const argumentOf = (file: string): string => (file.startsWith('-') ? `./${file}` : file);
const scheduleOf = (file: string) =>
  scheduleFor({ id: 's-1', playbook: 'nightly', file, cron: '0 9 1 * *' });

/** Prints its arguments and where it was started. */
const echo = 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(1)]))';
const program = [process.execPath, '-e', echo];

describe('a crontab', () => {
  /** What a cron hands to the shell: those in use differ in which backslashes they take away. */
  const handedOn = (command: string, taken: RegExp): string => {
    let text = '';
    for (let at = 0; at < command.length; at++) {
      const [sign = '', after = ''] = [command[at], command[at + 1]];
      if (sign === '%') break; // what follows would be standard input
      if (sign === '\\') {
        text += taken.test(after) ? after : sign + after;
        at += 1;
      } else text += sign;
    }
    return text;
  };

  test.each(names)('names %s', (file) => {
    const root = mkdtempSync(join(tmpdir(), 'cron-'));
    const folder = join(root, file.trim());
    mkdirSync(folder);
    const line = crontabOf([scheduleOf(file)], { folder, program }, { timezone: 'UTC', now })
      .split('\n')
      .find((each) => each.includes(' cd '));
    const [, command = ''] = /^(?:\S+ ){5}(.*)$/.exec(line ?? '') ?? [];
    for (const taken of [/[%]/, /[%\\]/]) {
      const shown = execFileSync('/bin/sh', ['-c', handedOn(command, taken)], { encoding: 'utf8' });
      expect(JSON.parse(shown)).toEqual([
        folder,
        'schedule',
        'run-due',
        argumentOf(file),
        '--schedule',
        's-1',
      ]);
    }
    rmSync(root, { recursive: true });
  });

  test('has no line longer than a cron accepts', () => {
    const folder = `/${'long/'.repeat(250)}`;
    expect(() =>
      crontabOf([scheduleOf('a.yaml')], { folder, program }, { timezone: 'UTC', now }),
    ).toThrow('the command for a.yaml is longer than a crontab allows');
  });
});

describe('systemd', () => {
  /** The words of a command line by systemd.syntax(7): quotes, escapes, `%%` and `$$`. */
  function wordsIn(line: string): string[] {
    const words: string[] = [];
    let [word, quote]: (string | undefined)[] = [undefined, undefined];
    for (let at = 0; at < line.length; at++) {
      const sign = line.charAt(at);
      const after = line.charAt(at + 1);
      if (sign === '%' || sign === '$') {
        expect(after, `${sign} in ${line}`).toBe(sign); // alone it is filled in
        word = (word ?? '') + sign;
        at += 1;
      } else if (sign === '\\') {
        expect(['\\', '"'], `\\${after} in ${line}`).toContain(after); // others mean other signs
        word = (word ?? '') + after;
        at += 1;
      } else if (sign === quote) quote = undefined;
      else if (quote === undefined && (sign === '"' || sign === "'")) {
        expect(word).toBeUndefined(); // quotes stand around whole words
        [quote, word] = [sign, ''];
      } else if (quote === undefined && sign === ' ') {
        if (word !== undefined) words.push(word);
        word = undefined;
      } else {
        if (quote === undefined) expect(sign).toMatch(/[\w./:=@+-]/);
        word = (word ?? '') + sign;
      }
    }
    return word === undefined ? words : [...words, word];
  }

  test.each(names)('names %s', (file) => {
    const folder = `/srv/${file}`;
    const [service] = unitsOf([scheduleOf(file)], { folder, program: ['/usr/bin/deskhand'] }, now);
    const setting = (name: string): string =>
      new RegExp(`^${name}=(.*)$`, 'm').exec(service?.text ?? '')?.[1] ?? '';
    expect(wordsIn(setting('ExecStart'))).toEqual([
      '/usr/bin/deskhand',
      'schedule',
      'run-due',
      argumentOf(file),
      '--schedule',
      's-1',
    ]);
    expect(setting('WorkingDirectory').replaceAll('%%', '%')).toBe(folder);
  });

  test.each(['/srv/ends in a blank ', '/srv/ends in a backslash\\'])(
    'uses the path %j unchanged',
    (folder) => {
      const [service] = unitsOf([scheduleOf('a.yaml')], { folder, program: ['/bin/d'] }, now);
      expect(service?.text).toContain(`\nWorkingDirectory=${folder}/\nExecStart=`);
    },
  );
});

const parts = {
  preparation: preparation({ kind: 'lockfile' }),
  environment: '',
  conclusion: uploaded('reports'),
};

describe('a GitHub workflow', () => {
  test.each(names)('names %s', (file) => {
    const workflow: unknown = parse(workflowOf([scheduleOf(file)], now, parts));
    const { steps } = Object(workflow).jobs.due;
    const { run } = steps.at(-2);
    expect(steps.at(-1)).toMatchObject({ uses: expect.stringContaining('upload-artifact@') });
    const shown = execFileSync(
      '/bin/sh',
      ['-c', run.replace(/^deskhand/, `'${process.execPath}' -e '${echo}'`)],
      { encoding: 'utf8' },
    );
    expect(JSON.parse(shown).slice(3, 4)).toEqual([argumentOf(file)]);
  });

  test.each([
    ['a${{ secrets.KEY }}.yaml', 'holds ${{, which GitHub would expand'],
    ['/home/ann/a.yaml', 'is not in the repository'],
    ['x/../../a.yaml', 'is not in the repository'],
  ])('refuses %s', (file, because) => {
    expect(() => workflowOf([scheduleOf(file)], now, parts)).toThrow(because);
  });
});

test.each(['a\nb.yaml', 'a\u0000.yaml', 'a\u0085.yaml', 'a\u2028.yaml', '\ud800.yaml'])(
  'a timer cannot use the name %j',
  (file) => {
    const place = { folder: '/srv', program };
    for (const write of [
      () => crontabOf([scheduleOf(file)], place, { timezone: 'UTC', now }),
      () => unitsOf([scheduleOf(file)], place, now),
      () => workflowOf([scheduleOf(file)], now, parts),
    ]) {
      expect(write).toThrow('contains a control character');
    }
  },
);
