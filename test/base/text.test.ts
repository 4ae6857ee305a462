/** Text for people, shells and programs: nothing in it is executed, and nothing is invisible. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { escapeControls, jsonLine, shellWord } from '../../src/base/text.ts';
import { loadPlaybook } from '../../src/language/load.ts';

/** One of each class: C0, DEL, C1, bidirectional, zero-width, fillers, tags, separators, half a pair. */
const codes = [
  0x07, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200f, 0x2028, 0x202e,
  0x2060, 0x2066, 0x3164, 0xfeff, 0xffa0, 0xfffa, 0x1d173, 0xe0001, 0xe0020, 0xe007f, 0xe0fff,
  0xd800,
];
const hidden = codes.map((code) => String.fromCodePoint(code));

test('invisible and control characters are shown as escapes', () => {
  for (const character of hidden)
    expect(escapeControls(`a${character}b`)).toMatch(/^a\\u[\x20-\x7e]+b$/);
  expect(escapeControls('⚠\ufe0f é 漢 🙂')).toBe('⚠\ufe0f é 漢 🙂');
});

test('JSON contains them as equivalent escapes', () => {
  for (const character of hidden) {
    const text = jsonLine({ [character]: [character] });
    expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(text)).toEqual({ [character]: [character] });
  }
});

test('a quoted word is read by bash unchanged and is one line of plain letters', () => {
  const words = ["it's", '$(touch x)', '`x`', '=ls', '', 'a b', '\\', '!!', '-', '*', "\\'\n", 'é'];
  for (const word of [
    ...words,
    ...hidden.filter((one) => one.isWellFormed()).map((one) => `a'${one}\\`),
  ]) {
    const quoted = shellWord(word);
    expect(escapeControls(quoted)).toBe(quoted);
    const { stdout } = spawnSync('bash', ['--norc', '-c', `printf %s ${quoted}`], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    expect([word, stdout]).toEqual([word, word]);
  }
});

test('a playbook contains none of them, raw or escaped', () => {
  for (const character of hidden.filter((one) => one.isWellFormed())) {
    const escape = JSON.stringify(character).includes('\\')
      ? JSON.stringify(character).slice(1, -1)
      : `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
    for (const text of [character, escape]) {
      const steps = 'steps:\n  - uses: market/list-discount-rates\n';
      const { problems } = loadPlaybook(
        `playbook: 1\nname: a\ndescription: "x${text}y"\n${steps}`,
        'a.yaml',
      );
      expect([text, problems.map(({ code }) => code)]).toEqual([text, ['PB003']]);
    }
  }
});

test('a name contains no joiner, unlike a text', () => {
  const withJoiner = (key: string, text: string): string =>
    `playbook: 1\nname: a\ndescription: "${text}"\nsteps:\n  - uses: market/list-discount-rates\noutputs: { "${key}": x }\n`;
  const rulesOf = (text: string) => loadPlaybook(text, 'a.yaml').problems.map(({ code }) => code);
  expect(rulesOf(withJoiner('a', '👩\u200d🚀 ⚠\ufe0f'))).toEqual([]);
  for (const joiner of ['\u200c', '\u200d', '\ufe0f']) {
    expect(rulesOf(withJoiner(`a${joiner}`, ''))).toContain('PB003');
  }
});
