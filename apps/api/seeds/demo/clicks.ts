import {
  addDays,
  type Day,
  dayOf,
  endOfDayExclusive,
  startOfDay,
  weekdayOf,
} from '@tallyroom/domain/new-york'
import type { Uncounted } from '../../src/tracking/index.ts'
import { visitorOf } from '../../src/lib/net/ip-address.ts'
import { createRandom, type Random } from '../random.ts'
import { joinedDaysAgo, type NetworkAgent } from './network.ts'
import type { NetworkType } from './network-sites.ts'
import { referrers } from './referrers.ts'
import {
  browserOf,
  HEADLESS_BROWSER,
  isBlacklisted,
  pickBlacklisted,
  pickVisitor,
} from './visitors.ts'

export type DemoClick = {
  clickedAtMs: number
  agent: NetworkAgent
  type: NetworkType
  nonce: number
  ip: string
  isUnique: boolean
  uncounted: Uncounted | undefined
  userAgent: string
  referrer: string | undefined
  subs: string[] | undefined
}

/** Number of days, including today. */
export const demoDays = 120

/** Visitors per day of an average agent in an average office. */
const ordinaryVisitors = 26

/** All clicks of the last 120 New York days until now, in chronological order. */
export function makeClicks(agents: readonly NetworkAgent[], today: Day, now: Date): DemoClick[] {
  const clicks: DemoClick[] = []
  for (const agent of agents) {
    const known = new Map<NetworkType, string[]>()
    for (let daysAgo = demoDays - 1; daysAgo >= 0; daysAgo--) {
      const random = createRandom(`clicks/${agent.username}/${daysAgo}`)
      const day = addDays(today, -daysAgo)
      const expected = expectedVisitors(agent, day, daysAgo) * random.between(0.75, 1.25)
      for (const { type, share } of agent.links) {
        const ips = known.get(type) ?? []
        known.set(type, ips)
        const visitors = random.count(expected * share)
        for (let count = 0; count < visitors; count++) {
          clicks.push(...visit(random, { agent, type, day, known: ips }))
        }
        clicks.push(
          ...uncountedVisits(
            createRandom(`uncounted/${agent.username}/${type.row.id}/${daysAgo}`),
            { agent, type, day },
            visitors,
          ),
        )
      }
    }
  }
  const past = clicks.filter(({ clickedAtMs }) => clickedAtMs <= now.getTime())
  past.sort((a, b) => a.clickedAtMs - b.clickedAtMs || a.agent.id - b.agent.id || a.nonce - b.nonce)
  markUniques(past)
  return past
}

function expectedVisitors(agent: NetworkAgent, day: Day, daysAgo: number): number {
  const { office } = agent
  const stoppedDaysAgo = agent.suspendedDaysAgo ?? office.suspendedDaysAgo ?? -1
  const daysWorked = joinedDaysAgo(agent, office) - daysAgo
  if (agent.unapproved || daysAgo <= stoppedDaysAgo || daysWorked < 1) return 0

  const elapsed = 1 - daysAgo / demoDays
  const trend = office.growth ** elapsed * (1 + 0.08 * Math.sin(daysAgo / 9 + office.id))
  const gettingStarted = Math.min(1, 0.3 + daysWorked / 20)
  const restDay = 1 + (agent.id % 5)
  const atWork = weekdayOf(day) === restDay ? 0.3 : 1
  const weekday = weekdays[weekdayOf(day) - 1] ?? 1
  return ordinaryVisitors * office.pace * agent.pace * trend * gettingStarted * atWork * weekday
}

/** Monday to Sunday: traffic rises at the weekend. */
const weekdays = [0.94, 0.9, 0.92, 0.98, 1.1, 1.22, 1.14]

/** The share of a day's traffic per hour, from midnight in New York. */
const hours = [
  6.2, 5.4, 4.3, 3.2, 2.3, 1.7, 1.5, 1.7, 2.1, 2.6, 3, 3.4, 3.8, 3.9, 3.9, 4, 4.2, 4.5, 4.9, 5.6,
  6.4, 7.1, 7.4, 6.9,
]

/** A visitor's clicks on one link: usually one, sometimes again minutes or hours later. */
function visit(
  random: Random,
  {
    agent,
    type,
    day,
    known,
  }: { agent: NetworkAgent; type: NetworkType; day: Day; known: string[] },
): DemoClick[] {
  const ip = ipOf(random, known)
  const referrer = random.chance(0.4) ? random.pick(referrers) : undefined
  const subs = random.chance(0.15) ? [random.pick(campaigns)] : undefined
  const clicks: DemoClick[] = []
  let clickedAtMs = timeOn(random, day)
  do {
    clicks.push({
      clickedAtMs,
      agent,
      type,
      nonce: random.below(2 ** 25),
      ip,
      isUnique: false,
      uncounted: isBlacklisted(ip) ? 'blacklisted' : undefined,
      userAgent: browserOf(ip),
      referrer,
      subs,
    })
    clickedAtMs += Math.ceil(random.wait(70 * 60_000))
  } while (random.chance(0.22))
  return clicks
}

/** A few visits to a link are not human: prefetches and headless browsers. */
function uncountedVisits(
  random: Random,
  { agent, type, day }: { agent: NetworkAgent; type: NetworkType; day: Day },
  visitors: number,
): DemoClick[] {
  const made = Array.from({ length: visitors }, (): DemoClick | undefined => {
    const uncounted = random.chance(0.006) ? 'prefetch' : random.chance(0.002) && 'headless'
    if (!uncounted) return undefined
    const ip = pickVisitor(random)
    return {
      clickedAtMs: timeOn(random, day),
      agent,
      type,
      nonce: random.below(2 ** 25),
      ip,
      isUnique: false,
      uncounted,
      userAgent: uncounted === 'headless' ? HEADLESS_BROWSER : browserOf(ip),
      referrer: undefined,
      subs: undefined,
    }
  })
  return made.filter((click) => click !== undefined)
}

/** Occasionally a visitor of an earlier day returns. */
function ipOf(random: Random, known: string[]): string {
  if (known.length > 0 && random.chance(0.18)) return random.pick(known)
  if (random.chance(0.003)) return pickBlacklisted(random)
  const ip = pickVisitor(random)
  known.push(ip)
  if (known.length > 150) known.shift()
  return ip
}

function timeOn(random: Random, day: Day): number {
  const start = startOfDay(day).getTime()
  // Scaled to 23 or 25 hours on two days of the year.
  const length = endOfDayExclusive(day).getTime() - start
  let remaining = random.next() * allHours
  const hour = hours.findIndex((weight) => (remaining -= weight) < 0)
  return start + Math.floor(((hour + random.next()) / 24) * length)
}

const allHours = hours.reduce((sum, weight) => sum + weight, 0)

/** The first counted click of an address on an agent's link type on a day. */
function markUniques(clicks: readonly DemoClick[]): void {
  let today = ''
  const seen = new Set<string>()
  for (const click of clicks) {
    const day = dayOf(click.clickedAtMs)
    if (day !== today) {
      seen.clear()
      today = day
    }
    if (click.uncounted) continue
    const visitor = `${click.agent.id} ${click.type.row.id} ${visitorOf(click.ip)}`
    click.isUnique = !seen.has(visitor)
    seen.add(visitor)
  }
}

const campaigns = ['banner', 'chat', 'profile', 'bio', 'weekend', 'sms']
