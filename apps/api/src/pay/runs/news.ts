import { accountHands, dayInWords } from '@tallyroom/domain/acts'
import { institutionName } from '@tallyroom/domain/institutions'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { AvpRule, Currency } from '@tallyroom/domain/pay'
import { type PayFileLayout, payFileLayoutSchema } from '@tallyroom/contract/pay/files/files'
import { paySettingsLabels } from '@tallyroom/contract/pay/labels'
import type { News, NewsKind } from '@tallyroom/contract/pay/runs/runs'
import { moneyText, rateText, taxText } from '@tallyroom/contract/pay/statements/statement-sections'
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { DbOrTx } from '../../db/database.ts'
import { findChangedFields } from '../../catalogue/index.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findPersons, findSamePlace } from '../../people/index.ts'
import { findPayeeNames, payeeText } from '../terms/payees.queries.ts'
import { findAccounts, findShared } from '../accounts/payee-accounts.queries.ts'
import type { SettingsChange } from './changed-settings.queries.ts'
import {
  findFailedBefore,
  findLastApproved,
  findLiftedHolds,
  findNewAdjustments,
  findNewEntries,
  findNewRates,
  type NewEntry,
  type NewRate,
  findNewTaxRates,
  findPaidBefore,
  findPayeeLogins,
  type PaidBefore,
} from './news.queries.ts'
import type { LineRow } from './payment-runs.queries.ts'
import { type Run, withoutParts } from './run.ts'
import { findNewTerms, type NewTerm } from './terms.ts'

type Told = { kind: NewsKind; title: string; text: string }
type Account = Awaited<ReturnType<typeof findAccounts>>[number]

/**
 * What is new about these lines of a run since their payees were last paid to the same accounts, about how its files
 * look, and about where its approver works. They tick each item.
 *
 * @param approver who may approve the run, if it is about one
 */
export async function findNews(
  db: DbOrTx,
  now: Date,
  run: Run,
  toPay: readonly LineRow[],
  approver: Viewer | undefined,
): Promise<News[]> {
  const lines = withoutParts(toPay)
  const unit = run.currency as Currency // payment_runs__currency
  const byLine = new Map<number, Told[]>(lines.map(({ id }) => [id, []]))
  const tell = (lineId: number, one: Told | undefined) => one && byLine.get(lineId)?.push(one)
  const lineOf = new Map(lines.map((line) => [line.id, line]))

  const paid = await findPaidBefore(db, run.id)
  const accounts = await accountsOf(db, lines, paid)
  const sharers = await findSharers(db, lines)
  for (const before of paid) {
    const line = lineOf.get(before.lineId)
    if (!line) continue
    tell(line.id, accountNews(line, before, { accounts, sharers }))
    tell(line.id, amountNews(line, before, unit))
  }
  for (const one of await findNewAdjustments(db, run.id)) {
    const { lineId, amount, countsAs, reason, takesBack, by, approvedBy, at } = one
    const as = countsAs === 'not income' ? ', not income' : ''
    tell(lineId, {
      kind: 'adjustment',
      title: `${takesBack ? 'Adjustment taken back' : 'Adjustment'}${as}: ${moneyText(amount, unit)}`,
      text: `By ${by}${approvedBy === null ? '' : `, approved by ${approvedBy}`} on ${formatDateTime(at)}: ${reason}`,
    })
  }
  for (const entry of await findNewEntries(db, run.id)) tell(entry.lineId, entryNews(entry, unit))
  for (const { lineId, by, approvedBy, at, reason, ...rate } of await findNewTaxRates(db, run.id))
    tell(lineId, {
      kind: 'tax rate',
      title: `Withholding tax from ${rate.fromDay}: ${taxText(rate)}`,
      text: `Entered by ${by}, approved by ${approvedBy} on ${formatDateTime(at)}: ${reason}`,
    })
  for (const { lineId, reason, by, at } of await findLiftedHolds(db, run.id))
    tell(lineId, {
      kind: 'hold lifted',
      title: 'Hold lifted',
      text: `By ${by} on ${formatDateTime(at)}: ${reason}`,
    })
  for (const one of await findFailedBefore(db, run.id))
    tell(one.lineId, {
      kind: 'failed before',
      title: `${one.returnedOn === null ? 'Failed' : 'Came back'} before: ${moneyText(one.amount, unit)}`,
      text: `${one.by} ${one.isFromFile ? 'read in a result file' : 'entered'} on ${formatDateTime(one.at)} that ${one.reference} ${one.returnedOn === null ? 'failed' : `was paid and came back on ${one.returnedOn}`}: ${one.reason}. If that money arrived, this run pays it twice.`,
    })
  for (const { lineId, text } of await findHandsOfOthers(db, now, run.id))
    tell(lineId, { kind: 'hand', title: 'Somebody else could sign in as this payee', text })

  const ofRun: Told[] = [
    ...(approver ? await placeNews(db, run, approver) : []),
    ...(await templateNews(db, run)),
    ...fixedTexts(run.layout),
    ...(await findNewRates(db, run.id)).map(rateNews),
    ...(await termNews(db, run.id, lineOf)),
  ]
  return [
    ...withKeys(ofRun, undefined),
    ...lines.flatMap((line) => withKeys(byLine.get(line.id) ?? [], line)),
  ]
}

