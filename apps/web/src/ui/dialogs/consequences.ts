/** What a change stops, what goes on, and who can still sign in. */
export const consequences = {
  'agent suspended': [
    'Their links stop at once: visitors get a page that says so.',
    'What they have earned stays payable. Sales of earlier clicks still count, are marked in the sale log, and are listed before a period is closed.',
    'They can still sign in, unless their login is disabled.',
  ],
  'office suspended': [
    'The links of all its agents stop at once: visitors get a page that says so.',
    'What was earned stays payable. Sales of earlier clicks still count, and are marked in the sale log.',
    'The office and its agents can still sign in.',
  ],
  'site suspended': [
    'Its visitors get a page that says so.',
    'The merchant’s postbacks are still taken: sales of earlier clicks count and stay payable.',
    'Nobody’s sign-in changes.',
  ],
  'agent login disabled': [
    'They are signed out at once, and can’t sign in until it is enabled again.',
    'Their links go on, and their sales count and stay payable.',
  ],
  'fraud flag cleared': [
    'What was held back for them is taken back. Above its limit, this waits for a second person.',
    'Their status stays as it is: if they are suspended, activate them next.',
  ],
} as const satisfies Record<string, readonly string[]>

export type Consequence = keyof typeof consequences
