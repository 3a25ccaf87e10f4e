import type { Found } from '@tallyroom/contract/desk/find'

/** A match, and how good it is. */
export type Ranked = { found: Omit<Found, 'isExact'>; rank: number }

/** Best first. An order number that only starts with the text ranks below any name. */
export const RANK = { exact: 0, beginning: 1, part: 2, beginningOfOrder: 3 }

export function rankOf(text: string, names: readonly (string | null)[]): number {
  const wanted = text.toLowerCase()
  const ranks = names.map((name) => {
    const lower = (name ?? '').toLowerCase()
    if (lower === wanted) return RANK.exact
    return lower.startsWith(wanted) ? RANK.beginning : RANK.part
  })
  return Math.min(...ranks)
}
