/** A playbook as its page shows it: problems, inputs, steps, and its text. */
import { targets } from '../../../engine/journal/shared-schema.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import { codeFrame } from '../../../language/format.ts';
import { isRequiredField } from '../../../language/input-members.ts';
import {
  inputTypes,
  type FieldDeclaration,
  type InputDeclaration,
  type Playbook,
} from '../../../language/playbook.ts';
import { waitingIn } from '../../../language/sequence.ts';
import { groupsOf, placedSteps, stepWords } from '../../../language/step-graph.ts';
import type { Desk } from '../desk.ts';
import { codeLines } from '../shapes.ts';
import type { Checked } from './checked.ts';

export const playbookRow = record({
  desk: text(),
  file: text(),
  name: text({ description: 'Empty if it cannot be read' }),
  profile: text(),
  target: optional(choice(targets)),
  errors: integer(),
  warnings: integer(),
  steps: integer(),
  inputs: integer(),
});

export type PlaybookRow = Infer<typeof playbookRow>;

const input = record({
  name: text(),
  type: choice(inputTypes),
  itemType: optional(text()),
  description: text(),
  isRequired: truth,
  default: optional(text({ description: 'As written' })),
  values: list(text(), { description: 'Of an enum' }),
  fields: list(text(), { description: 'Of a record, or of the records of a list or map' }),
  pattern: optional(text()),
  minimum: optional(text()),
  maximum: optional(text()),
});

export const playbookView = record({
  row: playbookRow,
  problems: list(record({ level: choice(['error', 'warning']), code: text(), frame: text() })),
  inputs: list(input),
  steps: list(
    record({
      group: choice(['steps', 'on-failure', 'finally']),
      id: text(),
      uses: text(),
      depth: integer({ description: 'Of the steps that it needs' }),
      words: text(),
    }),
  ),
  lines: codeLines,
});

export type PlaybookView = Infer<typeof playbookView>;

export function playbookRowOf({ file, playbook, files }: Checked, desk: Desk): PlaybookRow {
  const all = files.flatMap(({ problems }) => problems);
  const errors = all.filter(({ level }) => level === 'error').length;
  const name = playbook?.account ?? desk.config.initial;
  const profile = desk.config.profiles.get(name);
  return {
    desk: desk.name,
    file,
    name: plainText(playbook?.name ?? '', 80),
    profile: plainText(name, 60),
    ...(profile && { target: profile.target }),
    errors,
    warnings: all.length - errors,
    steps: playbook?.steps.length ?? 0,
    inputs: playbook?.inputs.size ?? 0,
  };
}

const problemsMax = 50; // more are not read one by one

export function playbookViewOf(checked: Checked, desk: Desk): PlaybookView {
  const { file, text: whole, playbook, files } = checked;
  const problems = files.flatMap((each) =>
    each.problems.map((problem) => ({ problem, text: each.text })),
  );
  const marked = new Set(
    problems.flatMap(({ problem: { at } }) => (at.file === file ? [at.start.line] : [])),
  );
  return {
    row: playbookRowOf(checked, desk),
    problems: problems.slice(0, problemsMax).map(({ problem, text: own }) => ({
      level: problem.level,
      code: problem.code,
      frame: codeFrame(problem, own, { color: false }),
    })),
    inputs:
      playbook === undefined
        ? []
        : [...playbook.inputs.values()].map((each) => inputOf(each, whole)),
    steps: playbook === undefined ? [] : stepsOf(playbook),
    lines: whole
      .replace(/\n$/, '')
      .split(/\r?\n/)
      .map((line, index) => ({
        number: String(index + 1),
        text: plainText(line, 400),
        isMarked: marked.has(index + 1),
      })),
  };
}

function inputOf(declared: InputDeclaration, whole: string): PlaybookView['inputs'][number] {
  const {
    name,
    type,
    items,
    description = '',
    isRequired,
    values = [],
    pattern,
    minimum,
    maximum,
  } = declared;
  const initial = declared.default;
  const written = initial && whole.slice(initial.at.start.offset, initial.at.end.offset);
  return {
    name,
    type,
    ...(items && { itemType: items.type }),
    description: plainText(description, 300),
    isRequired,
    ...(written !== undefined && { default: plainText(written, 200) }),
    values,
    fields: [...(declared.fields ?? items?.fields ?? [])].map(fieldWords),
    ...(pattern !== undefined && { pattern }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

/** `rate: decimal, optional` */
function fieldWords([name, field]: readonly [string, FieldDeclaration]): string {
  return `${name}: ${field.type}${isRequiredField(field) ? '' : ', optional'}`;
}

/** The steps in the order of `graph`: a step below the last of the steps it needs. */
function stepsOf(playbook: Playbook): PlaybookView['steps'] {
  const waiting = waitingIn(playbook);
  return groupsOf(playbook).flatMap(({ name, steps }) =>
    placedSteps(steps).map((place) => ({
      group: name ?? ('steps' as const),
      id: plainText(place.step.id, 60),
      uses: plainText(place.step.uses, 60),
      depth: place.depth,
      words: stepWords(place, waiting.get(place.step)),
    })),
  );
}
