/** Defects of steps that wait for approvals. */
import { mutant, type Mutant } from './mutant.ts';

export const approvalMutants: readonly Mutant[] = [
  mutant(
    'a step starts although its approval was declined',
    'engine/interpreter/approve-step.ts',
    "    if (result?.status !== 'done' && !isSkipped) return id;\n",
    '    if (result === undefined && isSkipped) return id;\n',
    'engine/interpreter/approve',
  ),
  mutant(
    'what is sent is not compared with what was approved',
    'engine/interpreter/approve-step.ts',
    '    if (difference === undefined) continue;\n',
    '    if (difference !== undefined) continue;\n',
    'engine/interpreter/approve',
  ),
  mutant(
    'a resumed run asks with a new end',
    'engine/effects/ask-people.ts',
    '  const { asked: before } = attempt.before;\n',
    '  const before = attempt.before.asked && undefined;\n',
    'engine/interpreter/approve',
  ),
  mutant(
    'a declined question is asked again',
    'engine/journal/decisions.ts',
    '      if (isUnapproved(provenAt(known, path).outcome)) return failures.at(-1)?.attempt;\n',
    '',
    'engine/interpreter/approve',
  ),
  mutant(
    'an approval of another question counts',
    'engine/approval/answer-record.ts',
    '  if (digest !== asked.digest || until !== asked.until) {\n',
    '  if (digest === undefined || until === undefined) {\n',
    'app/answering',
  ),
  mutant(
    'a recorded approval of another machine is believed',
    'app/answering/signed-answers.ts',
    "      if (config.state.store === 'local') return;\n",
    "      if (config.state.store !== 'postgres') return;\n",
    'app/answering',
  ),
];
