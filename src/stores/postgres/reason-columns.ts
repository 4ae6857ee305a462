/** Columns for the reason why a job that was given back waits, and why a worker takes nothing. */
export const reasonColumns = `
  alter table deskhand.job
    add column wait text, -- JSON
    add column waits_for text; -- the run that has one of its accounts
  alter table deskhand.worker add column pause text; -- JSON
`;
