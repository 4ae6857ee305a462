/** Which step may begin next: the first of the file whose needs have ended, and one without needs alone. */
import { expect, test } from 'vitest';
import { readySteps } from '../../../src/engine/interpreter/ready-steps.ts';
import { playbookFrom } from '../../support/harness.ts';

/** Steps as `id` or `id:need,need`. */
const stepsOf = (...words: readonly string[]) =>
  playbookFrom(
    `playbook: 1\nname: ready\nparallel: 4\nsteps:\n${words
      .map((word) => word.split(':'))
      .map(([id, needs]) => {
        const more = needs === undefined ? '' : `, needs: [${needs}]`;
        return `- { id: ${id}, uses: wait, with: { for: 1s }${more} }\n`;
      })
      .join('')}`,
  ).steps;

/** The steps that begin one after another while none ends. */
function begun(steps: ReturnType<typeof readySteps>, running: number): string[] {
  const ids: string[] = [];
  for (let step = steps.next(running); step; step = steps.next(running + ids.length))
    ids.push(step.id);
  return ids;
}

test('steps begin in the order of the file, whatever the order in which their needs end', () => {
  const ready = readySteps(stepsOf('a', 'b', 'x:b', 'y:a', 'z:a,b'), () => false);
  expect(begun(ready, 0)).toEqual(['a']);
  expect(begun(ready, 1)).toEqual([]);
  ready.end('a');
  expect(begun(ready, 0)).toEqual(['b', 'y']);
  ready.end('b');
  expect(begun(ready, 1)).toEqual(['x', 'z']);
});

test('those that become ready together begin in the order of the file', () => {
  const ready = readySteps(stepsOf('a', 'b', 'x:b', 'y:a'), () => false);
  ready.next(0);
  ready.end('a');
  ready.next(0);
  ready.end('b');
  expect(begun(ready, 0)).toEqual(['x', 'y']);
});

test('a step waits for nothing that ended before', () => {
  const ready = readySteps(stepsOf('a', 'x:a').slice(1), (id) => id === 'a');
  expect(begun(ready, 3)).toEqual(['x']);
});

test('a step without needs waits until none runs, and then begins before later ones', () => {
  const ready = readySteps(stepsOf('a', 'b', 'x:a'), () => false);
  expect(begun(ready, 0)).toEqual(['a']);
  ready.end('a');
  expect(begun(ready, 0)).toEqual(['b', 'x']);
});
