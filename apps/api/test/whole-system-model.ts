import type { StatsGrouping } from '@tallyroom/contract/figures/stats-table'
import type { SubName, Subs } from '@tallyroom/domain/tracked-link'

/** Amounts of a sale or bonus in cents and centavos. */
export type Amounts = { earning: number; payout: number; lpp: number }
export type RateTable = { sale: Amounts; bonus: Amounts }

export type ModelType = { id: number; siteId: number; hasBonus: boolean }

/** A point in time, and its New York day. */
export type When = { ms: number; day: string }

/** A visit to a tracked link, with everything known about it before it is stored. */
export type ModelClick = {
  at: When
  agentId: number
  typeId: number
  /** The agent's office at the time of the visit. */
  officeId: number
  ip: string
  counted: boolean
  stored: boolean
  subs: Subs
  /** A crawler's: no row will come, and its id says so. */
  neverStored?: true
}

/** One order of a click. A merchant's retry says the same again. */
export type ModelReport = {
  click: ModelClick
  /** The same for all reports of one order. */
  order: string
  /** `back`: reverses what is reported as `event`. */
  kind: 'report' | 'back'
  event: 0 | 1 | 2
  at: When
}

/** The outcome of a report; `held` until staff decide about its date. */
export type ModelOutcome = 'settled' | 'waiting' | 'held'

/** What one event counts for. */
export type Counted = {
  day: string
  agentId: number
  officeId: number
  siteId: number
  typeId: number
  /** The click itself, or that of the sale. */
  click: ModelClick
} & Numbers

/** The value of a sub id, `none`, or `unknown` while the click is not stored. */
export const subIn = ({ stored, subs }: ModelClick, name: SubName): string =>
  stored ? (subs[name] ?? 'none') : 'unknown'

export const numbers = [
  'raws',
  'uniques',
  'sales',
  'bonusSales',
  'earn',
  'bonusEarn',
  'payout',
  'bonusPayout',
  'lpp',
] as const
export type Numbers = Record<(typeof numbers)[number], number>

const HOUR_MS = 3_600_000
const FIVE_MINUTES_MS = 300_000

/**
 * What the whole system should count, as plainly as possible: one list of what counts, and loops
 * over it. `officeOf` has the agents' offices, `rates` those of the link types, and `fees` the
 * offices' own, by `type office`; the test changes them together with the real ones.
 */
export function startModel(
  types: readonly ModelType[],
  setting: {
    officeOf: Map<number, number>
    rates: Map<number, RateTable>
    fees: Map<string, RateTable>
  },
) {
  const counted: Counted[] = []
  const visitors = new Set<string>()
  const recorded = new Map<string, { event: Counted; at: When }>()
  const takenBack = new Set<string>()
  let waiting: Received[] = []
  const held = new Map<string, Received>()

  const typeOf = (id: number): ModelType => {
    const type = types.find((one) => one.id === id)
    if (!type) throw new RangeError(`there is no link type ${id}`)
    return type
  }

  function store(click: ModelClick): void {
    click.stored = true
    if (!click.counted) return
    // An IPv6 subscriber has a /64, and both of the test's addresses are in the same one.
    const subscriber = click.ip.startsWith('2001:db8::') ? '2001:db8::/64' : click.ip
    const visitor = `${click.at.day} ${click.agentId} ${click.typeId} ${subscriber}`
    counted.push({
      ...blank(click, click.officeId, click.at.day),
      raws: 1,
      uniques: visitors.has(visitor) ? 0 : 1,
    })
    visitors.add(visitor)
  }

  /** `decided`: staff record it, at the time of its click or sale if it is dated earlier. */
  function settle(
    report: ModelReport,
    { ageMs, decided = false }: { ageMs: number; decided?: boolean },
  ): ModelOutcome {
    const { click } = report
    const sale = `${report.order} ${report.event}`
    const before = recorded.get(sale)
    if (report.kind === 'back') {
      if (!before) return 'waiting'
      if (takenBack.has(sale)) return 'settled'
      const at = dated(report.at, { after: later(before.at, click.at), decided })
      if (!at) return 'held'
      // Never before its sale, whatever another clock says.
      counted.push(negated(before.event, later(at, before.at).day))
      takenBack.add(sale)
      return 'settled'
    }
    if (before) return 'settled'
    const at = dated(report.at, { after: click.at, decided })
    if (!at) return 'held'
    if (!click.stored && !click.neverStored && ageMs < HOUR_MS) return 'waiting'
    const officeId = click.stored ? click.officeId : (setting.officeOf.get(click.agentId) ?? 0)
    const event = { ...blank(click, officeId, at.day), ...worth(report, officeId) }
    recorded.set(sale, { event, at })
    // A paid click is stored, but counts for nothing.
    if (report.event !== 2) counted.push(event)
    return 'settled'
  }

  /** Files a report according to its outcome. */
  function place(received: Received, outcome: ModelOutcome): ModelOutcome {
    if (outcome === 'waiting') waiting.push(received)
    if (outcome === 'held') held.set(received.id, received)
    return outcome
  }

  function worth({ click, event }: ModelReport, officeId: number): Partial<Numbers> {
    const { id, hasBonus } = typeOf(click.typeId)
    const rates = setting.fees.get(`${id} ${officeId}`) ?? setting.rates.get(id)
    if (!rates || event === 2) return {}
    if (event === 0) {
      const { earning, payout, lpp } = rates.sale
      return { sales: 1, earn: earning, payout, lpp }
    }
    if (!hasBonus) return { bonusSales: 1 }
    const { earning, payout, lpp } = rates.bonus
    return { bonusSales: 1, bonusEarn: earning, bonusPayout: payout, lpp }
  }

  const blank = (click: ModelClick, officeId: number, day: string): Counted => ({
    day,
    agentId: click.agentId,
    officeId,
    siteId: typeOf(click.typeId).siteId,
    typeId: click.typeId,
    click,
    ...zeros(),
  })

  return {
    counted,
    store,
    receive: (received: Received): ModelOutcome => place(received, settle(received, { ageMs: 0 })),
    /** Retries every waiting report once. */
    tryWaiting(nowMs: number): void {
      const before = waiting
      waiting = []
      for (const one of before) place(one, settle(one, { ageMs: nowMs - one.receivedAtMs }))
    },
    /** The ids of reports that await a decision. */
    held: () => [...held.keys()],
    decide(id: string, decision: 'record' | 'refuse'): void {
      const one = held.get(id)
      held.delete(id)
      if (one && decision === 'record') settle(one, { ageMs: Infinity, decided: true })
    },
  }
}

