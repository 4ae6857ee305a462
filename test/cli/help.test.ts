/** Help: verbs by task, an example for each, and no line wider than a terminal of 80 columns. */
import { expect, test } from 'vitest';
import { helpOf, parseAndStart } from '../../src/cli/program.ts';
import { globalFlags } from '../../src/cli/verbs/flags.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { exampleOf, headingOf, tasks } from '../../src/cli/verbs/tasks.ts';
import { version } from '../../src/base/version.ts';

const parts = { verbs, version, write: () => undefined };
const help = (topic: string | undefined, columns: number): string =>
  helpOf(topic, { ...parts, columns });

test('every command is listed under a task and has an example with its own flags', () => {
  for (const { name, flags } of verbs) {
    const example = exampleOf(name) ?? '';
    expect([name, example.startsWith(name)]).toEqual([name, true]);
    expect([name, headingOf(name.split(' ')[0] ?? '') !== undefined]).toEqual([name, true]);
    for (const [flag] of example.matchAll(/--[a-z-]+/g)) {
      expect([name, [...globalFlags, ...flags].some((one) => one.flags.includes(flag))]).toEqual([
        name,
        true,
      ]);
    }
  }
  const known = new Set(verbs.flatMap(({ name }) => [name, name.split(' ')[0] ?? '']));
  for (const { examples } of tasks) {
    expect(Object.keys(examples).filter((name) => !known.has(name))).toEqual([]);
  }
});

test('tasks are listed in order, and commands below them', () => {
  const text = help(undefined, 80);
  const places = tasks.map(({ heading }) => text.indexOf(`\n${heading}\n`));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect(text).not.toContain('\nCommands:');
});

test.each([80, 200])('no line is wider than 80 columns, and no word is broken: %i', (columns) => {
  const topics = [undefined, ...verbs.map(({ name }) => name), 'runs', 'schedule', 'sandbox'];
  for (const topic of topics) {
    const lines = help(topic, columns).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    if (topic !== undefined) expect(lines).toContain(`  deskhand ${exampleOf(topic)}`);
    const words = new Set(lines.join(' ').split(/\s+/));
    const verb = verbs.find(({ name }) => name === topic);
    const said = (verb?.flags ?? []).flatMap(({ description }) => description.split(/\s+/));
    expect(said.filter((word) => !words.has(word) && !words.has(`${word};`))).toEqual([]);
  }
});

test('in a terminal of 40 columns, a description that has no room is below its term', () => {
  const said = help('run', 40);
  expect(said).toContain('  --approve <plan-id>\n      ');
  for (const topic of [undefined, ...verbs.map(({ name }) => name)]) {
    const words = (text: string): string => text.split(/\s+/).join(' ');
    const described = (verbs.find(({ name }) => name === topic)?.flags ?? []).map((flag) =>
      words(flag.description),
    );
    const text = words(help(topic, 40));
    expect(described.filter((each) => !text.includes(each))).toEqual([]);
    const wide = help(topic, 40)
      .split('\n')
      .filter((line) => line.length > 40);
    expect(wide.filter((line) => !/^(?:Usage: | {2}(?:deskhand |-))/.test(line))).toEqual([]);
  }
});

test.each(['-V', '--version', '-h', '--help'])(
  '%s alone reads no flag of a command',
  async (flag) => {
    const read: string[] = [];
    const watched = verbs.map((verb) => ({
      ...verb,
      flags: verb.flags.map((each) =>
        Object.defineProperty({ ...each }, 'flags', {
          get: () => (read.push(each.flags), each.flags),
        }),
      ),
    }));
    let printed = '';
    const write = (text: string): void => void (printed += text);
    await parseAndStart([flag], {
      ...parts,
      verbs: watched,
      write,
      columns: 80,
      start: async () => 0,
    });
    expect(printed).toBe(/v/i.test(flag) ? `${version}\n` : help(undefined, 80));
    expect(read).toEqual([]);
  },
);
