import type { RateLine, StatementContent } from '@tallyroom/contract/pay/statements/statement'
import { byReason } from '@tallyroom/contract/pay/statements/statement-sections'
import type { DateRange } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import type { Booking } from './book-events.queries.ts'
import {
  findApproveSale,
  findBackdatingReasons,
  type LineDifferences,
} from './line-facts.queries.ts'

/**
 * Adds to the lines of a statement what they are read with, and what is not stored: whether their site used approve-sale, and
 * why there are differences. Both have dates, so they read the same ever after.
 *
 * @param differencesOf looks up the statement's differences; called only if it has any
 */
export async function withLineFacts(
  db: DbOrTx,
  viewer: Viewer,
  content: StatementContent,
  differencesOf: () => Promise<readonly LineDifferences[]> | readonly LineDifferences[],
): Promise<StatementContent> {
  const { lines, fraud, late, period } = content
  const all = [...lines, ...fraud, ...late.flatMap((one) => one.lines)]
  const usedApproveSale = await findApproveSale(db, [...new Set(all.map(({ siteId }) => siteId))])
  const differences = all.some((line) => line.differences !== undefined)
    ? await differencesOf()
    : []
  const reasons = await findBackdatingReasons(db, [
    ...new Set(differences.flatMap(({ backdatingId }) => backdatingId ?? [])),
  ])
  const isStaff = scopeOf(viewer).sees === 'everything'
  const byLine = Map.groupBy(differences, lineText)
  const told = (of: readonly RateLine[], { start, end }: DateRange): RateLine[] =>
    of.map((line) => ({
      ...line,
      ...(usedApproveSale(line.siteId, end) && { useApproveSale: true }),
      ...(line.differences !== undefined && {
        backdatings: byReason(
          (byLine.get(textOfLine(line)) ?? [])
            .filter(({ day }) => day >= start && day <= end)
            .map(({ backdatingId, differences: count, day }) => ({
              reason: toldReason(reasons.get(backdatingId ?? 0), isStaff),
              differences: count,
              start: day,
              end: day,
            })),
        ),
      }),
    }))
  return {
    ...content,
    lines: told(lines, period),
    fraud: told(fraud, period),
    late: late.map((one) => ({ ...one, lines: told(one.lines, one) })),
  }
}

/** The reason of a backdating, for staff, or for everybody once it was written for payees as well. */
export const toldReason = (
  backdating: { reason: string; payeesRead: boolean } | undefined,
  isStaff: boolean,
): string | null => (backdating && (isStaff || backdating.payeesRead) ? backdating.reason : null)

/** The differences among bookings that are not stored yet. */
export const differencesAmong = (bookings: readonly Booking[]): LineDifferences[] =>
  bookings
    .filter(({ quantity, isPart }) => quantity === 0 && !isPart)
    .map(({ backdatingId = null, ...booking }) => ({ ...booking, backdatingId, differences: 1 }))

const lineText = ({ rateSource, paidBy, avpWeek, ...one }: LineDifferences): string =>
  textOf({
    ...one,
    isOwnRate: rateSource === 'office',
    tierWeek: paidBy === 'tier' ? avpWeek : null,
  })

const textOfLine = ({ rateSource, ...line }: RateLine): string =>
  textOf({ ...line, isOwnRate: rateSource === 'office' })

type Text = Pick<
  RateLine,
  | 'agentId'
  | 'officeId'
  | 'siteId'
  | 'typeId'
  | 'rateCentavos'
  | 'tierWeek'
  | 'settledOutside'
  | 'fraud'
> & { isOwnRate: boolean }

const textOf = (one: Text): string =>
  [
    one.agentId,
    one.officeId,
    one.siteId,
    one.typeId,
    one.rateCentavos,
    one.isOwnRate,
    one.tierWeek,
    one.settledOutside,
    one.fraud,
  ].join(' ')
