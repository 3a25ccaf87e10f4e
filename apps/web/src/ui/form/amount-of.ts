/**
 * Parses a typed amount such as `12.50`, `1,250.50` or `₱1,250`. Returns NaN for anything else, which the API
 * refuses. Commas must separate thousands, so `12,50` is refused instead of becoming 1250.
 */
export const amountOf = (typed: string): number => {
  const text = typed.replaceAll(/[\s$₱]/g, '')
  return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : Number.NaN
}
