import { MAX_OTHER_RATES } from '@tallyroom/contract/figures/what-if'
import { type DateRange, isValidRange } from '@tallyroom/domain/periods'
import type { WhatIfSearch } from './what-if-search.ts'

/** What was typed for a link type. Empty means paid as before. */
export interface OtherRate {
  payout: string
  bonusPayout: string
}

/** Other rates by link type, from the text in the URL. Malformed parts are dropped. */
export const ratesOfText = (text = ''): Map<number, OtherRate> =>
  new Map(
    text.split(',').flatMap((part) => {
      const [, id, payout = '', bonusPayout = ''] =
        /^(\d{1,9}):([\d.]{0,12}):?([\d.]{0,12})$/.exec(part) ?? []
      return id === undefined || (payout === '' && bonusPayout === '')
        ? []
        : [[Number(id), { payout, bonusPayout }] as const]
    }),
  )

/** The text for the URL; undefined if nothing was typed. */
export const textOfRates = (rates: ReadonlyMap<number, OtherRate>): string | undefined =>
  [...rates]
    .filter(([, { payout, bonusPayout }]) => payout !== '' || bonusPayout !== '')
    .map(([id, { payout, bonusPayout }]) => `${id}:${payout}:${bonusPayout}`)
    .join(',') || undefined

/** In the format of the API: undefined for what stays as paid. */
const bodyOfRates = (rates: ReadonlyMap<number, OtherRate>) =>
  [...rates].map(([typeId, { payout, bonusPayout }]) => ({
    typeId,
    ...(payout !== '' && { payout: Number(payout) }),
    ...(bonusPayout !== '' && { bonusPayout: Number(bonusPayout) }),
  }))

/** Whether every figure is an amount in pesos and centavos, or empty. */
export const areAmounts = (texts: readonly string[]): boolean =>
  texts.every((text) => /^(\d{1,7}(\.\d{1,2})?)?$/.test(text))

/** What the URL asks, in the format of the API; undefined while it names no other rates or tiers, or malformed ones. */
export function questionOf(
  { groupBy = 'company', companyIds, replaceOwn = true, ...search }: WhatIfSearch,
  range: DateRange,
  /** Empty before the first schedule: there are no tiers to replace. */
  tiersNow: readonly { from: number; to: number }[],
) {
  const rates = ratesOfText(search.rates)
  const pesos = tiersNow.length > 0 ? search.tiers?.split(',') : undefined
  const figures = [...(pesos ?? []), ...[...rates.values()].flatMap((one) => Object.values(one))]
  if (figures.length === 0 || !areAmounts(figures)) return undefined
  if (!isValidRange(range) || rates.size > MAX_OTHER_RATES) return undefined
  return {
    ...range,
    groupBy,
    ...(companyIds && { companyIds }),
    rates: bodyOfRates(rates),
    replaceOwn,
    ...(pesos && {
      tiers: tiersNow.map(({ from, to }, index) => ({
        from,
        to,
        payoutPhp: Number(pesos[index] ?? 0),
      })),
    }),
  }
}
