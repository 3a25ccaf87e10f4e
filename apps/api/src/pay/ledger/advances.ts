import type { StatementContent } from '@tallyroom/contract/pay/statement'
import type { Advance } from './advances.queries.ts'

export type InstalmentLine = NonNullable<StatementContent['advances']>[number]

/**
 * What a statement takes back of a payee's advances, oldest first: of each, the shares that are due by now and were not
 * taken yet. All of it comes out of what the statement adds to the balance, never out of what it carries, which may be in a
 * payment run. Lines of nothing say what stays owed.
 */
export function instalmentsOf(
  advances: readonly Advance[],
  /** What was earned less the tax on it, and the balance before. */
  { amount, carried }: Pick<StatementContent, 'amount' | 'carried'>,
): InstalmentLine[] {
  let left = Math.max(0, Math.min(amount, amount + carried))
  return advances
    .filter((one) => one.taken < one.advanced)
    .map(({ proposalId, paidOn, voucher, advanced, instalments, statements, taken }) => {
      const place = statements + 1
      const due = dueBy(place, { advanced, instalments }) - taken
      const taking = Math.min(due, left)
      left -= taking
      return {
        id: proposalId,
        paidOn,
        voucher,
        place,
        of: instalments,
        amount: taking,
        owed: advanced - taken - taking,
      }
    })
}

/** Equal shares, rounded so that all of them add up to the advance. */
const dueBy = (
  place: number,
  { advanced, instalments }: Pick<Advance, 'advanced' | 'instalments'>,
): number => (place >= instalments ? advanced : Math.round((advanced * place) / instalments))
