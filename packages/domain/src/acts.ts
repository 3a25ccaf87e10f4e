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
  username: {
    until: 'own password',
    days: 7,
    did: 'set the username of',
    had: 'had the username set by',
  },
  pay: { until: 'then', days: 7, did: 'granted PAY to', had: 'had PAY granted by' },
  'signed in as': { until: 'then', days: 30, did: 'signed in as', had: 'had the account used by' },
  revealed: {
    until: 'then',
    days: 30,
    did: 'revealed the password of',
    had: 'had the password revealed by',
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
    /** From when the days count: from the act, or from when the holder next sets the password themselves. */
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
 * When a hand ends; null if only the holder can end it, by setting the password themselves.
 *
 * @param ownPasswords when the holder did that, oldest first.
 */
export function handEnds(
  { kind, at }: { kind: AccountHand; at: Date },
  ownPasswords: readonly Date[],
): Date | null {
  const { until, days } = accountHands[kind]
  const from = until === 'then' ? at : ownPasswords.find((own) => own > at)
  return from ? new Date(from.getTime() + days * DAY_MS) : null
}

/** What people do to what somebody else decides about later. The words follow “You …” and “Ann …”. */
const deeds = {
  prepared: 'prepared this run',
  held: 'changed the hold of {of}',
  adjusted: 'entered or took back an adjustment of {of}',
  'paid outside': 'entered a payment to {of} outside of payment runs',
  converted: 'converted a balance of {of}',
  'set rate': 'set the exchange rate of {of}',
  'set tax': 'entered the withholding tax of {of}',
  backdated: 'backdated rates of sales of {of}',
  'set rates': 'set rates of sales of {of}',
  'changed site': 'changed what decides pay at {of}',
  'changed bonus': 'changed the bonus of {of}',
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

/** @param of the payee or the period that it was about. */
export const deedInWords = (deed: Deed, of: string): string => deeds[deed].replace('{of}', of)

/** The one table: an act, and the deeds whose doers may not do it. */
export const acts = {
  'approve run': [
    'prepared',
    'held',
    'adjusted',
    'paid outside',
    'converted',
    'set rate',
    'set tax',
    'backdated',
    'set rates',
    'changed site',
    'changed bonus',
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
  'approve payment outside': ['proposed'],
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
