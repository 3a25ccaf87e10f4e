/** Bonuses in percent of sales: `100 * bonusSales / sales`, or 0 without sales. */
export const bonusRatio = (bonusSales: number, sales: number): number =>
  sales === 0 || bonusSales === 0 ? 0 : (100 * bonusSales) / sales // never -0

/** Unique clicks per sale: `uniques / sales`, or 0 without sales. */
export const uniqueToSaleRatio = (uniques: number, sales: number): number =>
  sales === 0 ? 0 : uniques / sales

/** The unique-to-sale ratio as `1:n` with two decimal places, such as `1:12.50`; a dash without sales. */
export const uniqueToSaleLabel = (uniques: number, sales: number): string =>
  sales === 0 ? '–' : `1:${twoPlaces.format(uniqueToSaleRatio(uniques, sales))}`

/**
 * The change from the older period's sales to the newer's, in percent. From zero it is 100, or -100 if
 * reversals make the newer number negative, and 0 from zero to zero. The sign always shows the direction,
 * even if the older number is negative.
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
