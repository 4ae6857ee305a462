/** Files that steps write: names allowed in the workspace, and one writer for each file. */
import { foldedName, unusableFile, workspaceFileHint } from '../../base/platform/file-name.ts';
import { plainText } from '../../base/text.ts';
import type { Address } from '../journal/entry.ts';
import type { Reused, ReusedItem } from '../journal/reused.ts';
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import { isTrue } from '../../language/expression/known.ts';
import { EvaluationError, type Scope } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import { isByRow, nameBeforeRows } from '../../language/since.ts';
import { dependsOnItem } from '../../language/template.ts';
import { endingIn, endingProblem, writtenFile } from '../../language/written-file.ts';
import { addressOf } from './addresses.ts';
import type { Item } from './items.ts';
import type { PlanProblems } from './problems.ts';
import { executedItems, type ReusedItems } from './reused-item.ts';

/** The files of a plan, and the action that writes each. */
export class PlannedFiles {
  readonly #writers: Writers;

  /** @param reused what an earlier run did: its files stay unchanged */
  constructor(reused?: Reused) {
    const steps = (reused?.steps ?? []).map((step) => ({ ...step, address: step.id }));
    this.#writers = writersOf([...steps, ...(reused?.items ?? []).map(addressed)]);
  }

  /** @returns the file of an item, if its name is known; a name that is refused is reported */
  add(step: Step, { address, scope }: Item, problems: PlanProblems): string | undefined {
    const template = writtenFile(step);
    const file = placeName(step, scope, '_');
    if (template === undefined || file === undefined) return undefined;
    const { at } = template;
    const because = unusableFile(file);
    const ending = endingProblem(step, endingIn(file));
    if (because !== undefined) {
      const message = `${plainText(file, 120)} cannot be written: ${because}`;
      problems.found('PB407', at, address, { message, hint: workspaceFileHint });
    } else if (ending !== undefined) {
      problems.found('PB407', at, address, ending);
    }
    const other = otherWriter(this.#writers, { address, file });
    if (other !== undefined) problems.found('PB404', at, address, sameFile(other));
    return placeName(step, scope, '*');
  }
}

/**
 * Refuses a step before its first item if two of its items write one file.
 * @param reused items of steps that an earlier run did, with their files
 * @throws EvaluationError naming both
 */
export function refuseSameFile(step: Step, items: readonly Item[], reused: ReusedItems): void {
  if (items.length < 2 || writtenFile(step) === undefined) return;
  const done = [...(reused.get(step.path)?.done.values() ?? [])];
  const writers = writersOf(done.map(addressed));
  for (const { address, scope } of executedItems(step, items, reused)) {
    const file = isLeftOut(step, scope) ? undefined : ifKnown(() => placeName(step, scope, '_'));
    if (file === undefined) continue;
    const other = otherWriter(writers, { address, file });
    if (other === undefined) continue;
    const { message, hint } = sameFile(other);
    throw new EvaluationError(`${address}: ${message}`, `${hint}; nothing of this step was sent`);
  }
}

interface Writer {
  readonly address: Address;
  readonly file: string;
  /** The earlier run that wrote the file. */
  readonly run?: string;
}

/** The writers of files, by a name that is equal for two spellings of one file. */
type Writers = Map<string, Writer>;

function writersOf(
  done: readonly (Pick<ReusedItem, 'run' | 'files'> & { readonly address: Address })[],
): Writers {
  return new Map(
    done.flatMap(({ address, run, files = [] }) =>
      files.map(({ file }) => [foldedName(file), { address, file, run }] as const),
    ),
  );
}

function addressed(item: ReusedItem): ReusedItem & { readonly address: Address } {
  return { ...item, address: addressOf(item.step, item.key) };
}

/** The earlier writer of the same file; if there is none, this writer is noted. */
function otherWriter(writers: Writers, writer: Writer): Writer | undefined {
  const name = foldedName(writer.file);
  const other = writers.get(name);
  if (other === undefined) writers.set(name, writer);
  return other;
}

/** The file of a step, if its name is known and the same for every item. */
export function fileOf(step: Step, scope: Scope): { readonly file?: string } {
  if (step.write === undefined || dependsOnItem(step.write.file)) return {};
  const file = ifKnown(() => placeName(step, scope, '*'));
  return file === undefined ? {} : { file };
}

/** The file name of a step, or what is known of it before its rows decide. @throws EvaluationError */
export function placeName(step: Step, scope: Scope, sign: '_' | '*'): string | undefined {
  const { write } = step;
  if (write === undefined || !isByRow(write)) return nameOf(step, scope);
  return nameBeforeRows(write.file, scope, sign);
}

/** The file name of a step; undefined if it is not known before its rows. @throws EvaluationError */
export function nameOf(step: Step, scope: Scope): string | undefined {
  const template = writtenFile(step);
  if (step.write !== undefined && isByRow(step.write)) return undefined;
  const found = template && evaluateTemplate(template, scope);
  return found?.known && typeof found.value === 'string' ? found.value : undefined;
}

function sameFile({ address, file, run }: Writer): {
  readonly message: string;
  readonly hint: string;
} {
  const writes =
    run === undefined ? 'writes' : `, which is reused from ${plainText(run, 60)}, wrote`;
  return {
    message: `${plainText(address, 120)}${run === undefined ? ' ' : ''}${writes} the same file, ${plainText(file, 120)}`,
    hint: 'give each its own name, for example with {{ each.key }}',
  };
}

function isLeftOut({ condition }: Step, scope: Scope): boolean {
  return condition !== undefined && ifKnown(() => isTrue(condition, scope)) !== true;
}

/**
 * The result of a look; undefined for an expression that cannot be evaluated: its item fails because of
 * it.
 */
function ifKnown<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
