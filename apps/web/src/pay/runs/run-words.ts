import type {
  LeftOutCause,
  PaymentRun,
  RunFile,
  RunLine,
  RunState,
} from '@tallyroom/contract/pay/runs'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'

type Words<Name extends string> = Record<Name, { label: string; color: string }>

export const wasDownloaded = ({ downloads }: RunFile): boolean => downloads.length > 0

export const runStates: Words<RunState> = {
  prepared: { label: 'Waiting for approval', color: 'yellow' },
  approved: { label: 'Approved', color: 'brand' },
  sent: { label: 'Waiting for results', color: 'brand' },
  finished: { label: 'Finished', color: 'green' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const lineStates: Words<RunLine['state']> = {
  open: { label: 'Open', color: 'gray' },
  paid: { label: 'Paid', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  removed: { label: 'Taken out', color: 'gray' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const causeWords: Record<LeftOutCause, string> = {
  'on hold': 'On hold',
  'new account': 'New account',
  'below minimum': 'Below the minimum',
  negative: 'Negative',
  'nothing owed': 'Nothing owed',
  'no confirmed account': 'No confirmed account',
  'in another run': 'In another run',
  'not in the file': 'Doesn’t fit into the file',
}

/** `₱145,202.00 to Manila and Cebu`: the sum of lines, and to whom it goes. */
export function sumText(
  lines: readonly Pick<RunLine, 'amount' | 'payee'>[],
  currency: PaymentRun['currency'],
): string {
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const names = lines.slice(0, MOST_NAMES).map(({ payee }) => payee.name)
  const others = lines.length - names.length
  const all = others > 0 ? [...names, `${others} more`] : names
  return `${moneyText(sum, currency)} to ${NAMES.format(all)}`
}

/** On a button. */
const MOST_NAMES = 3
const NAMES = new Intl.ListFormat('en', { type: 'conjunction' })
