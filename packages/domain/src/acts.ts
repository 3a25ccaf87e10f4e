import { dayOf, type Instant } from './new-york.ts'

/*
 * Two people for every payment. An act of pay that decides about money is done by somebody who had no hand in what it
 * decides about. "Somebody" is a person: an account, and everybody who could have acted as its holder.
 */

/** What can be done to somebody else's account, and how long whoever did it counts as one person with its holder. */
export const accountHands = {
  made: { until: 'own password', days: 7, did: 'made the account', had: 'had the account made by' },
  password: {
    until: 'own password',
    days: 7,
    did: 'set the password of',
    had: 'had the password set by',
  },
  email: {
    until: 'own password',
    days: 7,
    did: 'set the email address of',
    had: 'had the email address set by',
  },
  /** Not theirs yet: it counts once its link is opened. */
  'new email': {
    until: 'own password',
    days: 7,
    did: 'entered an email address for',
    had: 'had an email address entered by',
  },
  username: {
    until: 'own password',
    days: 7,
    did: 'set the username of',
    had: 'had the username set by',
  },
  /** Whoever sends or copies an invitation could open it themselves. */
  invited: { until: 'own password', days: 7, did: 'invited', had: 'was invited by' },
  pay: { until: 'then', days: 7, did: 'granted PAY to', had: 'had PAY granted by' },
  'signed in as': { until: 'then', days: 30, did: 'signed in as', had: 'had the account used by' },
  revealed: {
    until: 'then',
    days: 30,
    did: 'revealed the password of',
    had: 'had the password revealed by',
  },
  /** Without a click that says who did: the list of admins shows passwords to every superadmin. */
  readable: {
    until: 'own password',
    days: 7,
    did: 'could read the password of',
    had: 'had a password that could be read by',
  },
  device: {
    until: 'then',
    days: 30,
    did: 'signed in on the same device as',
    had: 'signed in on the same device as',
  },
} as const satisfies Record<
  string,
  {
    /** From when the days count: from the act, or from when the holder sets a password that its doer can't know. */
    until: 'then' | 'own password'
    days: number
    /** “Ann *set the password of* Bea.” */
    did: string
    /** “Bea *had the password set by* Ann.” The words follow “You” as well. */
    had: string
  }
>

export type AccountHand = keyof typeof accountHands

export const DAY_MS = 24 * 60 * 60_000

/**
 * What is done to an account in its holder's name. `changed password` and `own email` are by whoever knew the password,
 * `mailed password` by whoever read a mail to the account, `operator password` from the command line, from where `operator
 * factor` removed the second factor. `recovered factor` is by whoever had a recovery code. `own password` is one
 * that nobody asks about: of an account without an address, and from before these were told apart.
 */
const ownDeeds = [
  'own password',
  'changed password',
  'mailed password',
  'operator password',
  'operator factor',
  'recovered factor',
  'own email',
] as const
export type OwnDeed = (typeof ownDeeds)[number]

/** What became of a second factor without it, after which the account approves nothing for some days: “Ann …”, “You …”. */
export const factorResets = {
  'operator factor': 'had the second factor removed by the operator',
  'recovered factor': 'changed a second factor or its recovery codes with a recovery code',
} as const satisfies Partial<Record<OwnDeed, string>>
export type FactorReset = keyof typeof factorResets

export const isFactorReset = (kind: AccountHand | OwnDeed): kind is FactorReset =>
  kind in factorResets

/** How long an account approves nothing then. */
export const FACTOR_RESET_DAYS = 7

/** Those by which a holder has set a password. */
export const ownPasswords = [
  'own password',
  'changed password',
  'mailed password',
] as const satisfies OwnDeed[]

/** What was done to an account, by somebody else or in its holder's name. */
export type AccountDeed = { kind: AccountHand | OwnDeed; by: number; at: Date }

export const isHand = (kind: AccountHand | OwnDeed): kind is AccountHand =>
  !ownDeeds.some((own) => own === kind)

/**
 * When a hand ends; null if only the holder can end it, by a password that its doer can't know.
 *
 * @param deeds everything that was done to the account, oldest first.
 */
export function handEnds(
  { kind, by, at }: AccountDeed & { kind: AccountHand },
  deeds: readonly AccountDeed[],
): Date | null {
  const { until, days } = accountHands[kind]
  const from =
    until === 'then' ? at : deeds.find((deed) => deed.at > at && frees(deed, by, deeds))?.at
  return from ? new Date(from.getTime() + days * DAY_MS) : null
}

