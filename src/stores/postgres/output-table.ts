/** The table of the files that runs wrote; another content of a path is another copy. */
export const outputTable = `
  create table deskhand.output (
    run text not null,
    path text not null,
    sha256 text not null, -- of the whole file, as its journal has it
    part int not null,
    bytes int not null,
    data bytea not null,
    primary key (run, path, sha256, part)
  );
  `;
