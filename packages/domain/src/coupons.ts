/*
 * Coupon codes: which texts are one, and which two are the same or look alike. A code says by itself whose sale an order is, so
 * nobody gets one that is easily taken for somebody else's.
 */

/** Characters of a code. */
export const COUPON_LENGTH = { least: 3, most: 32 } as const

/** ASCII letters and digits, with dots, dashes and underscores between them. */
export const isCouponCode = (text: string): boolean =>
  text.length >= COUPON_LENGTH.least &&
  text.length <= COUPON_LENGTH.most &&
  /^[A-Za-z\d][\w.-]*[A-Za-z\d]$/.test(text)

/** The same for codes that differ in case only, which shops take for one. */
export const couponKey = (code: string): string => code.toLowerCase()

/** The same for codes that are easily taken for each other: `ANNA10`, `anna-1O` and `ANNA.I0`. */
export const couponLook = (code: string): string =>
  couponKey(code).replaceAll(/[._-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')

/** What an agent puts in the place of the pattern's star: letters and digits. */
export const COUPON_NAME_LENGTH = { least: 3, most: 12 } as const

export const isCouponName = (text: string): boolean =>
  text.length >= COUPON_NAME_LENGTH.least &&
  text.length <= COUPON_NAME_LENGTH.most &&
  /^[A-Za-z\d]+$/.test(text)

/** A site's pattern for the codes that agents make: one star, and two to sixteen characters of a code around it. */
export function isCouponPattern(text: string): boolean {
  const parts = text.split('*')
  const fixed = parts.join('').length
  return parts.length === 2 && fixed >= 2 && fixed <= 16 && isCouponCode(codeOfPattern(text, 'ABC'))
}

/** `ANNA10` of `*10`. */
export const codeOfPattern = (pattern: string, name: string): string =>
  pattern.replace('*', () => name)
