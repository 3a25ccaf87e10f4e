import { type MacroValues, usesMacro } from '@tallyroom/domain/partner-postback'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { arePayoutsShown } from '../../catalogue/index.ts'
import type { Db } from '../../db/database.ts'
import { subsFrom } from '../../tracking/index.ts'
import { type Facts, findSubs } from './facts.queries.ts'

/** What the macros of a URL say of an event, but for the token. Amounts are left out that its owner may not see now. */
export async function macroValues(
  db: Db,
  { url, ofNetwork }: { url: string; ofNetwork: boolean },
  facts: Facts,
): Promise<Omit<MacroValues, 'token'>> {
  const subs = usesMacro(url, ...SUB_NAMES) ? subsFrom(await findSubs(db, facts.clickId)) : {}
  const asksPayout = usesMacro(url, 'payout', 'currency')
  const seesPayout = asksPayout && (ofNetwork || (await arePayoutsShown(db)))
  return {
    sub1: subs.sub1,
    sub2: subs.sub2,
    sub3: subs.sub3,
    sub4: subs.sub4,
    sub5: subs.sub5,
    click_id: facts.clickId,
    event: facts.event,
    event_id: facts.eventId,
    status: statusOf(facts),
    payout: seesPayout ? (facts.payoutCentavos / 100).toFixed(2) : undefined,
    currency: seesPayout ? 'PHP' : undefined,
    site_id: facts.siteId,
    site: facts.sitename ?? '',
    type_id: facts.typeId,
    type: facts.typename ?? '',
    agent_id: facts.agentId,
    agent: facts.agent ?? '',
    transaction_id: facts.transactionId ?? '',
    time: facts.occurredAt.toISOString(),
    time_unix: Math.floor(facts.occurredAt.getTime() / 1000),
  }
}

export const statusOf = ({ quantity }: Pick<Facts, 'quantity'>) =>
  quantity > 0 ? 'approved' : quantity < 0 ? 'reversed' : 'adjusted'
