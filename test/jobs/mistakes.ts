/** Mistakes that an author makes in a job: each is refused at its place, before anything is sent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobFile } from './compose.ts';
import type { Finding } from './finding.ts';
import type { Scene } from './scene.ts';
import { difference } from './worlds.ts';

export interface Mistake {
  readonly name: string;
  /** @returns the text with the mistake; the same text where it cannot be made */
  readonly make: (text: string) => string;
  /** The line of the mistake. */
  readonly at: RegExp;
}

const replaced = (name: string, from: RegExp, to: string, at: RegExp): Mistake => ({
  name,
  make: (text) => text.replace(from, to),
  at,
});

export const mistakes: readonly Mistake[] = [
  replaced(
    'a misspelled key of a step',
    /^ {4}uses: "market/m,
    '    user: "market',
    /user: "market/,
  ),
  replaced('a misspelled key at the top', /^steps:/m, 'guard: {}\nsteps:', /^guard:/),
  replaced(
    'an unknown operation',
    /"market\/list-tickers"/,
    '"market/list-ticker"',
    /list-ticker"/,
  ),
  replaced('an unknown field', /category: /, 'categories: ', /categories/),
  replaced('a value outside its list', /"USDT-FUTURES"/, '"USDT-FUTURE"', /USDT-FUTURE"/),
  replaced('another version', /^playbook: 1/, 'playbook: two', /^playbook: two/),
  replaced(
    'an unknown input',
    /^outputs:|$(?![^])/m,
    'outputs:\n  more: "{{ inputs.nowhere }}"',
    /nowhere/,
  ),
  replaced(
    'a later step',
    /category: "USDT-FUTURES"/,
    'category: "{{ steps.orders.response }}"',
    /steps\.orders/,
  ),
  replaced(
    'an item without for-each',
    /symbol: "BTCUSDT"/,
    'symbol: "{{ each.value }}"',
    /each\.value/,
  ),
  replaced('an unknown helper', /category: "USDT-FUTURES"/, 'category: "{{ upperr 1 }}"', /upperr/),
];

/** Validate, plan and run refuse it, name its line, and send nothing. */
export async function brokenRefusal(
  { job, desk, world }: Scene,
  { name, make, at }: Mistake,
): Promise<readonly Finding[]> {
  const text = make(readFileSync(join(desk.folder, jobFile), 'utf8'));
  const line = text.split('\n').findIndex((one) => at.test(one)) + 1;
  desk.write(jobFile, text);
  const before = world.books();
  const broken: Finding[] = [];
  for (const words of [
    ['validate', jobFile],
    ['plan', jobFile, '--offline', ...job.flags],
    ['run', jobFile, ...job.flags],
  ]) {
    const typed = await desk.type(words);
    const { code, out, err } = typed;
    const isNamed = `${out}${err}`.includes(`${jobFile}:${line}:`);
    if (code === 3 && isNamed) continue;
    const what = `${name} in line ${line} is ${code === 3 ? 'refused elsewhere' : 'not refused'}`;
    broken.push({ relation: 'language', choice: job.choice, what, typed });
  }
  if (Object.keys(difference(before, world.books())).length > 0) {
    broken.push({ relation: 'language', choice: job.choice, what: `${name} sent a write` });
  }
  return broken;
}
