import type { Day } from '@tallyroom/domain/new-york'
import { dayIn } from '@tallyroom/domain/time-zones'
import type { DbOrTx } from '../../db/database.ts'
import { nowOf } from '../../db/transaction.ts'
import { getBankTimeZone } from './settings.queries.ts'

/** Where the bank is, and which day is there. */
export type Bank = { timeZone: string; today: Day }

/** The bank, and its day now. */
export async function findBank(db: DbOrTx): Promise<Bank> {
  const timeZone = await getBankTimeZone(db)
  return { timeZone, today: dayIn(timeZone, nowOf(db)) }
}
