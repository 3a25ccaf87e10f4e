import type { StatsGrouping } from '@tallyroom/contract/stats-table'

/** Amounts of a sale or bonus in cents and centavos. */
export type Amounts = { earning: number; payout: number; lpp: number }
export type RateTable = { sale: Amounts; bonus: Amounts }

export type ModelType = { id: number; siteId: number; hasBonus: boolean }

/** A visit of a tracked link, with all that is known of it before it is stored. */
export type ModelClick = {
  day: string
  agentId: number
  typeId: number
  /** The agent's at the visit. */
  officeId: number
  ip: string
  counted: boolean
  stored: boolean
}

/** One order of a click; a merchant who repeats a report says the same again. */
export type ModelReport = {
  click: ModelClick
  /** The same for all reports of one order. */
  order: string
  /** `back`: takes back what is reported as `event`. */
  kind: 'report' | 'back'
  event: 0 | 1 | 2
  day: string
}

/** What one event counts for. */
export type Counted = {
  day: string
  agentId: number
  officeId: number
  siteId: number
  typeId: number
} & Numbers

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

/**
 * What the whole system should count, told as plainly as possible: one list of what counts, and loops over it.
 * `officeOf` are the agents' offices, `rates` those of the link types and `fees` the offices' own, by
 * `type office`; the test changes them when it changes the real ones.
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
  const recorded = new Map<string, Counted>()
  const takenBack = new Set<string>()
  let waiting: (ModelReport & { receivedAtMs: number })[] = []

  const typeOf = (id: number): ModelType => {
    const type = types.find((one) => one.id === id)
    if (!type) throw new RangeError(`there is no link type ${id}`)
    return type
  }

  function store(click: ModelClick): void {
    click.stored = true
    if (!click.counted) return
    // An IPv6 subscriber has a /64: both of the test's addresses are of one.
    const subscriber = click.ip.startsWith('2001:db8::') ? '2001:db8::/64' : click.ip
    const visitor = `${click.day} ${click.agentId} ${click.typeId} ${subscriber}`
    counted.push({
      ...blank(click, click.officeId),
      raws: 1,
      uniques: visitors.has(visitor) ? 0 : 1,
    })
    visitors.add(visitor)
  }

  /** False while it has to wait. */
  function settle(report: ModelReport, ageMs: number): boolean {
    const { click, day } = report
    const sale = `${report.order} ${report.event}`
    if (report.kind === 'back') {
      const taken = recorded.get(sale)
      if (!taken) return false
      if (!takenBack.has(sale)) counted.push(negated(taken, day))
      takenBack.add(sale)
      return true
    }
    if (recorded.has(sale)) return true
    if (!click.stored && ageMs < HOUR_MS) return false
    const officeId = click.stored ? click.officeId : (setting.officeOf.get(click.agentId) ?? 0)
    const event = { ...blank(click, officeId), day, ...worth(report, officeId) }
    recorded.set(sale, event)
    // A paid click is kept, and counts for nothing.
    if (report.event !== 2) counted.push(event)
    return true
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

  const blank = ({ day, agentId, typeId }: ModelClick, officeId: number): Counted => ({
    day,
    agentId,
    officeId,
    siteId: typeOf(typeId).siteId,
    typeId,
    ...zeros(),
  })

  return {
    counted,
    store,
    receive(report: ModelReport, receivedAtMs: number): void {
      if (!settle(report, 0)) waiting.push({ ...report, receivedAtMs })
    },
    /** Tries everything that waits, once. */
    tryWaiting(nowMs: number): void {
      waiting = waiting.filter((report) => !settle(report, nowMs - report.receivedAtMs))
    },
  }
}

function negated(event: Counted, day: string): Counted {
  const negative = { ...event, day }
  for (const name of numbers) negative[name] = 0 - event[name]
  return negative
}

/** Sums of what counts, by the columns of a grouping; `siteId` adds the sales of each of its link types. */
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

/** Names a row of a grouping by what it is about. An agent that moved has a row for each of its offices. */
export function keyOf(
  groupBy: StatsGrouping | 'overall',
  row: {
    day?: string
    agentId?: number | undefined
    officeId?: number | undefined
    typeId?: number | undefined
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
