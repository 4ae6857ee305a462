/** The steps of a run that wait for an approval: what each lets go, with approve and decline by a passkey. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { read, write, type Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { signed, whyNot } from '../passkey.ts';
import { DecisionForm, type Given, type Verdict } from './decision-form.tsx';
import { Failed, Panel } from './panel.tsx';
import { mayNot, missingPasskey, OnCommandLine } from './plan-decision.tsx';
import { Ago, In } from './time.tsx';

type Question = Answer<'GET /runs/{run}/questions'>['questions'][number];

interface Place {
  readonly run: string;
  readonly desk: string;
}

export function Questions({ run, desk }: Place): JSX.Element {
  const { answer, failure } = useLoaded(
    'GET /runs/{run}/questions',
    { run, ...(desk !== '' && { desk }) },
    (notice) => notice.kind === 'run' && notice.run === run,
    1_000,
  );
  return (
    <>
      <Failed failure={failure} />
      {answer?.questions.map((question) => (
        <One key={question.digest} question={question} run={run} desk={desk} />
      ))}
    </>
  );
}

function One({ question, ...place }: { readonly question: Question } & Place): JSX.Element {
  const { step, text, until, people, effects, approved, notes, trouble } = question;
  return (
    <Panel id={`question-${step}`} title={`Approve ${step}`} tone="warn">
      <p>
        <b>{text}</b>
      </p>
      <p class="dim">
        It asks {people}. Its time ends <In at={until} />.{' '}
        {approved.length > 0 &&
          `It has ${approved.length} of ${count(question.count, 'approval')}.`}
      </p>
      {effects.length === 0 ? (
        <p>Nothing that follows has an effect outside of the run.</p>
      ) : (
        <dl class="definitions">
          {effects.map((effect) => (
            <div>
              <dt>
                <code>{effect.address}</code>
              </dt>
              <dd>{effect.text}</dd>
            </div>
          ))}
        </dl>
      )}
      {trouble !== undefined && <p class="notice">{trouble}</p>}
      <ul class="lines">
        {approved.map(({ who, key, at }) => (
          <li>
            approved by {who} <Ago at={at} /> <code class="dim">{key}</code>
          </li>
        ))}
        {notes.map((note) => (
          <li class="dim">{note}</li>
        ))}
      </ul>
      <Decide question={question} {...place} />
    </Panel>
  );
}

function Decide({ question, ...place }: { readonly question: Question } & Place): JSX.Element {
  const { answer: about } = useLoaded('GET /about', {}, () => false);
  if (about === undefined) return <p role="status">…</p>;
  const reason = mayNot(about) ?? whyNot() ?? missingPasskey(question.passkeys);
  return reason === undefined ? (
    <AnswerForm question={question} {...place} />
  ) : (
    <OnCommandLine view={question} reason={reason} />
  );
}

function AnswerForm({ question, ...place }: { readonly question: Question } & Place): JSX.Element {
  const [isDone, setDone] = useState(false);
  if (isDone) return <p role="status">Saved. The run takes it within a second.</p>;
  return (
    <DecisionForm
      account={question}
      label="Approve"
      decide={async (verdict, given) => {
        await recorded(verdict, question, place, given);
        setDone(true);
      }}
    />
  );
}

/**
 * The record of an answer. It is offered by the server and checked here: it must be about the question that is
 * shown. The passkey signs its text, so that nothing else can be made of it.
 */
async function recorded(
  verdict: Verdict,
  { step, digest }: Question,
  { run, desk }: Place,
  { comment, typed }: Given,
): Promise<void> {
  const which = { run, ...(desk !== '' && { desk }) };
  const said = comment.trim() === '' ? {} : { comment: comment.trim() };
  const offer = await read('GET /runs/{run}/answer', { ...which, step, verdict, ...said });
  const named = JSON.parse(offer.record) as Readonly<Record<string, unknown>>;
  if (
    named['digest'] !== digest ||
    named['verdict'] !== verdict ||
    named['run'] !== run ||
    named['step'] !== step
  ) {
    throw new Error('the question has changed since it was shown; load the page again');
  }
  const assertion = await signed(offer.record, offer.passkeys);
  const confirm = typed === '' ? {} : { confirm: typed };
  await write('POST /runs/{run}/answer', which, { record: offer.record, assertion, ...confirm });
}
