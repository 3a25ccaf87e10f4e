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
export const bodyOfRates = (rates: ReadonlyMap<number, OtherRate>) =>
  [...rates].map(([typeId, { payout, bonusPayout }]) => ({
    typeId,
    ...(payout !== '' && { payout: Number(payout) }),
    ...(bonusPayout !== '' && { bonusPayout: Number(bonusPayout) }),
  }))

/** Whether every figure is an amount in pesos and centavos, or empty. */
export const areAmounts = (texts: readonly string[]): boolean =>
  texts.every((text) => /^(\d{1,7}(\.\d{1,2})?)?$/.test(text))
