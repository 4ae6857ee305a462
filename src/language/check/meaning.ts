/** Checks the meaning of a playbook before the first request: names, types, order, API. */
import type { Field, Type } from '../expression/type.ts';
import { anything, integerType, recordOf, text, typeName } from '../expression/type.ts';
import type { Playbook, Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';
import { childOf, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';
import { checkCondition } from './conditions.ts';
import { doubtsIn } from './doubts.ts';
import { checkFiles } from './step-files.ts';
import { checkGraph } from './graph.ts';
import type { OuterGuards } from '../limits.ts';
import { checkGuards } from './guards.ts';
import { typeOfTemplate, type StepRows, type TypeScope } from './infer.ts';
import { checkInputs } from './inputs.ts';
import { checkItems } from './items.ts';
import { beforeLet, withLet } from './let.ts';
import { checkKeys, type Section } from './keys.ts';
import { matrixType } from './matrix.ts';
import { checkNames } from './names.ts';
import { checkPlaces } from './places.ts';
import { rangesIn } from './step-ranges.ts';
import { checkSchedule } from './schedule.ts';
import { checkSecrets } from './secrets.ts';
import { checkSince, scopeOfName } from './since.ts';
import {
  eachType,
  failureType,
  inputsType,
  responseType,
  rowType,
  runType,
  timesType,
  stepType,
} from './scope.ts';
import { checkApproval, checkApprovalField, warnOfIdleApprovals } from './approve-fields.ts';
import { checkNotice } from './notice-parts.ts';
import { checkNested, checkNestedField } from './nested.ts';
import { checkBuiltInValues } from './built-in.ts';
import { checkProgramField } from './program.ts';
import { checkReport, isReport } from './reports.ts';
import { formatOf, rowsOf } from './step-rows.ts';
import { plus, tableAnswer } from './tables.ts';
import { warnOfUnused } from './unused.ts';
import { knownAction } from '../uses.ts';
import { checkBuiltIn, checkFieldType, checkOperation } from './with.ts';

export interface Checking {
  readonly source: SourceText;
  readonly problems: Problems;
  /** Limits that the playbook cannot change. */
  readonly guards?: OuterGuards;
  /** Whether the run started before items of once-per-playbook writes needed a key. */
  readonly isBegun?: boolean;
  /** Whether a run of the playbook has started: what its version allowed is not refused. */
  readonly isResumed?: boolean;
}

/** @returns the type of the playbook's outputs */
export function checkMeaning(playbook: Playbook, tree: SourceNode, checking: Checking): Type {
  const { problems } = checking;
  checkGraph(playbook, problems);
  checkFiles(playbook, problems);
  checkNames(playbook, problems);
  const start = new Map<string, Type>([['run', runType]]);
  const none: ReadonlySet<string> = new Set();
  const beforeRun = new Map([['run', timesType]]); // defaults may use the time
  checkInputs(playbook, tree, { roots: beforeRun, later: none }, checking);
  const base = new Map(start).set('inputs', inputsType(playbook));
  if (playbook.guards.symbols)
    typeOfTemplate(playbook.guards.symbols, { roots: base, later: none }, problems);

  const named = withLet(playbook, { roots: base, later: none }, problems).roots;
  const done = new Map<string, Field>(); // extended with each checked step
  const later = new Set(playbook.steps.map(({ id }) => id));
  const roots = new Map(named).set('steps', { kind: 'record', fields: done });
  const { seenFrom, seenAfterStop } = doubtsIn(playbook, checking);
  const nodes = nodesIn(tree);
  const rows = new Map<string, StepRows>(); // grows next to it
  const check = (step: Step, section: Section, scope: TypeScope): Checked => {
    const node = nodes.get(placeOf(step.at.start.offset, step.at.alias?.at.offset)) ?? tree;
    checkKeys(step, section, node, checking.source, problems);
    checkApproval(step, section, problems);
    return checkStep(step, scope, node, checking);
  };
  for (const step of playbook.steps) {
    const scope: TypeScope = { roots, later, rows, doubtOf: seenFrom(step) };
    const { type, brings } = check(step, 'steps', scope);
    done.set(step.id, { type });
    rows.set(step.id, brings);
    later.delete(step.id);
  }
  const afterStop: TypeScope = { roots, later, rows, doubtOf: seenAfterStop };
  for (const step of playbook.onFailure) {
    check(step, 'on-failure', plus(afterStop, { failure: failureType }));
  }
  for (const step of playbook.finally) check(step, 'finally', afterStop);
  // An output that depends on a skipped step is null.
  const outputs = [...playbook.outputs].map(([name, template]) => [
    name,
    typeOfTemplate(template, { roots, later }, problems),
  ]);
  checkGuards(playbook, tree, checking);
  checkSchedule(playbook, tree, checking);
  warnOfUnused(playbook, problems);
  warnOfIdleApprovals(playbook, problems);
  return recordOf(Object.fromEntries(outputs));
}

/** The nodes of all steps by their offset and that of their alias. */
function nodesIn(tree: SourceNode): ReadonlyMap<string, SourceNode> {
  const nodes = ['steps', 'on-failure', 'finally'].flatMap((key) => {
    const list = childOf(tree, key);
    return list?.kind === 'list' ? list.items : [];
  });
  return new Map(nodes.map((node) => [placeOf(node.start, node.via?.start), node]));
}

function placeOf(start: number, via: number | undefined): string {
  return `${start} ${via ?? ''}`;
}

/** The facts about a checked step: the type of `steps.ID`, and its rows. */
interface Checked {
  readonly type: Type;
  readonly brings: StepRows;
}

function checkStep(
  step: Step,
  scope: TypeScope,
  node: SourceNode,
  { source, problems, isBegun = false }: Checking,
): Checked {
  const ranges = rangesIn(node, source);
  const fields = childOf(node, 'with');
  const given = fields?.kind === 'map' ? [...fields.entries.keys()] : [];
  const { around, inside, collection } = withEach(step, scope, problems);
  if (step.condition) {
    const looksAtItem = step.condition.references.some(({ root }) => root === 'each');
    checkCondition(step.condition, 'if', looksAtItem ? inside : around, problems);
  }
  if (step.key) typeOfTemplate(step.key, inside, problems);
  checkItems(step, problems);
  if (!isBegun) checkPlaces(step, collection, problems);
  if (step.account) {
    checkAccount(step, step.account, inside, problems);
  }

  const withSecrets = plus(inside, { secrets: { kind: 'map', values: text } });
  const made = checkReport(step, inside, problems);
  const action = knownAction(step); // the fields of an unknown operation may be right
  for (const [field, template] of step.with) {
    if (isReport(step)) break; // it is reported elsewhere
    const isValue = template.kind === 'literal'; // checked against the API definition
    if (isValue && (action.kind === 'call' || action.kind === 'none')) continue;
    const scopeOfField = mayNameSecrets(step, field) ? withSecrets : inside;
    const type = typeOfTemplate(template, scopeOfField, problems);
    if (step.uses === 'shell/run') checkProgramField(field, template.at, type, problems);
    if (step.uses === 'approve') checkApprovalField(field, template.at, type, problems);
    if (action.kind === 'call') checkFieldType(action.operation, field, template, type, problems);
    if (action.kind === 'playbook')
      checkNestedField(action.playbook, template, { name: field, type }, problems);
  }
  if (action.kind === 'call') checkOperation(step, action.operation, given, ranges, problems);
  if (action.kind === 'playbook') checkNested(action.playbook, given, ranges, problems);
  if (action.kind === 'built-in') {
    checkBuiltIn(action.name, given, ranges, problems);
    checkBuiltInValues(step, problems);
    checkNotice(step, inside, problems);
    checkSecrets(step, problems);
  }
  return checkAnswer(step, inside, made, problems);
}

/**
 * Whether a field may use secrets: only a notification's address and key, and environment variables of
 * programs.
 */
function mayNameSecrets({ uses }: Step, field: string): boolean {
  if (uses === 'shell/run') return field === 'env';
  return uses === 'notify/webhook' && (field === 'url' || field === 'sign-with');
}

/**
 * Checks the account of a step: it is opened during planning, so a step's later result or a failure
 * cannot name it.
 */
function checkAccount(step: Step, account: Template, inside: TypeScope, problems: Problems): void {
  const type = typeOfTemplate(account, inside, problems);
  if (type.kind !== 'text' && type.kind !== 'any') {
    problems.add('PB305', account.at, `account expects a text, found ${typeName(type)}`);
  }
  const roots = expressionsIn(account).flatMap(({ references }) => references);
  if (!roots.some(({ root }) => root === 'steps' || root === 'failure')) return;
  problems.add('PB105', account.at, `${step.id}: an account must be known before the run`, {
    hint: 'take it from inputs, or from each under a for-each over inputs',
  });
}

/**
 * Everything that uses the response.
 * @param made a row of a table
 */
function checkAnswer(
  step: Step,
  inside: TypeScope,
  made: Type | undefined,
  problems: Problems,
): Checked {
  const response = made ? tableAnswer(step, made) : responseType(step);
  const answered = plus(inside, { response, ...(step.write && { rows: integerType }) });
  if (step.until && !step.write) checkCondition(step.until, 'until', answered, problems);
  for (const { that, message } of step.expect) {
    checkCondition(that, 'that', answered, problems);
    if (message) typeOfTemplate(message, answered, problems);
  }
  const written = checkWrite(step, made ?? rowType(step), inside, problems);
  const brings = rowsOf(step, written);
  const each = inside.roots.get('each');
  const item = (each?.kind === 'record' ? each.fields.get('value')?.type : undefined) ?? anything;
  if (step.outputs === undefined) {
    return { type: stepType(step, { outputs: response, response, item }), brings };
  }
  const outputs = recordOf(
    Object.fromEntries(
      [...step.outputs].map(([name, template]) => [
        name,
        typeOfTemplate(template, answered, problems),
      ]),
    ),
  );
  return { type: stepType(step, { outputs, response, item }), brings };
}

/** @returns a row as written */
function checkWrite(step: Step, row: Type, inside: TypeScope, problems: Problems): Type {
  const { write } = step;
  if (write === undefined) return row;
  typeOfTemplate(write.file, scopeOfName(step, row, inside), problems);
  const format = formatOf(write);
  if (write.csv !== undefined && format !== '' && format !== 'csv') {
    problems.add('PB105', write.file.at, `csv is for CSV files, and this one is ${format}`);
  }
  const scope = plus(inside, { row });
  const typed = [...(write.columns ?? [])].map(([name, template]): [string, Field] => [
    name,
    { type: typeOfTemplate(template, scope, problems) },
  ]);
  const written: Type = write.columns ? { kind: 'record', fields: new Map(typed) } : row;
  const columns = written.kind === 'record' ? [...written.fields.keys()] : [];
  const { sheets, sort, unique } = write;
  if (sheets !== undefined && format !== 'xlsx') {
    const hint = 'end the name of the file with .xlsx, or say format: xlsx';
    problems.add('PB105', write.places.sheets ?? step.at, 'sheets is for a workbook', { hint });
  }
  const named = { sheets: sheets === undefined ? [] : [sheets], unique, sort };
  for (const key of ['sheets', 'unique', 'sort'] as const) {
    for (const name of named[key] ?? []) {
      if (columns.includes(name) || (key === 'sort' && name === sheets)) continue;
      const near = problems.suggest(name, columns);
      const at = write.places[key] ?? step.at;
      problems.add('PB304', at, `unknown column ${JSON.stringify(name)}`, near);
    }
  }
  checkSince(step, problems);
  return written;
}

/** @returns the scope of the whole step, which `if` may use without an item, and that of an item */
function withEach(
  step: Step,
  scope: TypeScope,
  problems: Problems,
): { readonly around: TypeScope; readonly inside: TypeScope; readonly collection?: Type } {
  if (step.forEach === undefined) {
    const inside = withLet(step, scope, problems);
    return { around: inside, inside };
  }
  const written = typeOfTemplate(step.forEach, beforeLet(step, scope), problems);
  const type = step.isMatrix ? matrixType(step.forEach, written, problems) : written;
  if (!['list', 'map', 'record', 'any'].includes(type.kind)) {
    problems.add(
      'PB305',
      step.forEach.at,
      `for-each expects a list or a map, found ${typeName(type)}`,
    );
  }
  const inside = withLet(step, plus(scope, { each: eachType(type) }), problems);
  const own = inside.roots.get('let');
  return { around: own ? plus(scope, { let: own }) : scope, inside, collection: type };
}
