/** The causes that need a person: one line for each, with its age, its action, and a way to acknowledge it. */
import type { JSX } from 'preact';
import { count } from '../../../base/text.ts';
import { write, type Answer } from '../api.ts';
import { planPath, runPath } from '../router.ts';
import { useMayAct } from '../who.ts';
import { inZone } from '../zone.ts';
import { Action } from './action.tsx';
import { Copied } from './copy.tsx';
import { paged } from './pager.tsx';
import { Panel } from './panel.tsx';
import { Pill } from './pill.tsx';
import { Ago } from './time.tsx';

type HomeAnswer = Answer<'GET /home'>;
type Need = HomeAnswer['needs'][number];

export function Needs({
  needs,
  moreNeeds,
  acknowledged,
}: Pick<HomeAnswer, 'needs' | 'moreNeeds' | 'acknowledged'>): JSX.Element | null {
  const mayAct = useMayAct('operator');
  if (needs.length === 0 && acknowledged.length === 0) return null;
  const { shown, pager } = paged(needs, 'needs');
  return (
    <Panel id="needs" title={needs.length === 0 ? 'Nothing needs you' : 'Needs you'}>
      <ul class="needs">
        {shown.map((need) => (
          <NeedLine key={`${need.desk} ${need.cause}`} need={need} mayAct={mayAct} />
        ))}
      </ul>
      {pager}
      {moreNeeds > 0 && (
        <p class="dim">
          {moreNeeds} more need you: they are listed when these are settled or acknowledged.
        </p>
      )}
      <Acknowledged acknowledged={acknowledged} />
    </Panel>
  );
}

function NeedLine({
  need,
  mayAct,
}: {
  readonly need: Need;
  readonly mayAct: boolean;
}): JSX.Element {
  const { kind, label, title, text, at, action, command, desk, cause } = need;
  return (
    <li>
      <Pill tone={tones[kind]} text={label} />
      <div>
        <a href={placeOf(need)} data-row>
          {title}
        </a>{' '}
        <span class="dim">
          {inZone(text)} {at !== undefined && <Ago at={at} />}
        </span>
        {command !== undefined && action === undefined && (
          <div>
            <Copied text={command} />
          </div>
        )}
      </div>
      <div class="does">
        {action !== undefined && (
          <a class="button" href={placeOf(need)} aria-label={`${action} ${title}`}>
            {action}
          </a>
        )}
        {mayAct && (
          <Action
            label="Acknowledge"
            does="Acknowledge with this reason"
            about={title}
            act={async ({ press }, fieldOf) => {
              const reason = fieldOf('reason');
              await write('POST /needs/acknowledge', {}, { press, cause, desk, reason });
              return [];
            }}
          >
            <p>It leaves this list until it changes. Nothing is settled, resumed or approved.</p>
            <label>
              Why nothing more is done
              <input type="text" name="reason" maxLength={500} autocomplete="off" required />
            </label>
          </Action>
        )}
      </div>
    </li>
  );
}

function Acknowledged({ acknowledged }: Pick<HomeAnswer, 'acknowledged'>): JSX.Element | null {
  if (acknowledged.length === 0) return null;
  const { shown, pager } = paged(acknowledged, 'acknowledged');
  return (
    <details>
      <summary>{count(acknowledged.length, 'need')} acknowledged</summary>
      <ul class="plain">
        {shown.map(({ title, label, who, at, reason }) => (
          <li>
            {title}, {label}: {reason}{' '}
            <span class="dim">
              {who} <Ago at={at} />
            </span>
          </li>
        ))}
      </ul>
      {pager}
    </details>
  );
}

const tones = {
  doubt: 'doubt',
  damaged: 'bad',
  unfinished: 'warn',
  approval: 'warn',
  missed: 'bad',
  drift: 'warn',
} as const;

function placeOf({ kind, run, plan, desk }: Need): string {
  if (run !== undefined) return runPath(run, desk);
  if (plan !== undefined) return planPath(plan, desk);
  return kind === 'drift' ? '/accounts' : '/schedules';
}
