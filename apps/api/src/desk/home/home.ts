import type { Home, HomePeriod, HomeSums } from '@tallyroom/contract/desk/home'
import { institutionName } from '@tallyroom/domain/institutions'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { type DateRange, daysInRange, periodOf } from '@tallyroom/domain/periods'
import { buildTrackedLink } from '@tallyroom/domain/tracked-link'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { sharedFor } from '../../lib/shared-for.ts'
import type { Services } from '../../services.ts'
import { foldOrRefuse, readFoldedTotals } from '../../totals/index.ts'
import {
  findSchedulesOf,
  stepsOf,
  chooseHost,
  findUsedLinks,
  findVisibleAmounts,
  type VisibleAmounts,
} from '../../catalogue/index.ts'
import { listCloseAgents, readStanding } from '../../figures/index.ts'
import { findOwnPay, findAccountInForce } from '../../pay/index.ts'
import { latestSales } from '../sale-logs/search-sale-logs.ts'
import { type ComparedPeriod, homePeriods } from './home-periods.ts'
import { type HomeReader, NOTHING, presentSums } from './home-reader.ts'
import {
  countAvpAgents,
  type DaySums,
  findDays,
  findPartOfDay,
  type PartSums,
  type Sums,
  sumTierPay,
} from './home.queries.ts'
import { readAgents } from './office-agents.ts'
import { readNetwork } from './network.ts'
import { readSetup } from './setup.ts'

export type HomeParts = Pick<Services, 'db' | 'reportDb' | 'clock' | 'config'>

/**
 * Every open Home polls, an agent's with an AVP week every five seconds, so fold at most once in
 * this time.
 */
const foldMs = 3_000
const courseDays = 14
const salesShown = 6
const linksShown = 5
const closeShown = 5

/**
 * The viewer's own first screen: figures from the totals, and what waits for them, in one snapshot.
 * Like reports, it is refused while totals are rebuilt, instead of showing old figures.
 */
export function makeHome(parts: HomeParts): (viewer: Viewer) => Promise<Home> {
  const fold = sharedFor(foldMs, () => foldOrRefuse(parts.db), parts)

  return async (viewer) => {
    await fold()
    return readFoldedTotals(parts, async (tx, today) => {
      const visible = await findVisibleAmounts(tx, viewer)
      const scope = scopeOf(viewer)
      const now = tx.now
      return readHome({ tx, viewer, scope, today, now, visible, config: parts.config })
    })
  }
}

async function readHome(reader: HomeReader): Promise<Home> {
  const { tx, viewer, scope, today, now, visible } = reader
  const periods = homePeriods(today, now)
  const start = periodOf(today, 'beWeek', 2).start
  const days = await findDays(tx, scope, { range: { start, end: today }, today })
  const weekAgo = periods.today.before.until
  const parts = await findPartOfDay(tx, scope, weekAgo)
  const pay = await readPay(reader)
  const headline = headlineOf(viewer, visible, pay)
  const present = (period: ComparedPeriod, course: DateRange): HomePeriod => ({
    start: period.start,
    end: period.end,
    sums: presentSums(sumOf(within(days, period)), visible),
    before: period.before && {
      start: period.before.start,
      end: period.before.end,
      sums: sumsBefore(period.before, days, parts, visible),
    },
    course: courseOf(course, days, (sums) => headlineFigure(sums, headline)),
  })
  const lastDays = { start: addDays(today, 1 - courseDays), end: today }
  return {
    today,
    headline,
    periods: {
      today: present(periods.today, lastDays),
      halfMonth: present(periods.halfMonth, periods.halfMonth),
      lastHalfMonth: present(periods.lastHalfMonth, periods.lastHalfMonth),
    },
    ...(pay && { pay }),
    avpWeek: await readAvpWeek(reader, days, { lastDays, isPayOn: pay !== undefined }),
    ...(await readStandings(reader)),
    latestSales: await latestSales(tx, scope, { sees: visible, limit: salesShown }),
    ...(scope.sees === 'agent' && { links: await readLinks(reader, scope) }),
    ...(scope.sees === 'office' && { agents: await readAgents(reader, scope) }),
    ...(scope.sees === 'everything' && {
      network: await readNetwork(reader, parts),
    }),
    ...(viewer.role === 'superadmin' && { setup: await readSetup(reader) }),
  }
}

/**
 * Staff see what the network earns. Everybody else sees what rates pay, until pay is on: what is paid then depends on
 * tiers too, which have no sum of a day, so that sales are compared.
 */
function headlineOf({ role }: Viewer, visible: VisibleAmounts, pay: Home['pay']): Home['headline'] {
  const isStaff = role === 'superadmin' || role === 'admin'
  if (isStaff && visible.earning) return 'earning'
  return visible.payout && !pay ? 'payout' : 'sales'
}

