/**
 * A typed figure, such as `12.50`, `1,250.50` or `₱1,250`; NaN for what is none, which no call takes. Commas must
 * stand between thousands: `12,50` is nobody's 1250.
 */
export const amountOf = (typed: string): number => {
  const text = typed.replaceAll(/[\s$₱]/g, '')
  return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : Number.NaN
}
