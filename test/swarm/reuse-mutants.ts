/** Defects of runs that take over the results of an earlier run. */
import { mutant, type Mutant } from './mutant.ts';

export const reuseMutants: readonly Mutant[] = [
  mutant(
    'a write of a reused step is sent again',
    'engine/interpreter/walk.ts',
    '  const rest = playbook.steps.filter(({ id }) => !ended.has(id));\n',
    '  const rest = playbook.steps;\n',
    'engine/interpreter/reuse',
  ),
  mutant(
    'an item that an earlier run did is sent again',
    'engine/interpreter/item.ts',
    '    if (reused !== undefined) {',
    '    if (reused !== undefined && reused.response === null) {',
    'engine/interpreter/reuse-items',
  ),
  mutant(
    'an item at the position of another one is taken for it',
    'engine/plan/reused-item.ts',
    "  if (value !== placedValue(item)) return 'is another item now: only its position identifies it';\n",
    '',
    'engine/interpreter/reuse-items',
  ),
  mutant(
    'a step that failed is reused',
    'engine/runtime/reusable.ts',
    "    if (status === 'done' || status === 'skipped') {\n      if (",
    '    if (result !== undefined) {\n      if (status !== undefined || ',
    'engine/interpreter/reuse',
  ),
  mutant(
    'a resumed run forgets which steps it reused',
    'engine/runtime/run.ts',
    '    reused: reusedIn(begun),\n',
    '    reused: earlier.length === 0 ? options.reused : undefined,\n',
    'engine/interpreter/reuse',
  ),
  mutant(
    'a run that can be resumed is reused',
    'engine/runtime/reusable.ts',
    "  if (end.status === 'stopped' && !isOverIn(started, entries)) {",
    "  if (end.status === 'stopped' && isOverIn(started, [])) {",
    'engine/interpreter/reuse',
  ),
  mutant(
    'an item that a person abandoned is sent again without a word',
    'engine/plan/reused-item.ts',
    '  if (unknown !== undefined) {\n',
    '  if (unknown !== undefined && items.length === 0) {\n',
    'cli/abandoned',
  ),
];
