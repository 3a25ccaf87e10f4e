import type {
  Candidate,
  LeftOutCause,
  News,
  PaymentRun,
  RunFile,
  RunLine,
  RunState,
} from '@tallyroom/contract/pay/runs/runs'
import { laterText, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { dayInWords } from '@tallyroom/domain/acts'
import { formatCount } from '@tallyroom/domain/money'
import { type Day, weekdayOf } from '@tallyroom/domain/new-york'
import { rangeInWords } from '@tallyroom/domain/periods'

type Words<Name extends string> = Record<Name, { label: string; color: string }>

export const wasDownloaded = ({ downloads }: RunFile): boolean => downloads.length > 0

/** That the bank refused a file, and who says so: its message, or a person. */
export const refusedText = ({
  on,
  by,
  reason,
  byMessage,
}: NonNullable<RunFile['refused']>): string =>
  byMessage
    ? `The bank’s message refused this file on ${dayText(on)}: “${reason}”. ${by} read it.`
    : `${by} entered that the bank refused this file on ${dayText(on)}: “${reason}”.`

/** Whether it can be entered that the bank refused a file: nothing says that it took it, and something of it has no result. */
export function canBeRefused({ lines }: Pick<PaymentRun, 'lines'>, file: RunFile): boolean {
  const own = lines.filter((line) => line.file === file.name)
  return (
    wasDownloaded(file) &&
    file.refused === null &&
    own.some(({ state }) => state === 'sent') &&
    !own.some(({ state }) => state === 'paid' || state === 'returned')
  )
}

/** Whose transfers of a file failed: they are paid again. */
export const payeesOfFile = (
  { lines }: Pick<PaymentRun, 'lines'>,
  file: string,
): RunLine['payee'][] =>
  payeesOf(lines.filter((line) => line.file === file && line.state === 'failed'))

export const runStates: Words<RunState> = {
  prepared: { label: 'Waiting for approval', color: 'yellow' },
  approved: { label: 'Approved', color: 'brand' },
  sent: { label: 'Waiting for results', color: 'brand' },
  finished: { label: 'Finished', color: 'green' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const lineStates: Words<RunLine['state']> = {
  prepared: { label: 'Waiting for approval', color: 'yellow' },
  approved: { label: 'Approved', color: 'brand' },
  sent: { label: 'Sent', color: 'brand' },
  paid: { label: 'Paid', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  returned: { label: 'Came back', color: 'red' },
  removed: { label: 'Taken out', color: 'gray' },
  cancelled: { label: 'Cancelled', color: 'gray' },
}

export const causeWords: Record<LeftOutCause, string> = {
  deleted: 'Deleted',
  'on hold': 'On hold',
  'new account': 'New account',
  'below minimum': 'Below the minimum',
  'not free yet': 'Paid later',
  negative: 'Negative',
  'nothing owed': 'Nothing owed',
  'no confirmed account': 'No confirmed account',
  'in another run': 'In another run',
  'not in the file': 'Doesn’t fit into the file',
  'not chosen': 'Not chosen',
}

/** `₱145,202.00 to Manila and Cebu`: the sum of lines, and to whom it goes. */
export function sumText(
  lines: readonly Pick<RunLine, 'amount' | 'payee'>[],
  currency: PaymentRun['currency'],
): string {
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const payees = payeesOf(lines)
  const names = payees.slice(0, MOST_NAMES).map(({ name }) => name)
  const others = payees.length - names.length
  const all = others > 0 ? [...names, `${others} more`] : names
  return `${moneyText(sum, currency)} to ${NAMES.format(all)}`
}

/** Whom lines pay: one payee may get several transfers. */
const payeesOf = (lines: readonly Pick<RunLine, 'payee'>[]): RunLine['payee'][] => [
  ...new Map(lines.map(({ payee }) => [`${payee.kind} ${payee.id}`, payee])).values(),
]

/** `Transfer 2 of 3, of ₱100,806.00`, or an empty text for a payee’s only one. */
export function partText(
  { part, payee }: Pick<RunLine, 'part' | 'payee'>,
  lines: readonly Pick<RunLine, 'payee' | 'amount'>[],
  currency: PaymentRun['currency'],
): string {
  if (part === null) return ''
  const all = lines.filter((one) => one.payee.kind === payee.kind && one.payee.id === payee.id)
  const sum = all.reduce((total, { amount }) => total + amount, 0)
  return `Transfer ${part} of ${all.length}, of ${moneyText(sum, currency)}`
}

/** `₱50,000.00, ₱50,000.00, ₱806.00` in 3 transfers, or an empty text for one. */
export const partsText = (
  { parts }: Pick<Candidate, 'parts'>,
  currency: PaymentRun['currency'],
): string =>
  parts.length === 1
    ? ''
    : `In ${parts.length} transfers: ${parts.map((part) => moneyText(part, currency)).join(', ')}`

/** `Of ₱32,670.00; ₱12,000.00 from 15 Dec`, or an empty text for a candidate who gets all. */
export const ofBalanceText = (
  { amount, balance, later }: Pick<Candidate, 'amount' | 'balance' | 'later'>,
  currency: PaymentRun['currency'],
): string =>
  amount === balance
    ? ''
    : [`Of ${moneyText(balance, currency)}`, laterText(later, currency)]
        .filter((text) => text !== '')
        .join('; ')

/** What of a candidate's balance can be paid now, in minor units. */
export const freeOfCandidate = ({ balance, later }: Pick<Candidate, 'balance' | 'later'>): number =>
  later.reduce((sum, { amount }) => sum - amount, balance)

/**
 * Why an amount is no part of what can be paid; undefined if it is one.
 * @param amount undefined if it is no amount
 */
export function whyNoPart(
  amount: number | undefined,
  free: number,
  currency: PaymentRun['currency'],
): string | undefined {
  if (amount === undefined || Number.isNaN(amount)) return 'must be an amount'
  if (amount <= 0) return 'must be more than 0'
  return amount < free ? undefined : `must be less than ${moneyText(free, currency)}`
}

/** On a button. */
const MOST_NAMES = 3
/** In an alert. */
const MOST_CONTRADICTIONS = 10
const NAMES = new Intl.ListFormat('en', { type: 'conjunction' })

/** `₱600.00 to Cebu: paid on Wed, 18 Feb 2026, and refused on Fri, 20 Feb 2026: “DU01”`: what the bank is asked about. */
export function contradictionTexts({
  lines,
  currency,
}: Pick<PaymentRun, 'lines' | 'currency'>): string[] {
  const both = lines.flatMap((line) =>
    line.refused?.isOpen ? [{ ...line, refused: line.refused }] : [],
  )
  const said = ({ refused: { paidOn, on, reason } }: (typeof both)[number]) =>
    `paid on ${dayText(paidOn)}, and refused on ${dayText(on)}: “${reason}”`
  const texts = [...Map.groupBy(both, said)].map(
    ([text, same]) => `${sumText(same, currency)}: ${text}`,
  )
  const more = texts.length - MOST_CONTRADICTIONS
  return more > 0 ? [...texts.slice(0, MOST_CONTRADICTIONS), `and ${more} more`] : texts
}

/** Whether it can be entered that a transfer was paid after all: the refusal is open, and nobody entered that it came back. */
export const canBeSettled = ({ refused, returnWaits }: RunLine): boolean =>
  refused?.isOpen === true && returnWaits === null

/** `1 transfer`, `1,204 transfers` */
export const countOf = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

/** `Wed, 25 Nov 2026` */
export const dayText = (day: Day): string =>
  `${WEEKDAYS[weekdayOf(day) - 1]}, ${rangeInWords({ start: day, end: day })}`

const WEEKDAYS = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ')

export const isWeekend = (day: Day): boolean => weekdayOf(day) > 5

/** What the approver is told about the execution date. */
export function executionText({
  executionDay,
  bank,
  files,
}: Pick<PaymentRun, 'executionDay' | 'bank' | 'files'>): string {
  const isCarried = files.some((file) => file.executionDay !== null)
  if (!isCarried)
    return executionDay >= bank.today
      ? `The files have no date; you carry them out on ${dayText(executionDay)}.`
      : `The files have no date. The chosen day, ${dayText(executionDay)}, has passed in ${bank.timeZone}: payees read the day on which a file is downloaded.`
  if (executionDay >= bank.today) return `The bank carries them out on ${dayText(executionDay)}.`
  return `Their date, ${dayText(executionDay)}, has passed in ${bank.timeZone}: whoever downloads a file chooses a new one, and nothing else in it changes.`
}

/** Whose balances a run pays. */
export const paysWhom = (period: string | null): string =>
  period === null ? 'All balances' : `Payees of ${period}`

/** `Prepare ₱145,202.00 to 2 payees`, on a button that is disabled without any. */
export function prepareText(
  paid: readonly Pick<Candidate, 'amount'>[],
  currency: PaymentRun['currency'],
): string {
  if (paid.length === 0) return 'Prepare payment run'
  const sum = paid.reduce((total, { amount }) => total + amount, 0)
  return `Prepare ${moneyText(sum, currency)} to ${countOf(paid.length, 'payee')}`
}

/** What is new, by payee, in the order in which the server lists it. The run itself is one of them. */
export const newsByPayee = (news: readonly News[]) =>
  [...Map.groupBy(news, ({ payee, lineId }) => `${lineId ?? ''} ${payee ?? 'The run'}`)].map(
    ([key, items]) => ({ key, heading: items[0]?.payee ?? 'The whole run', items }),
  )

/** What the approver has to do next. */
export function nextToApprove(
  news: readonly Pick<News, 'key'>[],
  ticked: ReadonlySet<string>,
  hasSeenFiles: boolean,
): { unticked: number; text: string } {
  const unticked = news.filter(({ key }) => !ticked.has(key)).length
  const text =
    unticked > 0
      ? `Tick what is new: ${formatCount(unticked)} of ${formatCount(news.length)} left.`
      : hasSeenFiles
        ? 'You have seen what is new and what leaves.'
        : 'Show the files’ lines, and look at the account numbers.'
  return { unticked, text }
}

/** Who can approve instead of somebody who can’t, or what to do if nobody can. */
export function whoElseCan(approvers: PaymentRun['approvers']): string {
  const able = approvers.filter(({ whyNot }) => whyNot === null).map(({ name }) => name)
  if (able.length > 0) return `These people can: ${able.join(', ')}.`
  const [first] = approvers
    .flatMap(({ name, from }) => (from ? [{ name, from }] : []))
    .toSorted((a, b) => a.from.localeCompare(b.from))
  const later = first ? ` ${first.name} can from ${dayInWords(new Date(first.from))} on.` : ''
  return `Nobody can now: everyone who may pay had a hand in it.${later} A line can be taken out and paid later. Or let a superadmin give PAY to somebody else: they can approve seven days after they were granted PAY and set a password of their own.`
}

/** `2 paid, 1 failed, 1 came back`, or an empty text without any result. */
export function resultCounts({
  paid,
  failed,
  returned,
}: Pick<PaymentRun, 'paid' | 'failed' | 'returned'>): string {
  if (paid + failed + returned === 0) return ''
  const back = returned > 0 ? `, ${formatCount(returned)} came back` : ''
  return `${formatCount(paid)} paid, ${formatCount(failed)} failed${back}`
}

/** What the bank’s results lack, and what that means. */
export function resultsText(lines: readonly Pick<RunLine, 'state' | 'failureWaits'>[]): string {
  const open = lines.filter(isWithoutResult).length
  const waiting = lines.filter(({ failureWaits }) => failureWaits).length
  if (open > 0)
    return `${countOf(open, 'transfer')} ${open === 1 ? 'has' : 'have'} no result yet. Read the bank’s result file, mark single lines below, or mark all of them as paid.`
  if (waiting > 0)
    return `${countOf(waiting, 'failure')} ${waiting === 1 ? 'waits' : 'wait'} for a second person. The bank’s result file decides before that.`
  return 'Every transfer has a result. Reading a file again changes nothing. If money comes back, read the bank’s file, or mark the line below.'
}

/** Not paid, not failed, and nobody has entered a failure that waits. */
export const isWithoutResult = ({
  state,
  failureWaits,
}: Pick<RunLine, 'state' | 'failureWaits'>): boolean => state === 'sent' && !failureWaits

/** `1 of 3 files has not been downloaded yet`, or an empty text. */
export function notDownloaded(files: PaymentRun['files']): string {
  const left = files.filter((file) => !wasDownloaded(file)).length
  if (left === 0) return ''
  if (files.length === 1) return 'The file has not been downloaded yet'
  return `${left} of ${files.length} files ${left === 1 ? 'has' : 'have'} not been downloaded yet`
}

/** What happened to a run, and what comes next. */
export function stepsOf({
  preparedAt,
  preparedBy,
  steps,
  state,
}: Pick<PaymentRun, 'preparedAt' | 'preparedBy' | 'steps' | 'state'>) {
  return [
    { at: preparedAt, title: 'Prepared', body: `by ${preparedBy}`, tone: 'done' as const },
    ...steps.map(({ step, at, by, reason }) => ({
      at,
      title: STEP_WORDS[step],
      body: reason === null ? `by ${by}` : `by ${by}: ${reason}`,
      tone: step === 'cancelled' ? ('ignored' as const) : ('done' as const),
    })),
    ...(state === 'finished' || state === 'cancelled'
      ? []
      : [{ title: NEXT_STEP[state], tone: 'waiting' as const }]),
  ]
}

const STEP_WORDS = {
  approved: 'Approved',
  'files taken': 'First file downloaded',
  cancelled: 'Cancelled',
  finished: 'Finished',
} as const

const NEXT_STEP = { prepared: 'Approval', approved: 'Files', sent: 'Results' } as const