type Received = ModelReport & { id: string; receivedAtMs: number }

/**
 * The date of a report that cannot have happened before `after`; undefined if staff must decide.
 */
function dated(at: When, { after, decided }: { after: When; decided: boolean }): When | undefined {
  if (after.ms - at.ms <= FIVE_MINUTES_MS) return at
  return decided ? after : undefined
}

const later = (a: When, b: When): When => (a.ms > b.ms ? a : b)

function negated(event: Counted, day: string): Counted {
  const negative = { ...event, day }
  for (const name of numbers) negative[name] = 0 - event[name]
  return negative
}

/**
 * Sums of what counts, by the columns of a grouping; `siteId` adds the sales of each of its link
 * types.
 */
export function groupCounted(
  counted: readonly Counted[],
  groupBy: StatsGrouping | 'overall',
  typeIds: readonly number[],
): Map<string, Record<string, number>> {
  const groups = new Map<string, Record<string, number>>()
  for (const event of counted) {
    const key = keyOf(groupBy, event)
    let sums = groups.get(key)
    if (!sums) {
      sums = { ...zeros(), ...Object.fromEntries(typeIds.map((id) => [id, 0])) }
      groups.set(key, sums)
    }
    for (const name of numbers) sums[name] = (sums[name] ?? 0) + event[name]
    if (typeIds.includes(event.typeId)) {
      sums[event.typeId] = (sums[event.typeId] ?? 0) + event.sales
    }
  }
  return groups
}

/** Names a row of a grouping. An agent who changed offices has a row for each of them. */
export function keyOf(
  groupBy: StatsGrouping | 'overall',
  row: {
    day?: string
    agentId?: number | undefined
    officeId?: number | undefined
    typeId?: number | undefined
    click?: ModelClick
    /** Of a row, what it says. */
    sub?: string | undefined
  },
): string {
  switch (groupBy) {
    case 'overall':
      return 'overall'
    case 'date':
      return `${row.day}`
    case 'company':
      return `office ${row.officeId}`
    case 'agent':
      return `agent ${row.agentId} office ${row.officeId}`
    case 'detail':
      return `${row.day} agent ${row.agentId} office ${row.officeId}`
    case 'type':
      return `type ${row.typeId}`
    case 'sub1':
    case 'sub2':
    case 'sub3':
    case 'sub4':
    case 'sub5':
      return `sub id ${row.click ? subIn(row.click, groupBy) : row.sub}`
  }
}

const zeros = (): Numbers => ({
  raws: 0,
  uniques: 0,
  sales: 0,
  bonusSales: 0,
  earn: 0,
  bonusEarn: 0,
  payout: 0,
  bonusPayout: 0,
  lpp: 0,
})
