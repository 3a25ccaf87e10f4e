import {
  type Act,
  acts,
  DAY_MS,
  dayInWords,
  type Deed,
  deedInWords,
  deedsOfTwo,
  FACTOR_RESET_DAYS,
  factorResets,
} from '@tallyroom/domain/acts'
import type { Tx } from '../../db/database.ts'
import { forbidden } from '../../errors.ts'
import { findPersons, type Persons } from './persons.ts'

/** Something that bars its doer from an act, and whoever is one person with them. */
export type DoneDeed = {
  deed: Deed
  by: number
  /** The payee or the period that it was about. */
  of?: string
  /** By whom it was approved, if it waited for that. */
  approved?: DeedApproval | null
}

/** An approval of a deed. `before`: its place in the chain of seals, infinite without a seal. */
export type DeedApproval = { by: number; at: Date; before: number }

/** Why an account may not do an act after these deeds, and until when if that is known. */
export type WhyNot = {
  /** A predicate of the account: `prepared this run`, or `made the account helper9 …, and helper9 prepared this run`. */
  why: string
  /** Null if it doesn't end by itself. */
  until: Date | null
}

/**
 * Undefined if the account may do the act. Deeds by the account itself come before those of the same person. What two people
 * have decided bars neither. Whoever lost the second factor to the operator, or changed it with
 * a recovery code, approves nothing for some days, whatever was done.
 *
 * @param persons of the account, of who did the deeds, and of who approved them
 */
export function whyMayNot(
  act: Act,
  accountId: number,
  done: readonly DoneDeed[],
  persons: Persons,
): WhyNot | undefined {
  const barring: readonly Deed[] = acts[act]
  const counted = done
    .filter((one) => barring.includes(one.deed) && !isOfTwo(one, persons))
    .flatMap((one) => byBoth(one, persons))
  const own = counted.filter(({ by }) => by === accountId)
  if (own[0]) return { why: told(own, own[0]), until: null }
  const reset = afterReset(accountId, persons)
  if (reset) return reset
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

function afterReset(accountId: number, persons: Persons): { why: string; until: Date } | undefined {
  const reset = persons.factorResetOf(accountId)
  return (
    reset && {
      why: `${factorResets[reset.kind]} on ${dayInWords(reset.at)}`,
      until: new Date(reset.at.getTime() + FACTOR_RESET_DAYS * DAY_MS),
    }
  )
}

/** @throws FORBIDDEN for some days after the second factor of an account was changed without it */
export async function refuseAfterReset(tx: Tx, accountId: number): Promise<void> {
  const reset = afterReset(accountId, await findPersons(tx, tx.now, [accountId]))
  if (reset)
    throw forbidden(
      `You ${reset.why}. Somebody else must do this, or you from ${dayInWords(reset.until)} on.`,
    )
}

const ofTwo: readonly Deed[] = deedsOfTwo

/** Whether somebody has approved a deed who was another person than its doer by then. */
function isOfTwo({ deed, by, approved }: DoneDeed, persons: Persons): boolean {
  // Without a seal, nobody knows who could act as whom before it.
  if (!approved || approved.before === Infinity || !ofTwo.includes(deed)) return false
  return by !== approved.by && !persons.at(approved.at, approved).onePerson(by, approved.by)
}

type Barring = DoneDeed & {
  /** Whose deed it was, if the one whom it bars approved it while both were one person. */
  as?: string
}

/** What one person did with two accounts bars both. */
const byBoth = (one: DoneDeed, persons: Persons): Barring[] =>
  one.approved && one.approved.by !== one.by
    ? [one, { ...one, by: one.approved.by, as: persons.nameOf(one.by) }]
    : [one]

/** The first deed; of the same deed for other payees, only how many. */
function told(done: readonly Barring[], first: Barring): string {
  const others =
    new Set(done.filter(({ deed }) => deed === first.deed).map(({ of }) => of)).size - 1
  const words = deedInWords(
    first.deed,
    others > 0 ? `${first.of} and ${others} more` : (first.of ?? ''),
  )
  return first.as === undefined ? words : `approved as one person with ${first.as}, who ${words}`
}
