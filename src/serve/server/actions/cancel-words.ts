/** The result of a request to stop a job, in words. */
import { shellWord } from '../../../base/text.ts';
import { stopWords } from '../../../report/next.ts';
import type { JobStop } from '../../../app/queue/cancel.ts';

export function cancelWords(job: string, done: Exclude<JobStop, 'unknown'>): readonly string[] {
  switch (done) {
    case 'ended':
      return [`${job} has already ended`];
    case 'cancelled':
      return [
        `${job} is cancelled; no worker had it`,
        'queue its plan again with: deskhand run PLAN --queue',
      ];
    case 'plan cancelled':
      return [`${job} is cancelled; a plan sends nothing`];
    case 'rest cancelled':
      return [`${job} is cancelled; no worker had it then`, ...waysOn(job)];
    case 'stopping':
      return [`${job} ${stopWords}`, ...waysOn(job)];
  }
}

function waysOn(job: string): readonly string[] {
  return [
    `continue it later: deskhand resume ${shellWord(job)} --queue`,
    'if it had not begun, queue its plan again: deskhand run PLAN --queue',
  ];
}
