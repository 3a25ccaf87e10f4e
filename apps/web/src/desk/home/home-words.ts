import type { Home, HomeSums } from '@tallyroom/contract/desk/home'
import { formatCount, signedDollars, signedPesos } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'

type Headline = Home['headline']

/** The figure by which a period is measured: amounts include bonuses. */
export function headlineOf(sums: HomeSums, headline: Headline): number {
  switch (headline) {
    case 'earning':
      return (sums.earning ?? 0) + (sums.bonusEarning ?? 0)
    case 'payout':
      return (sums.payout ?? 0) + (sums.bonusPayout ?? 0)
    case 'sales':
      return sums.sales
  }
}

/** Sales and bonuses, after reversals. */
export const eventsOf = ({ sales, bonusSales }: HomeSums): number => sales + bonusSales

export const formatHeadline = (value: number, headline: Headline): string =>
  ({ earning: signedDollars, payout: signedPesos, sales: formatSales })[headline](value)

/** '1 sale', '1,204 sales'. */
export const formatSales = (sales: number) =>
  `${formatCount(sales)} ${sales === 1 ? 'sale' : 'sales'}`

/** Shown beside the headline: '4 sales + 1 bonus · 96 uniques'. */
export function besides({ sales, bonusSales, uniques }: HomeSums, headline: Headline): string {
  const bonus = bonusSales === 1 ? '1 bonus' : `${formatCount(bonusSales)} bonuses`
  const sold = headline === 'sales' ? [] : [formatSales(sales)]
  if (bonusSales !== 0) sold.push(bonus)
  return [
    ...(sold.length > 0 ? [sold.join(' + ')] : []),
    `${formatCount(uniques)} ${uniques === 1 ? 'unique' : 'uniques'}`,
  ].join(' · ')
}

/** 'Sat 14 Nov'. */
export const dayText = (day: Day) => `${weekdays.format(asUtc(day))} ${dayAndMonth(day)}`

const dayAndMonth = (day: Day) => `${Number(day.slice(8))} ${months.format(asUtc(day))}`

const asUtc = (day: Day) => new Date(`${day}T00:00:00Z`)

const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** How many things wait for a decision of the viewer's. What waits by itself is not one of them. */
export function needsCountOf({
  needs,
  alarms,
}: Pick<NonNullable<Home['network']>, 'needs' | 'alarms'>): number {
  const { held, words, unmatched, pending, unapproved, pay } = needs
  const all = [...held, unmatched, pending, unapproved, ...Object.values(pay ?? {})]
  return all.reduce((sum, need) => sum + (need?.count ?? 0), alarms.length + words.length)
}
