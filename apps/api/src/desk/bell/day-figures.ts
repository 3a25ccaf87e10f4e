import type { Need } from '@tallyroom/contract/desk/home'
import { formatCount, signedDollars, signedPesos, fromMinorUnits } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import type { MailPart } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { readTotals } from '../../totals/index.ts'
import { NOTHING } from '../home/home-reader.ts'
import { findDays } from '../home/home.queries.ts'
import { readNeeds, WORDS_SHOWN } from '../home/network.ts'
import { countReversals } from './day-figures.queries.ts'

/** A viewer's yesterday for their digest: figures beside those of the same weekday before, and what waits for them. */
export const readDay = (
  services: Pick<Services, 'config' | 'db' | 'reportDb' | 'clock'>,
  viewer: Viewer,
): Promise<{ subject: string; parts: MailPart[] }> =>
  readTotals(services, async (tx, today) => {
    const day = addDays(today, -1)
    const before = addDays(day, -7)
    const scope = scopeOf(viewer)
    const visible = await findVisibleAmounts(tx, viewer)
    const days = await findDays(tx, scope, { range: { start: before, end: day }, today })
    const of = (which: string) => days.find((one) => one.day === which) ?? NOTHING
    const [now, then] = [of(day), of(before)]
    const reversed = await countReversals(tx, scope, day)
    const reversedBefore = await countReversals(tx, scope, before)
    const row = (label: string, value: string, past: string) => [label, value, past] as const
    const inPesos = (centavos: number) => signedPesos(fromMinorUnits(centavos))
    const inDollars = (cents: number) => signedDollars(fromMinorUnits(cents))
    const name = daysInWords({ start: day, end: day })
    const nameBefore = daysInWords({ start: before, end: before })
    const needs =
      scope.sees === 'everything'
        ? needsRows(await readNeeds({ tx, viewer, now: tx.now, today }, before))
        : []
    return {
      subject: `${name}: ${formatCount(now.sales)} ${now.sales === 1 ? 'sale' : 'sales'}`,
      parts: [
        {
          heading: `${name}, and ${nameBefore} beside it`,
          rows: [
            row('Unique clicks', formatCount(now.uniques), formatCount(then.uniques)),
            row('Sales', formatCount(now.sales), formatCount(then.sales)),
            row('Bonus sales', formatCount(now.bonus_sales), formatCount(then.bonus_sales)),
            row('Reversed', formatCount(reversed), formatCount(reversedBefore)),
            ...(visible.payout
              ? [
                  row(
                    'Payout',
                    inPesos(now.payout_centavos + now.bonus_payout_centavos),
                    inPesos(then.payout_centavos + then.bonus_payout_centavos),
                  ),
                ]
              : []),
            ...(visible.earning
              ? [
                  row(
                    'Earning',
                    inDollars(now.earning_cents + now.bonus_earning_cents),
                    inDollars(then.earning_cents + then.bonus_earning_cents),
                  ),
                ]
              : []),
          ],
        },
        ...(needs.length > 0 ? [{ heading: 'Needs you', rows: needs }] : []),
      ],
    }
  })

type Needs = Awaited<ReturnType<typeof readNeeds>>

type Label = string
type Of<Needed, Key extends keyof Needed> = Record<Exclude<keyof Needed, Key>, Label>

/** What has a count of its own. What waits by itself (`waiting`) is nobody's to decide. */
const LABELS: Of<Needs, 'held' | 'words' | 'waiting' | 'pay'> = {
  unmatched: 'Postbacks without click or sale',
  pending: 'Postbacks that wait for approval',
  unapproved: 'Agents to approve',
}

const PAY_LABELS: Of<NonNullable<Needs['pay']>, never> = {
  periods: 'Pay periods to close',
  accounts: 'Payment accounts to confirm',
  disowned: 'Payment accounts that payees did not enter',
  runs: 'Payment runs to approve',
  proposals: 'Proposals to approve',
  contradicted: 'Transfers reported paid that your bank refused',
}

/** What waits for a decision, with how much of it. */
function needsRows({ held, words, pay, ...needs }: Needs) {
  const newWords = words.length < WORDS_SHOWN ? formatCount(words.length) : `${WORDS_SHOWN} or more`
  const row = (label: Label, need: Need | null | undefined) =>
    need ? [[label, formatCount(need.count), ''] as const] : []
  return [
    ...(words.length > 0 ? [['New words to decide about', newWords, ''] as const] : []),
    ...held.flatMap((need) => row('Postbacks to decide about', need)),
    ...keysOf(LABELS).flatMap((key) => row(LABELS[key], needs[key])),
    ...keysOf(PAY_LABELS).flatMap((key) => row(PAY_LABELS[key], pay?.[key])),
  ]
}

const keysOf = <Key extends string>(labels: Record<Key, Label>) => Object.keys(labels) as Key[] // Object.keys forgets the key type
