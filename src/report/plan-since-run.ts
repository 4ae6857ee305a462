/** The differences between a plan and an earlier run of its playbook, line by line. */
import { operationOf } from '../exchange/api/operations/index.ts';
import { isJsonRecord, type Json } from '../base/json.ts';
import { plainText } from '../base/text.ts';
import type { Destination, Entry } from '../engine/journal/entry.ts';
import { isWrite } from '../engine/plan/effect.ts';
import type { Plan } from '../engine/plan/plan.ts';
import { valueDifferences } from '../engine/plan/value-differences.ts';
import { differentLines, plannedLines, type ChangedLine } from './plan-changes.ts';
import { storyOf, type Story } from './story.ts';
import { plannedWords } from './words.ts';

/** The differences in text, account and inputs, then those of the writes. @param entries a whole journal */
export function changesSinceRun(entries: readonly Entry[], plan: Plan): readonly ChangedLine[] {
  const story = storyOf(entries);
  const { playbook, destination, inputs } = story.started;
  const isOtherText = playbook.digest !== plan.playbook.digest;
  return [
    ...(isOtherText ? [{ sign: '~', text: 'the text of the playbook' } as const] : []),
    ...accountChange(destination, plan.destination),
    ...inputChanges(inputs, plan.inputs),
    ...differentLines(writtenLines(story), plannedLines(plan, isWrite)),
  ];
}

function accountChange(before: Destination, after: Destination): readonly ChangedLine[] {
  const words = ({ profile, target }: Destination): string => `${plainText(profile)}, ${target}`;
  const [was, is] = [words(before), words(after)];
  return was === is ? [] : [{ sign: '~', text: `account: ${is}`, was }];
}

const valueMax = 300; // characters of an input

function inputChanges(before: Json | undefined, after: Json | undefined): readonly ChangedLine[] {
  const [was, is] = [before, after].map((each) =>
    each !== undefined && isJsonRecord(each) ? each : {},
  );
  return valueDifferences('input', was, is).map(({ path, was: old, is: now }): ChangedLine => {
    const name = plainText(path, 120);
    const text = now === undefined ? name : `${name}: ${plainText(now, valueMax)}`;
    if (old === undefined) return { sign: '+', text };
    if (now === undefined) return { sign: '-', text: `${name}: ${plainText(old, valueMax)}` };
    return { sign: '~', text, was: plainText(old, valueMax) };
  });
}

/** The lines that the run wrote, or tried to, by address. */
function writtenLines({ steps }: Story): ReadonlyMap<string, string> {
  const writes = steps.flatMap(({ actions }) =>
    actions.filter(
      ({ operation, intents }) =>
        intents.length > 0 && operation !== undefined && operationOf(operation).effect !== 'read',
    ),
  );
  return new Map(
    writes.map((action) => {
      const where = action.account === undefined ? '' : ` on ${plainText(action.account)}`;
      return [action.address, `${plannedWords(action)}${where}`];
    }),
  );
}
