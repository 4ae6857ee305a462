/** Defects that are planted in our sources one at a time, each with the job in which a relation must find it. */
import { mutant, type Mutant } from '../swarm/mutant.ts';
import { mutants as ofSwarm } from '../swarm/mutants.ts';
import type { Choice } from './features.ts';
import type { Relation } from './finding.ts';

export interface Planted {
  readonly mutant: Mutant;
  readonly relation: Relation;
  /** Where it shows, apart from the plainest job. */
  readonly example: Partial<Choice>;
}

const planted = (
  relation: Relation,
  example: Partial<Choice>,
  ...[name, file, from, to]: readonly [string, string, string, string]
): Planted => ({ mutant: mutant(name, file, from, to), relation, example });

/** One of those that the swarm finds, too. */
function ofOthers(name: string, relation: Relation, example: Partial<Choice>): Planted {
  const found = ofSwarm.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the swarm has no defect ${name}`);
  return { mutant: found, relation, example };
}

export const plantedDefects: readonly Planted[] = [
  planted(
    'language',
    { write: 'each' },
    'a plan names the file of an item without the item',
    'engine/plan/step-files.ts',
    "  if (step.write === undefined || dependsOnItem(step.write.file)) return {};\n  const file = ifKnown(() => placeName(step, scope, '*'));",
    "  if (step.write === undefined) return {};\n  const file = placeName(step, scope, '*');",
  ),
  planted(
    'language',
    { item: 'untyped', given: 'var-file' },
    'numbers of untyped lists become binary numbers',
    'language/inputs.ts',
    "  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;\n",
    "  if (typeof given === 'number') return given;\n",
  ),
  planted(
    'resume',
    {
      item: 'untyped',
      nest: 'orders',
      given: 'default',
      leverage: 'once',
      sub: 'before',
      wait: 'before',
      price: 'late',
      poll: 'orders',
      cancel: 'after',
      report: 'chart',
    },
    'decimals of untyped lists are other values in a resumed run',
    'language/inputs.ts',
    "  if (typeof given === 'number' || isDecimal(given)) return decimalText(numberOf(given));\n",
    "  if (typeof given === 'number' || isDecimal(given)) return numberOf(given);\n",
  ),
  planted(
    'plan',
    { item: 'list', account: 'item', order: 'market', world: 'ticks' },
    'each account reads its own ticker, and the plan keeps one mark',
    'engine/plan/account-context.ts',
    'observerFor(account.exchange, context, { profile, market })',
    'observerFor(account.exchange, context, market && undefined)',
  ),
  planted(
    'plan',
    { guards: 'tight' },
    'Markdown does not say that a plan is blocked',
    'report/markdown/plan-comment.ts',
    "'**This plan cannot run.**'",
    "''",
  ),
  planted(
    'plan',
    {},
    'Markdown counts as created what is set',
    'report/words.ts',
    '`${create} to create`',
    '`${set} to create`',
  ),
  planted(
    'plan',
    { condition: 'input' },
    'a plan skips what a run does',
    'engine/plan/condition.ts',
    '  if (isTrue(condition, scope)) return true;\n',
    '  if (isTrue(condition, scope) && scope.run === undefined) return true;\n',
  ),
  planted(
    'plan',
    { sub: 'before' },
    'the screen of a plan counts orders only',
    'report/terminal/plan-totals.ts',
    '`${totals.create} to create`',
    '`${totals.orders} to create`',
  ),
  planted(
    'plan',
    { leverage: 'before' },
    'the screen of a plan does not count what is set',
    'report/terminal/plan-totals.ts',
    'totals.set > 0 ?',
    'totals.set > 9 ?',
  ),
  planted(
    'plan',
    { account: 'step' },
    'every write goes to the account of the run',
    'engine/effects/effect-context.ts',
    '    const ofAccount = byProfile.get(profile);\n',
    '    const ofAccount = byProfile.get(own.destination.profile) ?? byProfile.get(profile);\n',
  ),
  ofOthers('every attempt has a new clientOid', 'resume', { item: 'maps', key: 'value' }),
  ofOthers('a write of a reused step is sent again', 'again', {}),
  ofOthers('an item that an earlier run did is sent again', 'again', { item: 'list' }),
  planted(
    'once',
    { item: 'list' },
    'an unfinished run does not block the next one',
    'engine/plan/unfinished.ts',
    'if (!canDouble(all) && again.length === 0) return [];',
    'if (again.length >= 0) return [];',
  ),
  planted(
    'once',
    { item: 'maps', key: 'value' },
    'an older run that was resumed does not block the resume of a later one',
    'engine/journal/unfinished.ts',
    'isLater || (signedAt > begun.time && at > begun.at)',
    'isLater',
  ),
  planted(
    'once',
    { once: 'playbook', price: 'mark', world: 'ticks', item: 'list' },
    'a resume places again what a later run placed once per playbook at another price',
    'engine/journal/unfinished.ts',
    '        mayCreate(write.address) &&\n',
    '        !mayCreate(write.address) &&\n',
  ),
  planted(
    'next',
    { failure: 'read' },
    'the command to resume is misspelled',
    'report/next.ts',
    '`deskhand resume ${shellWord(run)}`',
    '`deskhand resumes ${shellWord(run)}`',
  ),
  planted(
    'next',
    {},
    'the command to show a run is misspelled',
    'report/next.ts',
    '`deskhand runs show ${shellWord(run)}`',
    '`deskhand run show ${shellWord(run)}`',
  ),
  planted(
    'plan',
    { item: 'list', account: 'item', nest: 'deep' },
    'a run records no accounts of the items of a step',
    'engine/interpreter/opening.ts',
    '    ...accountsOf(step, owners, context),\n',
    '',
  ),
  planted(
    'next',
    { given: 'var', item: 'list', guards: 'tight' },
    'the command for a new plan lacks the inputs that were given',
    'cli/commands/plan.ts',
    'givenWords(plan.playbook.file, args, context.globals)',
    'shellWord(plan.playbook.file)',
  ),
  planted(
    'plan',
    { leverage: 'before' },
    'the page of a plan omits what is set',
    'serve/server/approvals/plan-view.ts',
    'const lines = planLines(plan);',
    "const lines = planLines(plan).filter(({ kind }) => kind !== 'set');",
  ),
  planted(
    'plan',
    { guards: 'tight' },
    'the table of a comment does not say that a plan is blocked',
    'report/markdown/branch-plans.ts',
    'isBroken ? signs.bad.drawn : signs.good.drawn',
    'signs.good.drawn',
  ),
  planted(
    'elsewhere',
    { item: 'list' },
    'orders are sent before other machines can know of them',
    'stores/git/gate.ts',
    'await known.opening;\n      await publishUpTo(seq, signedAt);',
    'await known.opening;\n      void seq;',
  ),
  planted(
    'resume',
    { item: 'list', failure: 'unfit' },
    'a resume is refused for what its run finds out at its place',
    'engine/plan/planner.ts',
    'if (options.earlier === undefined) context.problems.refuse();',
    'context.problems.refuse();',
  ),
  planted(
    'elsewhere',
    { item: 'list' },
    'a plan on another machine does not know of what a lost one may have sent',
    'stores/git/store.ts',
    '      for (const claim of claims) await noteIfLost(claim, tree, stateDir);\n',
    '',
  ),
  planted(
    'answers',
    { write: 'ndjson', order: 'market', item: 'maps' },
    'a number where a text is declared is exported as JavaScript reads it',
    'exchange/api/carried.ts',
    'return isOfTime ? timeIn(String(value)) : String(value);',
    'return isOfTime ? timeIn(String(value)) : String(rounded);',
  ),
  planted(
    'language',
    { family: 'classic' },
    'a test of a playbook does not know the family of its account',
    'rehearsal/tests/world.ts',
    '  if (!Object(quirks).splitFamilies) return {};\n',
    '  if (quirks !== undefined) return {};\n',
  ),
  planted(
    'plan',
    { item: 'list', cancel: 'after', family: 'unified', placing: 'trade', setting: 'account' },
    'an order that rests counts as cancelled',
    'engine/effects/end-order.ts',
    'if (order === undefined || isResting(order)) return undefined;',
    'if (order === undefined) return undefined;',
  ),
  planted(
    'changed',
    { key: 'composed', nest: 'orders', onError: 'continue' },
    'an item that was done and is no longer among the items is sent again under its other key',
    'engine/plan/reused-item.ts',
    "  if (item === undefined) return 'is not among the items of the step now';\n",
    '  if (item === undefined) return undefined;\n',
  ),
  planted(
    'changed',
    { key: 'composed', needs: 'orders' },
    'a refusal counts no order that it advises to send again',
    'engine/runtime/written-by.ts',
    "  if (again.length === 0 || started?.kind !== 'started') return '';",
    "  if (again.length >= 0 || started?.kind !== 'started') return '';",
  ),
  planted(
    'changed',
    {},
    'a plan counts no order of the earlier run in what it executes again',
    'engine/runtime/written-by.ts',
    '  return [...reusedWrites(entries), ...writesIn(entries)].filter(isExecuted(kept));',
    '  return [...reusedWrites(entries), ...writesIn([])].filter(isExecuted(kept));',
  ),
  planted(
    'changed',
    {},
    'doctor does not name a doubt of a run that was set aside',
    'app/doctor/earlier-runs.ts',
    '    if (doubts === 0) return undefined;\n',
    '    if (doubts >= 0) return undefined;\n',
  ),
];
