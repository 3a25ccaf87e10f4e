import { MOST_CLICKS_BY_SUB } from '@tallyroom/contract/sub-ids'
import type { Day } from '@tallyroom/domain/new-york'
import type { SubName } from '@tallyroom/domain/tracked-link'
import { sql } from 'kysely'
import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { hasSeals } from './counted-events.queries.ts'
import { planForSubs, type SubFilter } from './subs.queries.ts'
import { type TotalsQuestion, totalsSource } from './totals-source.queries.ts'

/** A question about the sub ids of clicks, which no level keeps: it is answered from clicks and events. */
export type BySub = {
  /** The rows have `sub_row` and `sub_id` of this one. */
  of?: SubName | undefined
  only?: SubFilter | undefined
  /** Whether months are archived. Their clicks count, but nobody knows their sub ids. */
  sealed: boolean
  /** An office's agents of all times, by whom its clicks are found; undefined for everybody's, and for one agent. */
  agentIds: readonly number[] | undefined
}

type Asked = Pick<TotalsQuestion, 'range' | 'today' | 'openDay'> & {
  filter: Pick<TotalsQuestion['filter'], 'officeId' | 'agentIds'>
}

/** More clicks than are read by sub id. Its message names what can be asked instead. */
export class TooManyClicks extends AppError {
  constructor(message: string) {
    super('VALIDATION_ERROR', 'Please check your input.', { data: { start: [message] } })
  }
}

/**
 * Prepares the transaction for questions about sub ids. Sites are left aside, because clicks are found by agent and day.
 *
 * @throws TooManyClicks for days with more than {@link MOST_CLICKS_BY_SUB} clicks. It names the first day that can be asked.
 */
export async function prepareBySub(
  tx: Tx,
  scope: Scope,
  asked: Asked,
): Promise<Pick<BySub, 'sealed' | 'agentIds'>> {
  const days = await clicksByDay(tx, scope, asked)
  const clicks = sumOf(days)
  if (clicks > MOST_CLICKS_BY_SUB) {
    throw new TooManyClicks(tooMany(clicks, firstDayOf(days)))
  }
  await planForSubs(tx)
  return { sealed: await hasSeals(tx), agentIds: await agentsOf(tx, scope, asked.filter) }
}

/** Whether a question about other days would not be refused. */
export const canAskBySub = async (tx: Tx, scope: Scope, asked: Asked): Promise<boolean> =>
  sumOf(await clicksByDay(tx, scope, asked)) <= MOST_CLICKS_BY_SUB

type DayClicks = { day: Day; raws: number }

const sumOf = (days: readonly DayClicks[]): number => days.reduce((sum, { raws }) => sum + raws, 0)

/** Newest first. */
async function clicksByDay(
  tx: Tx,
  scope: Scope,
  { range, today, openDay, filter: { officeId, agentIds } }: Asked,
): Promise<DayClicks[]> {
  const filter = { officeId, agentIds }
  const question = { range, today, openDay, filter, dimensions: [], byDay: true }
  const { rows } = await sql<DayClicks>`
    select day, sum(raws)::bigint as raws
    from ${totalsSource(scope, question, ['day', 'raws'])} as totals
    group by day
    order by day desc
  `.execute(tx)
  return rows
}

/** The first day from which on there are few enough clicks; undefined if the last one alone has too many. */
function firstDayOf(newestFirst: readonly DayClicks[]): Day | undefined {
  let [clicks, first]: [number, Day | undefined] = [0, undefined]
  for (const { day, raws } of newestFirst) {
    clicks += raws
    if (clicks > MOST_CLICKS_BY_SUB) break
    first = day
  }
  return first
}

function tooMany(clicks: number, first: Day | undefined): string {
  const [most, all] = [MOST_CLICKS_BY_SUB, clicks].map((count) => count.toLocaleString('en-US'))
  const instead =
    first === undefined
      ? 'Choose an office or agent.'
      : `Start on ${first} or later, or choose an agent.`
  return `Sub ids are read from up to ${most} clicks at once, and these days have ${all}. ${instead}`
}

async function agentsOf(
  tx: Tx,
  scope: Scope,
  { officeId, agentIds }: Asked['filter'],
): Promise<number[] | undefined> {
  const ofOffice = scope.sees === 'everything' ? officeId : scope.officeId
  if (ofOffice === undefined || agentIds !== undefined || scope.sees === 'agent') return undefined
  const { rows } = await sql<{ agent_id: number }>`
    select distinct agent_id from totals_week_agent where office_id = ${ofOffice}
  `.execute(tx)
  return rows.map(({ agent_id }) => agent_id)
}
