/** The definition of a rule. */

/** The title of a rule, its reason, and a wrong and a right example. */
type RuleRow = readonly [title: string, explanation: string, bad: string, good: string];

export type RuleRows = Readonly<Record<`PB${number}`, RuleRow>>;