/** What the viewer is paid, while pay is on, and where the next payment goes. */
async function readPay({ tx, scope, today, now, visible }: HomeReader): Promise<Home['pay']> {
  if (scope.sees === 'everything' || !visible.payout) return undefined
  const pay = await findOwnPay(tx, { scope, today, now })
  if (!pay) return undefined
  const { next } = pay
  if (!next) return { ...pay, next: null }
  if (next.isPart) return { ...pay, next: { ...next, account: null } }
  const inForce = await findAccountInForce(tx, next.payee)
  const account = inForce
    ? {
        institution: institutionName(inForce.institution ?? ''),
        lastCharacters: inForce.last_characters,
      }
    : null
  return { ...pay, next: { ...next, account } }
}

const headlineFigure = (sums: Sums, headline: Home['headline']): number => {
  switch (headline) {
    case 'earning':
      return fromMinorUnits(sums.earning_cents + sums.bonus_earning_cents)
    case 'payout':
      return fromMinorUnits(sums.payout_centavos + sums.bonus_payout_centavos)
    case 'sales':
      return sums.sales
  }
}

function sumsBefore(
  before: NonNullable<ComparedPeriod['before']>,
  days: readonly DaySums[],
  parts: readonly PartSums[],
  visible: VisibleAmounts,
): HomeSums {
  if (!before.until) return presentSums(sumOf(within(days, before)), visible)
  const { uniques: _byWholeDays, ...sums } = presentSums(
    sumOf(parts.map((part) => ({ ...NOTHING, ...part }))),
    visible,
  )
  return sums
}

const within = (days: readonly DaySums[], { start, end }: DateRange) =>
  days.filter(({ day }) => day >= start && day <= end)

const sumOf = (rows: readonly Sums[]): Sums =>
  rows.reduce(
    (sum, row) => ({
      sales: sum.sales + row.sales,
      bonus_sales: sum.bonus_sales + row.bonus_sales,
      uniques: sum.uniques + row.uniques,
      avp_sales: sum.avp_sales + row.avp_sales,
      payout_centavos: sum.payout_centavos + row.payout_centavos,
      bonus_payout_centavos: sum.bonus_payout_centavos + row.bonus_payout_centavos,
      earning_cents: sum.earning_cents + row.earning_cents,
      bonus_earning_cents: sum.bonus_earning_cents + row.bonus_earning_cents,
    }),
    NOTHING,
  )

function courseOf(
  range: DateRange,
  days: readonly DaySums[],
  figure: (sums: Sums) => number,
): number[] {
  const byDay = new Map(days.map((sums) => [sums.day, figure(sums)]))
  return Array.from(
    { length: daysInRange(range) },
    (_, index) => byDay.get(addDays(range.start, index)) ?? 0,
  )
}

async function readAvpWeek(
  { tx, scope, today, visible }: HomeReader,
  days: readonly DaySums[],
  { lastDays, isPayOn }: { lastDays: DateRange; isPayOn: boolean },
): Promise<Home['avpWeek']> {
  const { start } = periodOf(today, 'week')
  const week = { start, end: today }
  const [schedule] = await findSchedulesOf(tx, { start, end: start })
  if (!schedule) return null
  const { avp_sales: avpSales } = sumOf(within(days, week))
  return {
    ...week,
    avpSales,
    agents: await countAvpAgents(tx, scope, { range: week, today }),
    course: courseOf(lastDays, days, (sums) => sums.avp_sales),
    ...(scope.sees !== 'everything' &&
      visible.payout &&
      !isPayOn && {
        byTiers: fromMinorUnits(
          await sumTierPay(
            tx,
            scope,
            { start, end: periodOf(today, 'week').end },
            stepsOf([schedule]),
          ),
        ),
      }),
  }
}

/**
 * Whose standing among the tiers is shown: an agent's own, or those of an office's agents who are
 * close to the next tier.
 */
async function readStandings(reader: HomeReader): Promise<Pick<Home, 'avpStanding' | 'avpClose'>> {
  const { scope } = reader
  if (scope.sees === 'agent') {
    const avpStanding = await readStanding(reader, scope.agentId)
    return avpStanding.tiers.length > 0 ? { avpStanding } : {}
  }
  if (scope.sees !== 'office') return {}
  const first = { page: 1, pageSize: closeShown, sortField: 'missing', sortAsc: true } as const
  const { total, items } = await listCloseAgents(reader, {
    ...first,
    companyId: undefined,
    siteId: undefined,
  })
  return total > 0 ? { avpClose: { total, items } } : {}
}

async function readLinks(
  { tx, today, config }: HomeReader,
  scope: Scope & { sees: 'agent' },
): Promise<Home['links']> {
  const { agentId } = scope
  const used = await findUsedLinks(
    tx,
    { agentId, scope },
    { range: { start: addDays(today, 1 - courseDays), end: today }, today, limit: linksShown },
  )
  const [first] = used
  if (!first) return []
  const { domain: host } = await chooseHost(tx, first, config.publicUrl)
  return used.map(({ domain: _sameForAll, ...link }) => ({
    ...link,
    link: buildTrackedLink(host, { siteId: link.siteId, typeId: link.typeId, agentId }),
  }))
}
