/** Columns that mark runs whose records were removed, and indexes that find old rows. */
export const retentionColumns = `
  alter table deskhand.run
    add pruned timestamptz, -- since then no process takes it, and its plan stays used
    add emptied timestamptz; -- since then it has no lines and no files
  create index run_pruned on deskhand.run (id) where pruned is not null and emptied is null;
  create index job_ended on deskhand.job (ended)
    where ended is not null and (kind = 'plan' or body <> 'null');
  create index plan_made on deskhand.plan (made);
`;
