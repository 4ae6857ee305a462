/** The table of summaries: one for each run that ended, made from the record with that end. */
export const summaryTable = `
  create table deskhand.summary (
    run text primary key,
    version int not null,
    lines int not null, -- of the record that it was made from
    link text not null, -- of the last of these lines
    text text not null
  );
`;
