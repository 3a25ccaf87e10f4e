import { type Instant, offsetMsAt } from './new-york.ts'

/** What is watched by the hour. A network has one subject, 0. */
export const WATCHED = ['network', 'site', 'type', 'office'] as const
export type Watched = (typeof WATCHED)[number]

/** What the numbers say: nothing comes, too much comes, clicks bring no sales, a merchant's postbacks are refused. */
const FIGURE_ALARMS = [
  'no-clicks',
  'no-sales',
  'clicks-without-sales',
  'many-clicks',
  'many-sales',
  'refused',
] as const
export type FigureAlarm = (typeof FIGURE_ALARMS)[number]

/** What asking tells: of a link type's target, and of a preferred domain. */
export const LINK_ALARMS = ['target-fails', 'target-moved', 'domain-fails', 'certificate'] as const
export type LinkAlarm = (typeof LINK_ALARMS)[number]

/**
 * What proves that nobody has changed the database does not match: an act of money was refused for it, or a verification found it.
 */
export const PROOF_ALARMS = [
  'money-refused',
  'pay-differs',
  'logs-differ',
  'totals-differ',
] as const
export type ProofAlarm = (typeof PROOF_ALARMS)[number]

export const ALARM_KINDS = [...FIGURE_ALARMS, ...LINK_ALARMS, ...PROOF_ALARMS] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]

export const isProofAlarm = (kind: string): kind is ProofAlarm =>
  PROOF_ALARMS.some((one) => one === kind)

export const isFigureAlarm = (kind: string): kind is FigureAlarm =>
  FIGURE_ALARMS.some((one) => one === kind)

/** When an alarm is raised. */
export type AlarmLimits = {
  /** An alarm by chance alone is raised for a subject on one of this many days at most. */
  oneInDays: number
  /** Less expected is not judged. */
  leastClicks: number
  leastSales: number
  /** What is too much, as a multiple of what is expected. */
  floodTimes: number
}

export const usualLimits: AlarmLimits = {
  oneInDays: 10_000,
  leastClicks: 20,
  leastSales: 5,
  floodTimes: 5,
}

/** What a subject had, or has: by whole hours since `firstHour`, counted since 1970. */
export type Hours = { firstHour: number; counts: readonly number[] }

/** The three numbers of a subject. Refused postbacks are known for sites only. */
export type Figures = { clicks: Course; sales: Course; refused?: Course | undefined }

/** A reason for an alarm, and the window that shows it best: the one that chance explains worst. */
export type Finding = {
  kind: FigureAlarm
  since: Date
  /** What is usual in the window: of sales while fewer clicks come, what these usually bring. */
  expected: number
  came: number
}

export const HOUR_MS = 3_600_000
const WEEKS = 8
const WEEK_HOURS = 168
/** How many days have to be known: the longest window, the week before it, and eight weeks before that. */
export const DAYS_KEPT = 7 * (2 + 1 + WEEKS)

/** The lengths of the windows, in hours. The last hour of each is the current one, so far. */
const WINDOWS = [1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 168, 336] as const
/** Longer windows are taken to spread like days. */
const LONGEST_SPREAD = 24
/** As how many independent looks those of a day count: most share their hours with others. */
const LOOKS_A_DAY = 10
/** Of what is expected, less than this came: whatever is rarer than chance but smaller is no outage. */
const SILENT_SHARE = 1 / 3
/** A holiday or a campaign is no alarm: chance is judged as if this part were usual, and of a flood, this part of the least. */
const BAD_DAY = 1 / 2
const GOOD_DAY = 1 / 2
/** What ends an alarm: at least this share of what is expected, or at most this part of a flood. */
const BACK_SHARE = 1 / 2
/** Nothing is expected to be refused; a rate of nothing at all would make the first one a miracle. */
const LEAST_REFUSED_EXPECTED = 0.5

/** One number of a subject by the hour, which answers for any window of the weeks that it knows. */
export class Course {
  readonly #first: number
  readonly #sums: Float64Array
  readonly #firstLocal: number
  readonly #localSums: Float64Array
  readonly #weekly = new Float64Array(WEEKS)