/** Items that read the same, such as two equal adjustments of one minute, are told apart by their number. */
function withKeys(all: readonly Told[], line: LineRow | undefined): News[] {
  const seen = new Map<string, number>()
  return all.map((told) => {
    const text = JSON.stringify(told)
    const before = seen.get(text) ?? 0
    seen.set(text, before + 1)
    return withKey(told, line, before)
  })
}

/** The key stands for all that the approver reads: whatever changes in it is new again. */
function withKey(told: Told, line: LineRow | undefined, before: number): News {
  const content = JSON.stringify([told.kind, line?.id ?? null, told.title, told.text, before])
  return {
    ...told,
    key: createHash('sha256').update(content).digest('hex').slice(0, 20),
    lineId: line?.id ?? null,
    payee: line?.payee_name ?? null,
  }
}

async function accountsOf(
  db: DbOrTx,
  lines: readonly LineRow[],
  paid: readonly PaidBefore[],
): Promise<ReadonlyMap<number, Account>> {
  const ids = [
    ...lines.map(({ account_id }) => account_id),
    ...paid.flatMap(({ lastAccountId }) => lastAccountId ?? []),
  ]
  return new Map((await findAccounts(db, { ids })).map((account) => [account.id, account]))
}

/** The names of the other payees of the lines' accounts, by account. */
async function findSharers(
  db: DbOrTx,
  lines: readonly LineRow[],
): Promise<ReadonlyMap<number, string[]>> {
  const shared = await findShared(
    db,
    lines.map(({ account_id }) => account_id),
  )
  const names = await findPayeeNames(db, [...shared.values()].flat())
  return new Map(
    [...shared].map(([id, payees]) => [
      id,
      payees.map((payee) => names.get(payeeText(payee)) ?? 'a deleted payee'),
    ]),
  )
}

function accountNews(
  line: LineRow,
  { toThisAccount, lastAccountId }: PaidBefore,
  known: { accounts: ReadonlyMap<number, Account>; sharers: ReadonlyMap<number, string[]> },
): Told | undefined {
  const { accounts, sharers } = known
  const account = accounts.get(line.account_id)
  if (toThisAccount || !account) return undefined
  const last = lastAccountId === null ? undefined : accounts.get(lastAccountId)
  const confirmed = account.decisions
    .filter((one) => one.confirmed)
    .map(({ name, at }) => `${name} on ${formatDateTime(new Date(at))}`)
  const others = sharers.get(account.id)?.join(' and ')
  const sentences = [
    `${nameOf(account)}, entered by ${account.entered_by_name} on ${formatDateTime(account.entered_at)}, confirmed by ${confirmed.join(' and ')}.`,
    ...(last ? [`The last payment went to ${nameOf(last)}.`] : []),
    ...(others ? [`The same account was also entered for ${others}.`] : []),
  ]
  return {
    kind: 'account',
    title: last ? 'Changed account' : 'First payment',
    text: sentences.join(' '),
  }
}

const nameOf = ({ institution, last_characters }: Account): string =>
  `${institutionName(institution ?? '')} •••• ${last_characters}`

