import { sellerSorts } from '@tallyroom/contract/list-choices'
import {
  SELLER_DAYS,
  type SellerDays,
  type SellerFigures,
} from '@tallyroom/contract/people/sellers'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { previousRange } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import { requireGroup, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { readTotals } from '../../totals/index.ts'
import {
  type ComparedDays,
  findSellerFigures,
  type SellerKey,
  type SoldBy,
} from './seller-figures.queries.ts'

/** Minor units. */
export type Amounts = { PHP: number; USD: number }

/** What sellers earned in these days and before, by id; those without a row earned nothing. */
export type Earnings = {
  by: NonNullable<SellerDays['earnedBy']>
  of: ReadonlyMap<number, { now: Amounts; before: Amounts }>
}

/** For lists of sellers: `figures` knows what rates and tiers pay. Undefined for those who may not see payouts. */
export type FindsEarnings = {
  findEarnings: (
    tx: Tx,
    viewer: Viewer,
    sellers: { key: SellerKey; ids: readonly number[]; days: ComparedDays },
  ) => Promise<Earnings | undefined>
}

type Search = { figures: boolean; sortField: string }

/** What a list reads of its figures; undefined if it has none. */
export type Sold = SoldBy & { tx: Tx; viewer: Viewer } & FindsEarnings

/**
 * Runs `read`, in a snapshot of the totals if the search asks for figures.
 *
 * @throws FORBIDDEN for a token that may not read figures
 */
export async function readSellers<T>(
  services: Pick<Services, 'db' | 'reportDb' | 'clock'> & FindsEarnings,
  viewer: Viewer,
  { figures, sortField }: Search,
  key: SellerKey,
  read: (db: DbOrTx, sold: Sold | undefined) => Promise<T>,
): Promise<T> {
  if (!figures && !sellerSorts.some((sort) => sort === sortField))
    return read(services.db, undefined)
  requireGroup(viewer, 'figures')
  const scope = scopeOf(viewer)
  const { findEarnings } = services
  return readTotals(
    services,
    (tx, today) => read(tx, { tx, viewer, key, scope, days: sellerDays(today), findEarnings }),
    { scope },
  )
}

function sellerDays(today: Day): ComparedDays {
  const days = { start: addDays(today, 1 - SELLER_DAYS), end: today }
  return { ...days, before: previousRange(days) }
}

/** Rows with their figures, and the days of these. As they are, if the list has none. */
export async function withFigures<Row extends object>(
  sold: Sold | undefined,
  rows: readonly Row[],
  idOf: (row: Row) => number,
): Promise<{
  rows: (Row & { figures?: SellerFigures })[]
  figuresOf?: SellerDays
}> {
  if (!sold) return { rows: [...rows] }
  const { tx, viewer, key, days } = sold
  const ids = rows.map(idOf)
  const figures = await findSellerFigures(tx, sold, ids)
  const earnings = await sold.findEarnings(tx, viewer, { key, ids, days })
  return {
    rows: rows.map((row) => {
      const own = figures.get(idOf(row)) ?? NOTHING
      return { ...row, figures: earnings ? earned(own, earnings.of.get(idOf(row))) : own }
    }),
    figuresOf: { ...days, ...(earnings && { earnedBy: earnings.by }) },
  }
}

const earned = (
  figures: SellerFigures,
  { now, before } = { now: NO_MONEY, before: NO_MONEY },
): SellerFigures => ({
  ...figures,
  earned: now,
  before: { ...figures.before, earned: before },
})

const NO_MONEY: Amounts = { PHP: 0, USD: 0 }
const NOTHING: SellerFigures = {
  clicks: 0,
  sales: 0,
  before: { clicks: 0, sales: 0 },
  lastSaleDay: null,
}