/** Whether a password was set in the holder's name by somebody other than this doer. */
function frees(deed: AccountDeed, doer: number, deeds: readonly AccountDeed[]): boolean {
  const before = knowledgeOf(doer, deeds.slice(0, deeds.indexOf(deed)))
  switch (deed.kind) {
    case 'own password':
      return true
    case 'changed password':
      return before.password !== 'knows'
    case 'mailed password':
      return !before.readsMail
    default:
      return false
  }
}

/**
 * What somebody may know of an account after these deeds. `as maker`: they gave it its first password, or a link to it. Its holder is
 * trusted to be another one once they have changed it, or no network could begin.
 */
function knowledgeOf(doer: number, deeds: readonly AccountDeed[]) {
  let password: 'no' | 'as maker' | 'knows' = 'no'
  let readsMail = false
  for (const { kind, by } of deeds) {
    const isTheirs = by === doer
    if ((kind === 'made' || kind === 'invited') && isTheirs)
      [password, readsMail] = ['as maker', true]
    // The address before it still counts, so whoever reads that goes on to.
    else if (kind === 'new email' && isTheirs) readsMail = true
    else if (kind === 'password') password = isTheirs ? 'knows' : 'no'
    else if ((kind === 'revealed' || kind === 'readable') && isTheirs) password = 'knows'
    else if (kind === 'email') readsMail = isTheirs
    // Whoever knows the password may have moved the mails, or set the next one.
    else if (kind === 'own email') readsMail = password === 'knows'
    else if (kind === 'changed password' && password === 'as maker') password = 'no'
    else if (kind === 'mailed password') password = readsMail ? 'knows' : 'no'
    else if (kind === 'operator password' || kind === 'own password') password = 'no'
  }
  return { password, readsMail }
}

/** What people do to what somebody else decides about later. The words follow “You …” and “Ann …”. */
const deeds = {
  prepared: 'prepared this run',
  held: 'changed the hold of {of}',
  adjusted: 'entered or took back an adjustment of {of}',
  'paid outside': 'entered a payment to {of} outside payment runs',
  received: 'entered money received from {of}',
  converted: 'converted a balance of {of}',
  'set rate': 'set the exchange rate of {of}',
  'set tax': 'entered the withholding tax of {of}',
  backdated: 'backdated rates of sales of {of}',
  'set rates': 'set rates of sales of {of}',
  'changed site': 'changed what decides pay at {of}',
  'changed bonus': 'changed the bonus of {of}',
  'changed settings': 'changed the settings of pay from {of} on',
  'moved agent': 'moved {of} to another office',
  confirmed: 'confirmed the account of {of} since the last payment to it',
  'changed template': 'changed the bank template of this run',
  failed: 'entered by hand that a transfer to {of} failed',
  'read failed': 'read the result file in which a transfer to {of} failed',
  returned: 'entered by hand that a transfer to {of} came back',
  'read returned': 'read the result file by which a transfer to {of} came back',
  'entered account': 'entered this account',
  'confirmed account': 'confirmed this account',
  'is payee': 'is its payee',
  proposed: 'entered it',
} as const

export type Deed = keyof typeof deeds

/** @param of what or whom it was about: a payee, a period, a site. */
export const deedInWords = (deed: Deed, of: string): string => deeds[deed].replace('{of}', of)

/**
 * What a second person may have approved. Then two people have decided about it, and it bars neither of them: it bars if one did
 * it alone.
 */
export const deedsOfTwo = [
  'adjusted',
  'paid outside',
  'received',
  'converted',
  'set rate',
  'set tax',
  'failed',
  'returned',
] as const satisfies Deed[]

/** The one table: an act, and the deeds whose doers may not do it. */
export const acts = {
  'approve run': [
    'prepared',
    'held',
    'adjusted',
    'paid outside',
    'received',
    'converted',
    'set rate',
    'set tax',
    'backdated',
    'set rates',
    'changed site',
    'changed bonus',
    'changed settings',
    'moved agent',
    'confirmed',
    'changed template',
    'failed',
    'read failed',
    'returned',
    'read returned',
  ],
  'confirm account': ['entered account', 'confirmed account', 'is payee'],
  'approve adjustment': ['proposed'],
  'approve exchange rate': ['proposed'],
  'approve result': ['proposed'],
  'approve return': ['proposed'],
  'approve refused file': ['proposed'],
  'approve payment outside': ['proposed'],
  'approve money received': ['proposed'],
  'approve correction': ['proposed'],
  'approve conversion': ['proposed'],
  'approve tax rate': ['proposed'],
  'approve limits': ['proposed'],
} as const satisfies Record<string, readonly Deed[]>

export type Act = keyof typeof acts

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `25 Nov 2026`, New York time: the format of days within sentences. */
export function dayInWords(instant: Instant): string {
  const [year = '', month, day] = dayOf(instant).split('-')
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`
}
