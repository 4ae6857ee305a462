/** How a rule is written down. */

/** Its title, its reason, and an example of what breaks it and of what keeps it. */
type RuleRow = readonly [title: string, explanation: string, bad: string, good: string];

export type RuleRows = Readonly<Record<`PB${number}`, RuleRow>>;
