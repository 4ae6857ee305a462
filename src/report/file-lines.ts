/** The files a run wrote, as data. */
import type { Millis } from '../base/clock.ts';
import { plainText } from '../base/text.ts';
import type { ColumnException } from '../engine/export/survey.ts';
import { accountField, type OnAccount } from './accounts.ts';
import type { Story } from './story.ts';

export interface FileLine extends OnAccount {
  readonly step: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly pages: number;
  readonly sha256: string;
  /** The time range that the rows of the file cover. */
  readonly range?: { readonly from: Millis; readonly to: Millis };
  /** Columns with values that are not of the column's type. */
  readonly exceptions?: readonly ColumnException[];
  readonly clamped?: { readonly asked: Millis; readonly from: Millis };
  /** The rows that a run with `since: last` added to the file. */
  readonly continued?: {
    readonly from?: Millis;
    readonly added: number;
    readonly replaced: number;
    readonly gaps?: readonly { readonly from: Millis; readonly to: Millis }[];
  };
}

/** The files a run wrote. */
export function filesOf(story: Story): FileLine[] {
  return story.steps.flatMap(({ files }) =>
    files.map(
      ({
        step,
        account,
        file,
        rows,
        bytes,
        pages,
        sha256,
        range,
        exceptions,
        clamped,
        continued,
      }) => ({
        step: plainText(step, 60),
        ...accountField(account),
        file: plainText(file, 160),
        rows,
        bytes,
        pages,
        sha256: plainText(sha256, 64),
        ...(range && { range }),
        ...(exceptions && { exceptions }),
        ...(clamped && { clamped }),
        ...(continued && { continued }),
      }),
    ),
  );
}
