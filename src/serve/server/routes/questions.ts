/** Routes of the steps of a run that wait for an approval: show, offer the record to sign, and save a signed
 * one. Every check is that of `approve` and `decline`; the server signs nothing.
 */
import { offeredPasskeys } from '../../../engine/approval/offer.ts';
import { answerIn } from '../../../engine/approval/answer-record.ts';
import { assertionOf } from '../../../engine/approval/passkey/assertion.ts';
import { partsOf } from '../../../engine/approval/signed-text.ts';
import { openQuestions, overAt } from '../../../engine/journal/questions.ts';
import { targets } from '../../../engine/journal/shared-schema.ts';
import { choice, integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { plainText, shellWord } from '../../../base/text.ts';
import {
  answerOffer,
  openQuestion,
  saveAnswer,
  type AnswerOffer,
} from '../../../app/answering/decision.ts';
import { configOf } from '../../../app/config/opened.ts';
import { letGoLines, peopleWords } from '../../../report/question.ts';
import { deskOf, type ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../failure.ts';
import { inProcess } from '../in-process.ts';
import { exactRecord, parameter, reads, runParameters, writes } from '../route.ts';
import { moment } from '../shapes.ts';
import { refuseUnconfirmed, signedBy } from './plans.ts';

const verdict = choice(['approve', 'decline']);
const step = parameter('Address of the step', 200);
const comment = optional(text({ description: 'Reason; part of the record', maxLength: 500 }));

const question = record({
  step: text(),
  text: text(),
  digest: text({ description: 'Digest of what is approved' }),
  until: moment('When its time is over, by the machine’s clock'),
  people: text({ description: 'Who may approve, and how many' }),
  effects: list(record({ address: text(), text: text() }), { description: 'What it lets go' }),
  approved: list(record({ who: text(), key: text(), at: moment('When it was signed') })),
  count: integer({ minimum: 1, description: 'Number of approvals' }),
  notes: list(text(), { description: 'Records that do not count' }),
  trouble: optional(text({ description: 'Why nothing can count now' })),
  passkeys: offeredPasskeys,
  profile: text(),
  target: choice(targets),
  command: text({ description: 'The same on the command line' }),
});

export const questions = reads({
  title: 'Show the steps of a run that wait for an approval, and what each lets go',
  role: 'viewer',
  parameters: exactRecord(runParameters),
  answer: record({ questions: list(question) }),
  handle: async ({ parameters: { run, desk: name } }, server) => {
    const desk = deskOf(server, run, name);
    const now = server.clock.now();
    const open = openQuestions(await desk.entries(run)).filter((asked) => overAt(asked) > now);
    const shown = [];
    for (const { address } of open) {
      const offer = await offered(run, address, 'approve', undefined, desk, server);
      shown.push(questionOf(offer));
    }
    return { questions: shown };
  },
});

function questionOf({ run, asked, required, passkeys }: AnswerOffer) {
  const { address, digest, destination } = asked;
  const { approved, notes, trouble, count, by, of } = required;
  const rules = { by, count, ...(of && { of }) };
  return {
    step: plainText(address, 200),
    text: plainText(asked.text, 2_000),
    digest,
    until: overAt(asked),
    people: peopleWords(rules),
    effects: [...letGoLines(asked)],
    approved: approved.map((each) => ({ ...each, who: plainText(each.who, 300) })),
    count,
    notes: [...notes],
    ...(trouble !== undefined && { trouble }),
    passkeys: passkeys.map(({ origins, ...each }) => ({ ...each, origins: [...origins] })),
    profile: destination.profile,
    target: destination.target,
    command: `deskhand approve ${shellWord(run)} ${shellWord(plainText(address, 200))}`,
  };
}

export const questionRecord = reads({
  title: 'Offer the record of an answer: a passkey signs the SHA-256 of its text',
  role: 'approver',
  parameters: exactRecord({ ...runParameters, step, verdict, comment }),
  answer: record({
    record: text({ description: 'The text to sign, with the digest of what is approved' }),
    challenge: text({ description: 'SHA-256 of the text, base64url' }),
    passkeys: offeredPasskeys,
  }),
  handle: async ({ parameters }, server) => {
    const { run, desk: name, verdict: said, comment: why } = parameters;
    const desk = deskOf(server, run, name);
    const words = why === '' ? undefined : why;
    const offer = await offered(run, parameters.step, said, words, desk, server);
    const passkeys = offer.passkeys.map(({ origins, ...each }) => ({
      ...each,
      origins: [...origins],
    }));
    return { record: offer.record, challenge: offer.challenge, passkeys };
  },
});

export const answerQuestion = writes({
  title: 'Save an answer that a passkey signed, if it counts',
  role: 'approver',
  parameters: exactRecord(runParameters),
  body: signedBy,
  answer: record({ verdict, who: text(), key: text(), file: text() }),
  audited: ({ parameters: { run }, body }) => {
    const said = answerIn(body.record);
    return `${said?.verdict ?? 'answer'} ${plainText(said?.step ?? '', 100)} of ${run}`;
  },
  handle: async ({ parameters, body }, server) => {
    const { run } = parameters;
    const desk = deskOf(server, run, parameters.desk);
    const assertion = assertionOf(body.assertion);
    const said = answerIn(body.record);
    const signed =
      assertion === undefined ? undefined : partsOf(`${body.record}${assertion.armoured}`);
    if (said === undefined || signed === undefined) {
      throw new Refusal(400, 'usage', 'this is not a record with the signature of a passkey');
    }
    refuseUnconfirmed(said, body.confirm);
    const entries = await desk.entries(run);
    const saved = await inProcess(desk, server, async (context) => {
      const config = await configOf(context);
      const asked = openQuestion(run, said.step, entries, config, context);
      return saveAnswer(asked, said.verdict, signed, config, context);
    });
    return {
      verdict: saved.verdict,
      who: plainText(saved.who, 300),
      key: plainText(saved.key, 300),
      file: plainText(saved.file, 300),
    };
  },
});

async function offered(
  run: string,
  address: string,
  said: 'approve' | 'decline',
  why: string | undefined,
  desk: Desk,
  server: ServerContext,
): Promise<AnswerOffer> {
  const entries = await desk.entries(run);
  return inProcess(desk, server, async (context) => {
    const config = await configOf(context);
    const asked = openQuestion(run, address, entries, config, context);
    return answerOffer(asked, said, why, config, context);
  });
}
