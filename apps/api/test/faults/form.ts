import { appendFileSync } from 'node:fs'
import { enough } from './load.ts'
import { flawsOf, type Verdict } from './oracle.ts'

const isLong = process.env['TESTS'] === 'long'
const isThorough = process.env['TESTS'] === 'thorough'

/** How often and how long faults last: short in `.ci/run`, long in `npm run test:faults`. */
export const form = {
  kills: isLong ? 10 : 2,
  outageMs: isLong ? 20_000 : 3_000,
  /** How many races between concurrently starting processes to run. */
  races: isLong ? 6 : 1,
  /** How often totals are verified while they change. */
  verifications: isLong ? 100 : 10,
  clients: isLong ? 32 : 12,
  /** The timeout of one test. */
  timeoutMs: isLong ? 300_000 : 240_000,
  /** The longest a visitor may wait, even on a busy machine. */
  longestVisitMs: 10_000,
  /** How long a fault may take to be noticed. */
  patienceMs: 30_000,
  /** How long a cluster may take to settle the postbacks that waited for spooled clicks, one transaction each. */
  settlingMs: 240_000,
  isLong,
  /** The number of hostile requests for each endpoint, and how many one caller makes in a row. */
  requestsPerCall: isLong ? 400 : isThorough ? 20 : 6,
  /** `npm test` makes the same requests each time; longer forms draw others. */
  seed: isLong || isThorough ? undefined : 20_260_923,
  batch: isLong ? 500 : 50,
  fuzzTimeoutMs: isLong ? 3_600_000 : 900_000,
}

/**
 * Reasons why something may be lost or counted twice; empty if there are none. The long form also records the figures,
 * together with `more`.
 */
export function flawsIn(what: string, verdict: Verdict, more: object = {}): string[] {
  report(what, { ...figuresOf(verdict), ...more })
  return provesSomething(verdict)
    ? flawsOf(verdict)
    : ['a load that got nowhere proves nothing', ...flawsOf(verdict)]
}

const provesSomething = ({ clicks, sales, writes }: Verdict): boolean =>
  clicks.answered >= enough.clicks &&
  sales.answered >= enough.sales &&
  writes.answered >= enough.writes

/** Records figures of the long form for its final table. */
export function report(what: string, figures: object): void {
  const file = process.env['FAULTS_REPORT']
  if (file) appendFileSync(file, `${JSON.stringify({ what, ...figures })}\n`)
}

const figuresOf = ({ clicks, sales, writes, totals, audit }: Verdict) => ({
  'clicks sent': clicks.sent,
  answered: clicks.answered,
  stored: clicks.stored,
  lost: clicks.lost.length,
  doubled: clicks.doubled.length,
  invented: clicks.invented.length,
  'sales sent': sales.sent,
  'sales answered': sales.answered,
  'sales stored': sales.stored,
  'sales lost': sales.lost.length,
  'sales doubled': sales.doubled.length,
  'writes answered': writes.answered,
  'writes stored': writes.stored,
  'writes lost': writes.lost.length,
  'writes doubled': writes.doubled.length,
  'totals off': totals.length,
  'logs off': audit.length,
})