  constructor({ firstHour, counts }: Hours) {
    this.#first = firstHour
    this.#sums = sumsOf(counts)
    this.#firstLocal = localHourOf(firstHour)
    const last = localHourOf(firstHour + counts.length)
    const local = new Float64Array(Math.max(0, last - this.#firstLocal) + 1)
    const times = new Uint8Array(local.length)
    for (let place = 0; place < counts.length; place++) {
      const hour = localHourOf(firstHour + place) - this.#firstLocal
      local[hour] = (local[hour] ?? 0) + (counts[place] ?? 0)
      times[hour] = (times[hour] ?? 0) + 1
    }
    // The hour that November repeats is one hour of that week.
    for (const [hour, count] of times.entries())
      if (count > 1) local[hour] = (local[hour] ?? 0) / count
    this.#localSums = sumsOf(local)
  }

  /** What came from one whole hour to another, counted since 1970. */
  came(from: number, to: number): number {
    return at(this.#sums, to - this.#first) - at(this.#sums, from - this.#first)
  }

  /**
   * What is usual from a whole hour to an instant, in hours since 1970: the median of what came in the same hours of the
   * week, in New York, in the eight weeks before.
   */
  usual(from: number, to: number): number {
    const skipped = Math.ceil((to - from) / WEEK_HOURS)
    const start = localHourOf(from)
    const end = localHourOf(Math.floor(to)) + (to % 1)
    const change = end - start === to - from ? undefined : clockChange(from, Math.floor(to))
    let known = 0
    for (let week = Math.max(1, skipped); week <= WEEKS; week++) {
      const back = week * WEEK_HOURS
      this.#weekly[known++] =
        change === undefined
          ? this.#local(start - back, end - back)
          : this.#local(start - back, start - back + change - from) +
            this.#local(localHourOf(change) - back, end - back)
    }
    return medianOf(this.#weekly, known)
  }

  /** A part of the last hour counts for its share. */
  #local(from: number, to: number): number {
    const whole = Math.floor(to)
    const last = at(this.#localSums, whole - this.#firstLocal)
    const next = at(this.#localSums, whole + 1 - this.#firstLocal)
    return last + (next - last) * (to - whole) - at(this.#localSums, from - this.#firstLocal)
  }

  /**
   * How the week before a window was beside what was usual then: a season that the weeks do not know yet. With `causes`, beyond
   * what these explain.
   */
  level(from: number, causes?: Course): number {
    const usual = this.usual(from - WEEK_HOURS, from)
    if (usual === 0) return 1
    const level = this.came(from - WEEK_HOURS, from) / usual
    return causes ? level / (causes.level(from) || 1) : level
  }

  /**
   * By how much windows of this length differed from what is usual, beyond what chance alone does, below or above it:
   * the variance of the rate, relative to its square (1/k of a negative binomial). With `causes`, beside what so few of these
   * usually bring.
   */
  spread(before: number, hours: number, side: 'below' | 'above', causes?: Course): number {
    const length = Math.min(hours, LONGEST_SPREAD)
    let squares = 0
    let means = 0
    let squaredMeans = 0
    const values = new Float64Array(WEEKS)
    const caused = new Float64Array(WEEKS)
    const start = localHourOf(before) - WEEKS * WEEK_HOURS
    for (let place = 0; place + length <= WEEK_HOURS; place += length) {
      for (let week = 0; week < WEEKS; week++) {
        const from = start + week * WEEK_HOURS + place
        values[week] = this.#weekly[week] = this.#local(from, from + length)
        if (causes) caused[week] = causes.#weekly[week] = causes.#local(from, from + length)
      }
      const median = medianOf(this.#weekly, WEEKS)
      const usualCauses = causes ? medianOf(causes.#weekly, WEEKS) : 0
      for (let week = 0; week < WEEKS; week++) {
        const share = usualCauses > 0 ? Math.min(1, (caused[week] ?? 0) / usualCauses) : 1
        const mean = median * share
        const difference = (values[week] ?? 0) - mean
        if (side === 'below' ? difference < 0 : difference > 0) squares += 2 * difference ** 2
        means += mean
        squaredMeans += mean ** 2
      }
    }
    return squaredMeans === 0 ? 0 : Math.max(0, (squares - means) / squaredMeans)
  }
}

/**
 * What is wrong with a subject now. One finding of each kind at most; silence of clicks explains that of sales, because
 * sales are expected of the clicks that came.
 */
export function findAlarms(figures: Figures, now: Instant, limits: AlarmLimits): Finding[] {
  const worst = new Map<FigureAlarm, Finding & { chance: number }>()
  const least = Math.log(1 / (limits.oneInDays * LOOKS_A_DAY))
  const hour = Number(now) / HOUR_MS
  const note: Note = (kind, from, expected, came, chance) => {
    if (chance > least || chance >= (worst.get(kind)?.chance ?? 0)) return
    worst.set(kind, { kind, since: new Date(from * HOUR_MS), expected, came, chance })
  }
  for (const length of WINDOWS) {
    const from = Math.ceil(hour) - length
    judge(figures, { from, to: hour, length }, limits, note)
  }
  return [...worst.values()].map(({ chance: _chance, ...finding }) => finding)
}

type Window = { from: number; to: number; length: number }
type Note = (
  kind: FigureAlarm,
  from: number,
  expected: number,
  came: number,
  chance: number,
) => void

function judge(
  { clicks, sales, refused }: Figures,
  { from, to, length }: Window,
  limits: AlarmLimits,
  note: Note,
): void {
  const end = Math.ceil(to)
  const below = (course: Course, usual: number, came: number, least: number) => {
    if (usual < least || came > usual * SILENT_SHARE) return undefined
    const expected = usual * Math.min(1, course.level(from))
    if (expected < least || came > expected * SILENT_SHARE) return undefined
    const spread = course.spread(from, length, 'below')
    return { expected, chance: chanceOf(came, expected * BAD_DAY, spread) }
  }
  const above = (course: Course, usual: number, came: number, least: number) => {
    if (usual < least || came < usual * limits.floodTimes) return undefined
    const expected = usual * Math.max(1, course.level(from))
    if (came < expected * limits.floodTimes) return undefined
    const spread = course.spread(from, length, 'above')
    return { expected, chance: chanceOf(came, expected * limits.floodTimes * GOOD_DAY, spread) }
  }
  const clicksUsual = clicks.usual(from, to)
  const clicksCame = clicks.came(from, end)
  const silent = below(clicks, clicksUsual, clicksCame, limits.leastClicks)
  if (silent) note('no-clicks', from, silent.expected, clicksCame, silent.chance)
  const flooded = above(clicks, clicksUsual, clicksCame, limits.leastClicks)
  if (flooded) note('many-clicks', from, flooded.expected, clicksCame, flooded.chance)

  const salesUsual = sales.usual(from, to)
  const salesCame = sales.came(from, end)
  if (clicksUsual >= limits.leastClicks) {
    // What the clicks that came usually bring: no bad day is an excuse.
    const expected =
      salesUsual * Math.min(1, clicksCame / clicksUsual) * Math.min(1, sales.level(from, clicks))
    if (expected >= limits.leastSales && salesCame <= expected * SILENT_SHARE) {
      const chance = chanceOf(salesCame, expected, sales.spread(from, length, 'below', clicks))
      note('clicks-without-sales', from, expected, salesCame, chance)
    }
  } else {
    const unsold = below(sales, salesUsual, salesCame, limits.leastSales)
    if (unsold) note('no-sales', from, unsold.expected, salesCame, unsold.chance)
  }
  const oversold = above(sales, salesUsual, salesCame, limits.leastSales)
  if (oversold) note('many-sales', from, oversold.expected, salesCame, oversold.chance)

  const refusedCame = refused?.came(from, end) ?? 0
  if (refused && refusedCame >= limits.leastSales && refusedCame > salesCame) {
    const expected = Math.max(refused.usual(from, to), LEAST_REFUSED_EXPECTED)
    if (refusedCame <= expected * limits.floodTimes) return
    const chance = chanceOf(refusedCame, expected, refused.spread(from, length, 'above'))
    note('refused', from, expected, refusedCame, chance)
  }
}

/**
 * Whether what an alarm tells of is over: in the shortest window long enough to say so since it was raised. Also if nothing is
 * expected any more, after weeks.
 */
export function isOver(
  kind: FigureAlarm,
  { clicks, sales, refused }: Figures,
  now: Instant,
  limits: AlarmLimits,
): boolean {
  const to = Number(now) / HOUR_MS
  for (const length of WINDOWS) {
    const from = Math.ceil(to) - length
    const salesCame = sales.came(from, Math.ceil(to))
    if (kind === 'refused') {
      const came = refused?.came(from, Math.ceil(to)) ?? 0
      // A day without a postback says that nobody tries any more.
      if (came + salesCame >= limits.leastSales || length >= 24) return came <= salesCame
      continue
    }
    const isOfClicks = kind === 'no-clicks' || kind === 'many-clicks'
    const course = isOfClicks ? clicks : sales
    const clicksUsual = clicks.usual(from, to)
    const isUnsold = kind === 'clicks-without-sales' && clicksUsual > 0
    const share = isUnsold ? Math.min(1, clicks.came(from, Math.ceil(to)) / clicksUsual) : 1
    const expected = course.usual(from, to) * share
    if (expected < (isOfClicks ? limits.leastClicks : limits.leastSales)) continue
    const came = course.came(from, Math.ceil(to))
    return kind === 'many-clicks' || kind === 'many-sales'
      ? came <= expected * Math.max(1, course.level(from)) * limits.floodTimes * BACK_SHARE
      : came >= expected * Math.min(1, course.level(from)) * BACK_SHARE
  }
  return true
}

/**
 * The natural logarithm of at most how likely it is that so little, or so much, comes by chance (Chernoff's bound of a negative
 * binomial; of Poisson without spread). Exact for nothing at all, otherwise a little too careful.
 */
export function chanceOf(came: number, expected: number, spread: number): number {
  const share = came === 0 ? 0 : came * Math.log(came / expected)
  if (spread < 1e-9) return came - expected - share
  const k = 1 / spread
  return (came + k) * Math.log((came + k) / (expected + k)) - share
}

/** The hour of New York's wall clock, counted since its 1970. */
const localHourOf = (hour: number): number => hour + offsetMsAt(hour * HOUR_MS) / HOUR_MS

/** The first hour of a stretch, which has one, with other clocks than its beginning. */
function clockChange(from: number, to: number): number {
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = (before + after) >> 1
    if (localHourOf(middle) - middle === localHourOf(from) - from) before = middle
    else after = middle
  }
  return after
}

function sumsOf(counts: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(counts.length + 1)
  for (let place = 0; place < counts.length; place++) {
    sums[place + 1] = (sums[place] ?? 0) + (counts[place] ?? 0)
  }
  return sums
}

/** Nothing is known before the first hour and after the last. */
const at = (sums: Float64Array, place: number): number =>
  sums[Math.min(Math.max(place, 0), sums.length - 1)] ?? 0

/** Sorts the values. There are eight at most, and a look at a network asks for millions of medians. */
function medianOf(values: Float64Array, count: number): number {
  if (count === 0) return 0
  for (let place = 1; place < count; place++) {
    const value = values[place] ?? 0
    let hole = place
    for (; hole > 0 && (values[hole - 1] ?? 0) > value; hole--) values[hole] = values[hole - 1] ?? 0
    values[hole] = value
  }
  const middle = count >> 1
  const upper = values[middle] ?? 0
  return count % 2 === 1 ? upper : (upper + (values[middle - 1] ?? 0)) / 2
}
