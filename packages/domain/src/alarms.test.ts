import { expect, test } from 'vitest'
import {
  chanceOf,
  Course,
  DAYS_KEPT,
  type Figures,
  findAlarms,
  HOUR_MS,
  isOver,
  usualLimits,
} from './alarms.ts'
import { offsetMsAt } from './new-york.ts'

const KEPT = DAYS_KEPT * 24
const hourOf = (iso: string) => Date.parse(iso) / HOUR_MS

/** A subject that always has as many, until `change` says otherwise. */
function steady(
  now: string,
  { clicks = 0, sales = 0, refused = 0 },
  change: (hoursAgo: number) => { clicks?: number; sales?: number; refused?: number } = () => ({}),
): Figures {
  const last = Math.ceil(hourOf(now))
  const hours = Array.from({ length: KEPT }, (_, place) => ({
    clicks,
    sales,
    refused,
    ...change(KEPT - place),
  }))
  const course = (of: 'clicks' | 'sales' | 'refused') =>
    new Course({ firstHour: last - KEPT, counts: hours.map((hour) => hour[of]) })
  return { clicks: course('clicks'), sales: course('sales'), refused: course('refused') }
}

const NOW = '2026-06-17T16:00:00Z'
const kindsOf = (figures: Figures, now = NOW) =>
  findAlarms(figures, Date.parse(now), usualLimits).map(({ kind }) => kind)

test('what always comes and then does not is told with what was expected', () => {
  const figures = steady(NOW, { clicks: 30 }, (ago) => (ago <= 2 ? { clicks: 0 } : {}))
  expect(findAlarms(figures, Date.parse(NOW), usualLimits)).toEqual([
    { kind: 'no-clicks', since: new Date('2026-06-17T14:00:00Z'), expected: 60, came: 0 },
  ])
  expect(kindsOf(steady(NOW, { clicks: 30 }))).toEqual([])
})

test('sales are expected of the clicks that came', () => {
  const usual = { clicks: 200, sales: 10 }
  const unsold = (ago: number) => (ago <= 3 ? { sales: 0 } : {})
  expect(kindsOf(steady(NOW, usual, unsold))).toEqual(['clicks-without-sales'])
  expect(kindsOf(steady(NOW, { sales: 10 }, unsold))).toEqual(['no-sales'])
  const gone = (ago: number) => (ago <= 3 ? { clicks: 0, sales: 0 } : {})
  expect(kindsOf(steady(NOW, usual, gone))).toEqual(['no-clicks'])
})

test('a flood, and refused postbacks unless as many are recorded', () => {
  const flood = (ago: number) => (ago <= 1 ? { clicks: 900, sales: 90 } : {})
  expect(kindsOf(steady(NOW, { clicks: 100, sales: 10 }, flood))).toEqual([
    'many-clicks',
    'many-sales',
  ])
  const refused = (sales: number) => (ago: number) => (ago <= 2 ? { refused: 6, sales } : {})
  expect(kindsOf(steady(NOW, { sales: 1 }, refused(0)))).toEqual(['refused'])
  expect(kindsOf(steady(NOW, { sales: 1 }, refused(8)))).not.toContain('refused')
})

test('too little expected is not judged', () => {
  const gone = (ago: number) => (ago <= 24 * 14 ? { sales: 0 } : {})
  expect(kindsOf(steady(NOW, { sales: 0.012 }, gone))).toEqual([]) // four in two weeks
  expect(kindsOf(steady(NOW, { sales: 0.1 }, gone))).toEqual(['no-sales'])
})

test('a campaign of three weeks moves nothing, and its end is no silence', () => {
  const campaign = (ago: number) => (ago > 1 && ago < 21 * 24 ? { clicks: 400 } : {})
  expect(kindsOf(steady(NOW, { clicks: 100 }, campaign))).toEqual([])
})

test('an alarm is over once half of what is expected comes again', () => {
  const back = (clicks: number) => (ago: number) =>
    ago <= 1 ? { clicks } : ago <= 9 ? { clicks: 0 } : {}
  const over = (clicks: number) =>
    isOver('no-clicks', steady(NOW, { clicks: 100 }, back(clicks)), Date.parse(NOW), usualLimits)
  expect(over(0)).toBe(false)
  expect(over(40)).toBe(false)
  expect(over(60)).toBe(true)
})

test.each([
  ['the night that loses an hour', '2026-03-08T12:00:00Z'],
  ['the night that has one twice', '2026-11-01T12:00:00Z'],
])('%s: the same hours of the wall clock are expected, none twice', (_, now) => {
  const end = hourOf(now)
  const localHour = (hour: number) => (hour + offsetMsAt(hour * HOUR_MS) / HOUR_MS) % 24
  // As many as the wall clock says, so that an hour's shift would show.
  const counts = Array.from({ length: KEPT }, (_hour, place) => localHour(end - KEPT + place))
  const course = new Course({ firstHour: end - KEPT, counts })
  expect(course.usual(end - 12, end)).toBe(course.came(end - 12, end))
  expect(course.usual(end - 12, end - 0.5)).toBe(
    course.came(end - 12, end) - 0.5 * (counts.at(-1) ?? 0),
  )
})

