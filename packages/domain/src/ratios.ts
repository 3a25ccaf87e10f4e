/** How many of a hundred sales are bonuses: `100 * bonusSales / sales`, 0 without sales. */
export const bonusRatio = (bonusSales: number, sales: number): number =>
  sales === 0 || bonusSales === 0 ? 0 : (100 * bonusSales) / sales // never -0

/** How many unique clicks it takes to make a sale: `uniques / sales`, 0 without sales. */
export const uniqueToSaleRatio = (uniques: number, sales: number): number =>
  sales === 0 ? 0 : uniques / sales

/** The unique-to-sale ratio as `1:n`, n with two places: `1:12.50`; without sales there is none to name. */
export const uniqueToSaleLabel = (uniques: number, sales: number): string =>
  sales === 0 ? '–' : `1:${twoPlaces.format(uniqueToSaleRatio(uniques, sales))}`

/**
 * By how many percent the newer period's sales exceed the older's. From nothing to something is 100
 * (to less than nothing, by reversals, -100), from nothing to nothing 0. The sign always tells the
 * direction, also when the older period's sales are below zero.
 */
export const progress = (newerSales: number, olderSales: number): number =>
  olderSales === 0
    ? 100 * Math.sign(newerSales)
    : (100 * (newerSales - olderSales)) / Math.abs(olderSales)

const twoPlaces = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'negative',
})
