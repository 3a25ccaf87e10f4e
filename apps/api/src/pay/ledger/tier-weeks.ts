import { addDays, type Day, dayOf } from '@tallyroom/domain/new-york'
import {
  type AvpRule,
  type Currency,
  type PayeeKind,
  settingsOn,
  sundayOf,
} from '@tallyroom/domain/pay'
import { type DateRange, periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { payeeKindOf } from '../terms/calendar.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { findPaySettings, findPayState } from '../terms/settings.queries.ts'
import { findCurrencies } from './balances.queries.ts'

/** What pays for the AVP sales of weeks, for figures that sum up many agents. */
export type TierWeeks = {
  /** By their Mondays. A week that was over before pay was switched on is paid by rates. */
  ruleOf: ReadonlyMap<Day, AvpRule>
  /** Whom a week's tiers pay. */
  payeeKindOf: (monday: Day) => PayeeKind
  /** In which currency tiers pay these payees. */
  findCurrencies: (payees: readonly PayeeKey[]) => Promise<(payee: PayeeKey) => Currency>
}

/** The weeks that some days touch. Undefined until pay is switched on. */
export async function findTierWeeks(
  db: DbOrTx,
  { start, end }: DateRange,
): Promise<TierWeeks | undefined> {
  const state = await findPayState(db)
  const [first, ...more] = await findPaySettings(db)
  if (!state || !first) return undefined
  const settings = [first, ...more] as const
  const begun = periodOf(dayOf(state.startedAt), 'week').start
  const ruleOf = new Map<Day, AvpRule>()
  for (let monday = periodOf(start, 'week').start; monday <= end; monday = addDays(monday, 7))
    ruleOf.set(monday, monday < begun ? 'information' : settingsOn(settings, monday).avp)
  return {
    ruleOf,
    payeeKindOf: (monday) => payeeKindOf(settingsOn(settings, sundayOf(monday)).payees),
    findCurrencies: async (payees) => {
      const currencies = await findCurrencies(db, payees)
      return (payee) => currencies.get(payeeText(payee)) ?? 'PHP'
    },
  }
}
