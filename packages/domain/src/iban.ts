/**
 * Whether a text is an IBAN with the right check digits (ISO 13616: the number that its letters and digits make, with the first
 * four at the end, is 1 modulo 97). Blanks and hyphens don't count.
 */
export function isIban(text: string): boolean {
  const bare = text.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(bare)) return false
  const digits = `${bare.slice(4)}${bare.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 'A'.charCodeAt(0) + 10),
  )
  return BigInt(digits) % 97n === 1n
}
