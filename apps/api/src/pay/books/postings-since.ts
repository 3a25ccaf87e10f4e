import type { Posting } from './postings.ts'

/**
 * What is to be booked so that it is `booked`, after `given` was exported: entries that came later, and for those that changed,
 * as a transfer does when its day becomes known, what takes them back and what they are now. Sums of both are those of `booked`.
 *
 * No entry number comes twice, as programs would skip or add what they know: after 12 come 12-2, which takes it back, and 12-3.
 */
export function postingsSince(
  given: readonly Posting[],
  booked: readonly Posting[],
  /** All that was ever exported, also before the last export of all: it has numbers that are taken. */
  ever: readonly Posting[],
): Posting[] {
  const numbered = Map.groupBy(ever, entryOf)
  const before = Map.groupBy(given, entryOf)
  const now = Map.groupBy(booked, entryOf)
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((entry): Posting[] => {
    const own = now.get(entry) ?? []
    const known = numbered.get(entry)
    if (!known) return own
    const left = netOf(before.get(entry) ?? [])
    if (textOf(left) === textOf(netOf(own))) return []
    let version = Math.max(...known.map(versionOf))
    const next = () => `${entry}-${++version}`
    const takenBack = left.length > 0 ? next() : ''
    const anew = own.length > 0 ? next() : ''
    return [
      ...left.map((one): Posting => ({
        ...one,
        entry: takenBack,
        amount: 0 - one.amount,
        takesBack: true,
      })),
      ...own.map((one): Posting => ({ ...one, entry: anew })),
    ]
  })
}

/** 12-3 is the third version of 12. */
const entryOf = ({ entry }: Posting): string => entry.split('-', 1)[0] ?? entry

const versionOf = ({ entry }: Posting): number => Number(entry.split('-')[1] ?? 1)

/** What postings of an entry come to, by day, accounts and currency. */
const netOf = (postings: readonly Posting[]): Posting[] =>
  [...Map.groupBy(postings, placeOf).values()].flatMap((own) => {
    const [first] = own
    const amount = own.reduce((sum, one) => sum + one.amount, 0)
    return first && amount !== 0 ? [{ ...first, amount }] : []
  })

const placeOf = ({ day, from, to, currency }: Posting): string =>
  [day, from, to, currency].join(' ')

const textOf = (postings: readonly Posting[]): string =>
  postings
    .map((one) => `${placeOf(one)} ${one.amount}`)
    .toSorted()
    .join('; ')
