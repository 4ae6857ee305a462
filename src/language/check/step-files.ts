/** Files written by steps: names in the workspace, unique for each step and item. */
import { hasPlainParts, unusableName } from '../../base/platform/file-name.ts';
import type { Playbook, Step, Template } from '../playbook.ts';
import { type SourceRange } from '../source-range.ts';
import type { Problems } from '../problems.ts';
import { stepsOf } from '../expressions.ts';
import { dependsOnItem, textOfTemplate } from '../template.ts';
import { endingIn, endingProblem, writtenFile } from '../written-file.ts';
import { fixedValues } from './fixed.ts';

interface WrittenFile {
  readonly step: Step;
  readonly file: Template;
  /** The place where problems of the file are reported: for a nested playbook, at the step that uses it. */
  readonly at: SourceRange;
}

export function checkFiles(playbook: Playbook, problems: Problems): void {
  const all = stepsOf(playbook).flatMap(filesOf);
  const earlier = new Map<string, WrittenFile>();
  for (const written of all) {
    if (written.step.action.kind !== 'playbook') checkName(written, problems);
    checkItems(written, problems);
    const name = nameOf(written);
    const other = earlier.get(name);
    if (other === undefined) earlier.set(name, written);
    else if (!areAlternatives(other.step, written.step)) {
      const { file, step, at } = written;
      const what = textOfTemplate(file);
      problems.add('PB404', at, `${what} is written by ${other.step.id} as well`, {
        hint: `give ${step.id} its own name`,
      });
    }
  }
}

function filesOf(step: Step): readonly WrittenFile[] {
  if (step.action.kind === 'playbook') {
    return fixedFiles(step.action.playbook).map(({ value }) => ({
      step,
      file: value,
      at: step.at,
    }));
  }
  return [...ownFiles(step).values()].map((file) => ({ step, file, at: file.at }));
}

function ownFiles(step: Step): ReadonlyMap<string, Template> {
  const file = writtenFile(step);
  return new Map(file === undefined ? [] : [['file', file]]);
}

const fixedFiles = fixedValues(ownFiles);

/** The text that distinguishes one file from another: for items, including their list. */
function nameOf({ step, file }: WrittenFile): string {
  const items = dependsOnItem(file) ? [step.forEach, step.key] : [];
  const others = items.map((each) => (each === undefined ? '' : textOfTemplate(each)));
  return [inOneCase(textOfTemplate(file)), ...others].join('\n');
}

/**
 * A file name in one case: `A.csv` and `a.csv` are one file on some systems; expressions are
 * case-sensitive.
 */
function inOneCase(name: string): string {
  return name.replace(/\{\{[^]*?\}\}|[^{]+/g, (piece) =>
    piece.startsWith('{{') ? piece : piece.toLowerCase(),
  );
}

/** Whether two steps may exclude each other, because both have a condition. */
function areAlternatives(a: Step, b: Step): boolean {
  return a.condition !== undefined && b.condition !== undefined;
}

function checkItems({ step, file, at }: WrittenFile, problems: Problems): void {
  if (step.forEach === undefined || dependsOnItem(file)) return;
  const isOwn = step.action.kind !== 'playbook';
  const what = isOwn ? 'this file' : textOfTemplate(file);
  problems.add('PB409', at, `every item would write ${what}, and only the last one would remain`, {
    hint: isOwn ? 'put {{ each.key }} into the name' : `let ${step.uses} take it as an input`,
  });
}

function checkName({ step, file }: WrittenFile, problems: Problems): void {
  const name = outlineOf(file);
  if (!hasPlainParts(name)) {
    const shown = textOfTemplate(file);
    problems.add('PB407', file.at, `${JSON.stringify(shown)} is not a name under the workspace`, {
      hint: 'use letters, digits, dots, dashes and underscores, with / between folders',
    });
    return;
  }
  const unusable = name.split('/').flatMap((word) => unusableName(word) ?? [])[0];
  if (unusable !== undefined) {
    const hint = 'choose another name';
    problems.add('PB407', file.at, `${JSON.stringify(name)}: ${unusable}`, { hint });
    return;
  }
  const ending = endingOf(file);
  const wrong = ending === undefined ? undefined : endingProblem(step, ending);
  if (wrong !== undefined) problems.add('PB407', file.at, wrong.message, { hint: wrong.hint });
}

/** The name of a file with a letter for each expression: its problems apply to any value. */
function outlineOf(file: Template): string {
  switch (file.kind) {
    case 'literal':
      return file.source;
    case 'text':
      return file.parts.map((found) => (typeof found === 'string' ? found : 'x')).join('');
    case 'expression':
    case 'prose':
    case 'list':
    case 'map':
      return 'x';
  }
}

/** The extension of a name; undefined when a template determines it. */
function endingOf(file: Template): string | undefined {
  const last =
    file.kind === 'literal' ? file.source : file.kind === 'text' ? file.parts.at(-1) : undefined;
  if (typeof last !== 'string') return undefined;
  const name = last.slice(last.lastIndexOf('/') + 1);
  if (!name.includes('.')) return file.kind === 'literal' ? '' : undefined;
  return endingIn(name);
}
