import { type Act, acts, type Deed, deedInWords } from '@tallyroom/domain/acts'
import type { Persons } from './persons.ts'

/** Something that bars its doer from an act, and whoever is one person with them. */
export type DoneDeed = {
  deed: Deed
  by: number
  /** The payee or the period that it was about. */
  of?: string
}

/** Why an account may not do an act after these deeds, and until when if that is known. */
export type WhyNot = {
  /** A predicate of the account: `prepared this run`, or `made the account helper9 …, and helper9 prepared this run`. */
  why: string
  /** Null if it doesn't end by itself. */
  until: Date | null
}

/** Undefined if the account may do the act. Deeds by the account itself come before those of the same person. */
export function whyMayNot(
  act: Act,
  accountId: number,
  done: readonly DoneDeed[],
  persons: Persons,
): WhyNot | undefined {
  const barring: readonly Deed[] = acts[act]
  const counted = done.filter(({ deed }) => barring.includes(deed))
  const own = counted.filter(({ by }) => by === accountId)
  if (own[0]) return { why: told(own, own[0]), until: null }
  for (const one of counted) {
    const same = persons.onePerson(accountId, one.by)
    if (!same) continue
    const theirs = counted.filter(({ by }) => by === one.by)
    return {
      why: `${same.why}, and ${persons.nameOf(one.by)} ${told(theirs, one)}`,
      until: same.until,
    }
  }
  return undefined
}

/** The first deed; of the same deed for other payees, only how many. */
function told(done: readonly DoneDeed[], first: DoneDeed): string {
  const others =
    new Set(done.filter(({ deed }) => deed === first.deed).map(({ of }) => of)).size - 1
  return deedInWords(first.deed, others > 0 ? `${first.of} and ${others} more` : (first.of ?? ''))
}
