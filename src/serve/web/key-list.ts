/** The list of keys. */

/** The keyboard shortcuts and their meanings, for the help. */
export const keys: readonly (readonly [key: string, meaning: string])[] = [
  ['/', 'Filter'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['n p', 'Next and previous page of a list'],
  ['1 … 9', 'A tab of the page'],
  ['a', 'The first action of the page'],
  ['g r', 'Runs'],
  ['g o', 'Orders'],
  ['g e', 'Events'],
  ['g p', 'Plans to approve'],
  ['g b', 'Playbooks'],
  ['g s', 'Schedules'],
  ['g a', 'Accounts'],
  ['g x', 'Sandbox'],
  ['?', 'These keys'],
];