/** How many times the average of the last payments is worth a look. */
const MUCH_MORE = 2

function amountNews(
  { amount }: LineRow,
  { amounts }: PaidBefore,
  unit: Currency,
): Told | undefined {
  const sum = amounts.reduce((total, one) => total + one, 0)
  if (amounts.length === 0 || amount * amounts.length <= MUCH_MORE * sum) return undefined
  return {
    kind: 'amount',
    title: `${moneyText(amount, unit)}, more than twice the usual`,
    text: `The last ${amounts.length === 1 ? 'payment was' : 'payments were'} ${amounts.map((one) => moneyText(one, unit)).join(', ')}.`,
  }
}

function entryNews(
  { kind, amount, pesosE4, reason, by, approvedBy, at }: NewEntry,
  unit: Currency,
): Told {
  const text = `Entered by ${by}, approved by ${approvedBy} on ${formatDateTime(at)}: ${reason}`
  if (kind === 'outside')
    return { kind, title: `Paid outside payment runs: ${moneyText(-amount, unit)}`, text }
  if (kind === 'received')
    return { kind, title: `Money received: ${moneyText(amount, unit)}`, text }
  const title =
    pesosE4 === null
      ? `Former balance corrected: ${moneyText(amount, unit)}`
      : `Converted from a former balance: ${moneyText(amount, unit)} at ${rateText(pesosE4)}`
  return { kind: 'conversion', title, text }
}

const rateNews = (rate: NewRate): Told => ({
  kind: 'exchange rate',
  title: `Exchange rate of ${rate.period}: ${pesosOf(rate.pesosE4)} a dollar`,
  text: [
    `Entered by ${rate.by ?? 'somebody'} from ${rate.source ?? 'an unknown source'}.`,
    rate.before === null
      ? 'There is no earlier rate.'
      : `The period before had ${pesosOf(rate.before)}.`,
  ].join(' '),
})

/** The changes of terms that these lines are the first to be paid by, once each; rates are on the statements. */
async function termNews(
  db: DbOrTx,
  runId: number,
  lines: ReadonlyMap<number, LineRow>,
): Promise<Told[]> {
  const terms = (await findNewTerms(db, runId, {})).filter(({ lineId }) => lines.has(lineId))
  const changed = await findChangedFields(
    db,
    terms.flatMap((term) => (term.deed === 'changed site' ? (term.formerId ?? []) : [])),
  )
  const told = terms.flatMap((term) => termInWords(term, changed) ?? [])
  return [...new Map(told.map((one) => [JSON.stringify(one), one])).values()]
}

/** @param changed the fields of sites that were changed, by the row that has what was before */
function termInWords(
  term: NewTerm,
  changed: ReadonlyMap<number, readonly string[]>,
): Told | undefined {
  const { of, byName, at } = term
  const byWhom = `by ${byName} on ${formatDateTime(at)}`
  const kind = 'terms'
  switch (term.deed) {
    case 'set rates':
      return undefined
    case 'changed site': {
      const fields = changed.get(term.formerId ?? 0) ?? []
      const what = fields.length > 0 ? `: ${fields.join(', ')}` : ''
      return { kind, title: `${of}: other terms of pay`, text: `Changed ${byWhom}${what}.` }
    }
    case 'changed bonus':
      return { kind, title: `Bonus of ${of} changed`, text: `Changed ${byWhom}.` }
    case 'changed settings':
      return {
        kind,
        title: `Other settings of pay from ${of}`,
        text: `Changed ${byWhom}: ${term.changed.map(changedSetting).join(', ')}.`,
      }
    case 'moved agent':
      return {
        kind,
        title: `${of}: moved from ${term.fromOffice} to ${term.toOffice}`,
        text: `Moved ${byWhom}.`,
      }
  }
}

/** “What AVP pays (on top of rates, before instead of rates)” */
const changedSetting = ({ field, was, is }: SettingsChange['changed'][number]): string =>
  `${paySettingsLabels[field]} (${settingWords[is] ?? is}, before ${settingWords[was] ?? was})`

const settingWords: Record<string, string> = {
  instead: 'instead of rates',
  'on-top': 'on top of rates',
  information: 'for information only',
} satisfies Record<AvpRule, string>