test('the chance of nothing is that of Poisson, or of a negative binomial with its spread', () => {
  expect(chanceOf(0, 9, 0)).toBe(-9)
  expect(chanceOf(0, 20, 1 / 20)).toBeCloseTo(-20 * Math.log(2))
  expect(chanceOf(50, 10, 0)).toBeLessThan(-35)
})

/*
 * A year of a network of 50 sites: their rhythms of day and week, days that are better or worse, campaigns, growth and
 * decline, holidays, and both changes of the clocks.
 */
const YEAR = 365 * 24
const START = hourOf('2026-01-01T00:00:00Z')

test('a year of 50 sites has fewer than one false alarm a month', () => {
  const random = randomOf(2026)
  let raised = 0
  for (let site = 0; site < 50; site++) {
    const salesAnHour = 0.1 * 300 ** (site / 49) // from two a day to thirty an hour
    const year = simulate(random, { salesAnHour, clicksASale: 20 + random() * 60 })
    const open = new Set<string>()
    for (let hour = KEPT; hour < YEAR; hour++) {
      const figures = figuresAt(year, hour)
      const now = (START + hour) * HOUR_MS
      for (const { kind } of findAlarms(figures, now, usualLimits)) {
        if (!open.has(kind)) raised++
        open.add(kind)
      }
      for (const kind of open) {
        if (isOver(kind as 'no-clicks', figures, now, usualLimits)) open.delete(kind)
      }
    }
  }
  expect(raised).toBeLessThan((12 * (YEAR - KEPT)) / YEAR)
})

test('whenever a site that usually has ten sales an hour falls silent, it is told within two hours', () => {
  const random = randomOf(10)
  const year = simulate(random, { salesAnHour: 10, clicksASale: 30 })
  let silences = 0
  const missed: string[] = []
  for (let hour = KEPT; hour < YEAR - 2; hour += 31) {
    const usual = new Course({ firstHour: START, counts: year.sales.slice(0, hour) })
    const from = START + hour + random()
    if (usual.usual(START + hour, START + hour + 3) < 30) continue
    silences++
    const sales = year.sales.slice(0, hour + 1)
    sales[hour] = Math.round((sales[hour] ?? 0) * (from % 1))
    const clicks = year.clicks.slice(0, hour + 3)
    const figures = {
      clicks: new Course({ firstHour: START, counts: clicks }),
      sales: new Course({ firstHour: START, counts: [...sales, 0, 0] }),
    }
    const found = findAlarms(figures, (from + 2) * HOUR_MS, usualLimits)
    if (!found.some(({ kind }) => kind === 'clicks-without-sales'))
      missed.push(new Date(from * HOUR_MS).toISOString())
  }
  expect(missed).toEqual([])
  expect(silences).toBeGreaterThan(50)
})

type Year = { clicks: number[]; sales: number[] }

const coursesOf = new WeakMap<Year, Figures>()

/** What is known at an hour. A course answers for the past only, so one of the whole year answers for each hour. */
function figuresAt(year: Year, _hour: number): Figures {
  const known = coursesOf.get(year) ?? {
    clicks: new Course({ firstHour: START, counts: year.clicks }),
    sales: new Course({ firstHour: START, counts: year.sales }),
  }
  coursesOf.set(year, known)
  return known
}

function simulate(
  random: () => number,
  { salesAnHour, clicksASale }: { salesAnHour: number; clicksASale: number },
): Year {
  const growth = 0.7 + random() * 1.3 // within the year
  const night = 0.2 + random() * 0.5
  const peak = 12 + random() * 10
  const weekend = 0.6 + random() * 0.8
  const campaigns = Array.from({ length: 6 }, () => ({
    from: random() * YEAR,
    hours: 24 * (1 + random() * 5),
    times: 1.5 + random() * 1.5,
  }))
  const dayNoise = Array.from({ length: 366 }, () => Math.exp(0.15 * normal(random)))
  const clicks: number[] = []
  const sales: number[] = []
  for (let hour = 0; hour < YEAR; hour++) {
    const local = START + hour + offsetMsAt((START + hour) * HOUR_MS) / HOUR_MS
    const day = Math.floor(local / 24)
    const rhythm = night + (1 - night) * (1 + Math.cos(((local % 24) - peak) * (Math.PI / 12)))
    const ofWeek = (day + 3) % 7 >= 5 ? weekend : 1
    const campaign = campaigns.find(({ from, hours }) => hour >= from && hour < from + hours)
    const holiday = HOLIDAYS.has(new Date(day * 24 * HOUR_MS).toISOString().slice(5, 10)) ? 0.6 : 1
    const trend = growth ** (hour / YEAR)
    const noise = (dayNoise[Math.floor(hour / 24)] ?? 1) * Math.exp(0.1 * normal(random))
    const rate = salesAnHour * rhythm * ofWeek * (campaign?.times ?? 1) * holiday * trend * noise
    clicks.push(poisson(random, rate * clicksASale))
    sales.push(poisson(random, rate))
  }
  return { clicks, sales }
}

const HOLIDAYS = new Set(['05-25', '07-04', '11-26', '12-24', '12-25', '12-31'])

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

function poisson(random: () => number, mean: number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)))
  const least = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > least; product *= random()) count++
  return count
}
