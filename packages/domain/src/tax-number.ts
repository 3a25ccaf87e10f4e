/** Whose tax number it is: the Philippines', whose form is checked, or another country's. */
export const TAX_COUNTRIES = ['PH', 'other'] as const
export type TaxCountry = (typeof TAX_COUNTRIES)[number]

/**
 * What is wrong with a tax number, as it continues “Tax number …”; undefined if nothing is. A Philippine one has 9 digits,
 * or 12 to 14 with the code of the branch, with or without hyphens.
 */
export function whyNoTaxNumber(country: TaxCountry, typed: string): string | undefined {
  if (country === 'other') {
    return /^[\p{L}\d][\p{L}\d ./-]*$/u.test(typed)
      ? undefined
      : 'must have letters, digits, spaces, dots, slashes and hyphens only, and begin with a letter or a digit'
  }
  if (!/^[\d -]+$/.test(typed)) return 'must have digits and hyphens only'
  const { length } = digitsOf(typed)
  return length === 9 || (length >= 12 && length <= 14)
    ? undefined
    : `must have 9 digits, or 12 to 14 with the code of the branch, not ${length}`
}

/** A valid tax number as it is kept and printed. Philippine ones are grouped: `123-456-789-00000`. */
export function taxNumberText(country: TaxCountry, typed: string): string {
  if (country === 'other') return typed
  const digits = digitsOf(typed)
  return [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9), digits.slice(9)]
    .filter((group) => group !== '')
    .join('-')
}

/** The same for numbers of one taxpayer, however they are written: the head office is branch 000, or no branch. */
export function taxpayerOf(country: TaxCountry, taxNumber: string): string {
  if (country === 'other') return `other ${taxNumber.replaceAll(/[ ./-]/g, '').toUpperCase()}`
  const digits = digitsOf(taxNumber)
  const branch = Number(digits.slice(9))
  return `PH ${digits.slice(0, 9)}${branch === 0 ? '' : ` ${branch}`}`
}

/** Whether it can be the code of a district of the Philippine tax office: `043`, `25A`. */
export const isRevenueDistrict = (text: string): boolean => /^\d{2}[\dAB]$/.test(text)

/** The nine digits of a Philippine tax number, and the code of its branch in at least four: the head office is 0000, or none. */
export function tinOf(taxNumber: string): { tin: string; branch: string } {
  const digits = digitsOf(taxNumber)
  return { tin: digits.slice(0, 9), branch: String(Number(digits.slice(9))).padStart(4, '0') }
}

const digitsOf = (typed: string): string => typed.replaceAll(/[ -]/g, '')
