/** The table of plans that machines share. */
export const planTable = `
  create table deskhand.plan (
    id text primary key,
    text text not null, -- the sealed file
    made timestamptz not null
  );
`;
