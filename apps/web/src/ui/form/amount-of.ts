/** A typed figure, such as `12.50`; NaN for what is none, which no call takes. */
export const amountOf = (typed: string): number => {
  const text = typed.trim()
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}
