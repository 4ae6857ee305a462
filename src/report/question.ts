/** The question of a step to people, as text: its words, and every effect that it lets go. */
import { count, listed, plainText, spoken } from '../base/text.ts';
import { isRecord, type Json } from '../base/json.ts';
import { isOperation } from '../exchange/api/operations/index.ts';
import { answersIn } from '../engine/journal/people-answers.ts';
import type { LetGo } from '../engine/journal/asked-schema.ts';
import type { Entry, Outcome } from '../engine/journal/entry.ts';
import { onAccounts } from './accounts.ts';
import { localWords, moment, plannedWords } from './words.ts';

type Asked = Extract<Entry, { readonly kind: 'asked' }>;

/** An effect that an approval lets go. */
export interface LetGoLine {
  readonly address: string;
  readonly text: string;
}

/** The effects that an approval lets go, in their order. */
export function letGoLines({ effects }: Pick<Asked, 'effects'>): readonly LetGoLine[] {
  return effects.map((effect) => ({
    address: plainText(effect.address, 120),
    text: `${wordsFor(effect)}${onAccounts([effect])}${laterWords(effect)}`,
  }));
}

function wordsFor({ address, uses, input }: LetGo): string {
  if (input === undefined) return plainText(uses, 80);
  if (isOperation(uses)) return plannedWords({ address, operation: uses, input });
  return localWords({ input }) || `${plainText(uses, 80)}: ${noticeText(input)}`;
}

function noticeText(input: Json): string {
  const text = isRecord(input) ? input['text'] : undefined;
  return plainText(typeof text === 'string' ? text : JSON.stringify(input), 300);
}

function laterWords({ after, input }: LetGo): string {
  if (after === undefined) return '';
  const what = input === undefined ? 'what it sends' : 'whether it is sent';
  return `; ${what} is known after ${plainText(after, 80)}`;
}

/** The answer to a question in words, or that it waits for one: `approved by ben@desk.example`. */
export function answerWords(asked: Asked, outcome: Outcome | undefined): string {
  if (outcome === undefined) {
    return `waits for approval by ${peopleWords(asked)} until ${moment(asked.until)} UTC`;
  }
  return outcome.kind === 'done' ? approvedWords(outcome.output) : '';
}

/** Who approved, by the output of the step; '' for the output of any other. */
export function approvedWords(output: Json): string {
  const names = answersIn(output).map(({ who }) => plainText(who, 100));
  return names.length === 0 ? '' : `approved by ${listed(names)}`;
}

/** The people who may answer, in words: `by 2 people, of ann@desk.example or ben@desk.example`. */
export function peopleWords({
  by,
  of,
  count: least = 1,
}: Pick<Asked, 'by' | 'of' | 'count'>): string {
  const number = least === 1 ? 'one person' : count(least, 'person', 'people');
  const whom = of === undefined ? '' : `, of ${plainText(listed(of, 'or'), 300)}`;
  const other = by === 'other' ? ' who did not write or start it' : '';
  return `${number}${other}${whom}`;
}

/** A question as a person reads it who answers it. */
export interface ShownQuestion {
  readonly run: string;
  readonly playbook: string;
  readonly asked: Asked;
  /** Who may answer: the rules of the profile and of the step. */
  readonly rules: Pick<Asked, 'by' | 'of' | 'count'>;
  /** The time that is left. */
  readonly left: number;
}

export function questionLines({
  run,
  playbook,
  asked,
  rules,
  left,
}: ShownQuestion): readonly string[] {
  const { address, text, until, destination } = asked;
  const time = `until ${moment(until)} UTC, ${spoken(left)} left`;
  const where = `${plainText(destination.profile, 60)} at ${plainText(destination.host, 200)}`;
  const effects = letGoLines(asked).map((line) => `  ${line.address}  ${line.text}`);
  return [
    `${plainText(playbook, 80)}, run ${plainText(run, 80)}, account ${where}`,
    `${plainText(address, 120)} asks ${peopleWords(rules)}, ${time}:`,
    ...text.split('\n').map((line) => `  ${plainText(line, 1000)}`),
    ...(effects.length === 0
      ? ['nothing that follows has an effect on the exchange, or outside of this machine']
      : ['what it lets go:', ...effects]),
  ];
}
