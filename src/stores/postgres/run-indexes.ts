/** Indexes that find the runs of an account: most runs have only one account, their first. */
import { isUnidentified } from './row.ts';

export const runIndexes = `
  create index run_account on deskhand.run ((accounts #>> '{0,id}'), ended);
  create index run_key on deskhand.run ((accounts #>> '{0,alias}'), ended);
  create index run_several on deskhand.run (ended) where jsonb_array_length(accounts) > 1;
  create index run_unidentified on deskhand.run (playbook) where ${isUnidentified};
  `;