const pesosOf = (pesosE4: number) => `₱${(pesosE4 / 10_000).toFixed(4)}`

/** How long before a run is prepared its preparer is taken to work on it. */
const WORKING_MS = 60 * 60_000

/**
 * Whether the approver works where the preparer does: with the sign-in of a colleague, one person would prepare and approve.
 */
async function placeNews(db: DbOrTx, run: Run, approver: Viewer): Promise<Told[]> {
  const { prepared_at, prepared_by, prepared_by_name: preparer } = run
  if (prepared_by === approver.accountId) return []
  const { address, browser } = await findSamePlace(db, approver, {
    accountId: prepared_by,
    since: new Date(prepared_at.getTime() - WORKING_MS),
  })
  const alike = [
    ...(address ? ['from your address'] : []),
    ...(browser === undefined ? [] : [`with a browser like yours (${browser})`]),
  ]
  if (alike.length === 0) return []
  return [
    {
      kind: 'same place',
      title: `${preparer}, who prepared this run, works where you do`,
      text: `They were signed in ${alike.join(' and ')}. Make sure that it was ${preparer} who prepared it.`,
    },
  ]
}

/** Whether the files look different from those of the last run with this template. */
async function templateNews(db: DbOrTx, run: Run): Promise<Told[]> {
  const last = await findLastApproved(db, run)
  const now = withoutResults(run.layout)
  if (last && isDeepStrictEqual(now, withoutResults(payFileLayoutSchema.parse(last.layout))))
    return []
  const columns = now.columns.map(({ header, field, text, dateStyle }) =>
    field === 'text'
      ? `“${text ?? ''}” in every line`
      : `${header || field}${dateStyle ? ` (${dateStyle})` : ''}`,
  )
  return [
    {
      kind: 'template',
      title: last
        ? `The files look different from those of ${last.number}`
        : `First run with the template ${run.template.name}`,
      text: `Columns: ${columns.join(', ')}. Channels: ${now.channels.map(channelText).join(', ')}.`,
    },
  ]
}

/**
 * Texts with numbers that a bank reads in each file, whether they are new or not: nothing here knows whether it takes one for an
 * account.
 */
function fixedTexts({ format, columns, firstLine, lastLine }: PayFileLayout): Told[] {
  if (format === 'pain.001') return []
  const inWords = (
    where: string,
    values: readonly { field: string; text?: string | undefined }[],
  ) =>
    values.flatMap(({ field, text = '' }) =>
      field === 'text' && /[1-9]/.test(text) ? [`“${text}” in ${where}`] : [],
    )
  const texts = [
    ...inWords('every line', columns),
    ...inWords('the first line', firstLine),
    ...inWords('the last line', lastLine),
  ]
  if (texts.length === 0) return []
  return [
    {
      kind: 'template',
      title: 'Fixed numbers in the files',
      text: `${texts.join(', ')}. They are the same for everybody: none may be an account that the bank pays to.`,
    },
  ]
}

const channelText = ({ name, split, upTo, currency }: PayFileLayout['channels'][number]) =>
  split && upTo ? `${name} (splits above ${moneyText(upTo, currency)})` : name

/** How a bank's results are read does not change what it gets. */
const withoutResults = (layout: PayFileLayout): PayFileLayout => ({ ...layout, results: null })

/** Who else could have acted as a line's payee since it was last paid, in words. */
async function findHandsOfOthers(
  db: DbOrTx,
  now: Date,
  runId: number,
): Promise<{ lineId: number; text: string }[]> {
  const logins = await findPayeeLogins(db, runId)
  if (logins.length === 0) return []
  const persons = await findPersons(
    db,
    now,
    logins.map(({ accountId }) => accountId),
  )
  return logins.flatMap(({ lineId, accountId, since }) => {
    const texts = persons
      .handsIn(accountId)
      .filter(({ at }) => since === null || at > since)
      .map(
        ({ kind, by, at }) =>
          `${persons.nameOf(accountId)} ${accountHands[kind].had} ${persons.nameOf(by)} on ${dayInWords(at)}.`,
      )
    // What happened twice on a day needs one look.
    return [...new Set(texts)].map((text) => ({ lineId, text }))
  })
}
