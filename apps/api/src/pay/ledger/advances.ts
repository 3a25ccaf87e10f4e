import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import type { Advance } from './advances.queries.ts'

export type InstalmentLine = NonNullable<StatementContent['advances']>[number]

/**
 * What a statement takes back of a payee's advances, oldest first: of each, the shares that are due by now and were not
 * taken yet. What was given back comes off the last shares. What is taken comes out of what the statement adds to the
 * balance, never out of what it carries, which may be in a payment run. Lines of nothing say what stays owed.
 */
export function instalmentsOf(
  advances: readonly Advance[],
  /** What was earned less the tax on it, and the balance before. */
  { amount, carried }: Pick<StatementContent, 'amount' | 'carried'>,
): InstalmentLine[] {
  let left = Math.max(0, Math.min(amount, amount + carried))
  return advances
    .filter((one) => openOf(one) > 0)
    .map((one) => {
      const { proposalId, paidOn, voucher, instalments, statements } = one
      const place = statements + 1
      const open = openOf(one)
      const due = Math.min(dueBy(place, one) - one.taken, open)
      const taking = Math.min(due, left)
      left -= taking
      return {
        id: proposalId,
        paidOn,
        voucher,
        place,
        of: instalments,
        amount: taking,
        owed: open - taking,
      }
    })
}

/** What of an advance is still owed. */
export const openOf = ({
  advanced,
  taken,
  givenBack,
  givenUp,
}: Pick<Advance, 'advanced' | 'taken' | 'givenBack' | 'givenUp'>): number =>
  advanced - taken - givenBack - givenUp

/** Equal shares, rounded so that all of them add up to the advance. */
const dueBy = (
  place: number,
  { advanced, instalments }: Pick<Advance, 'advanced' | 'instalments'>,
): number => (place >= instalments ? advanced : Math.round((advanced * place) / instalments))
