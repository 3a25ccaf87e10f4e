/** The input of a three-way merge. */
export interface ThreeVersions<Values> {
  /** When the form was opened. */
  base: Values
  /** In this form now. */
  mine: Values
  /** As somebody else has saved it in the meantime. */
  theirs: Values
}

/**
 * Merges somebody else's saved changes into a form. A field changed on one side takes that side's value. A field
 * changed on both sides keeps mine and is named in `clashes`. Lists never clash: entries added or removed on either
 * side are merged.
 */
export function mergeValues<Values extends object>(versions: ThreeVersions<Values>) {
  const { base, mine, theirs } = versions
  const values = { ...mine }
  const clashes: (keyof Values & string)[] = []
  for (const field of Object.keys(mine) as (keyof Values & string)[]) {
    const [before, here, there] = [base[field], mine[field], theirs[field]]
    if (isSame(before, there) || isSame(here, there)) continue
    if (isSame(before, here)) values[field] = there
    else if (Array.isArray(before) && Array.isArray(here) && Array.isArray(there))
      values[field] = mergeLists({
        base: before,
        mine: here,
        theirs: there,
      }) as Values[typeof field] // three lists of the field's own entries
    else clashes.push(field)
  }
  return { values, clashes }
}

function mergeLists<Entry>({ base, mine, theirs }: ThreeVersions<readonly Entry[]>): Entry[] {
  const [before, here, there] = [entriesOf(base), entriesOf(mine), entriesOf(theirs)]
  const kept = [...there].filter(([key]) => here.has(key) || !before.has(key))
  const added = [...here].filter(([key]) => !before.has(key) && !there.has(key))
  return [...kept, ...added].map(([, entry]) => entry)
}

/** Keyed by value, so that entries that are objects compare by their fields. */
const entriesOf = <Entry>(list: readonly Entry[]) =>
  new Map(list.map((entry) => [JSON.stringify(entry), entry]))

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  const there = entriesOf(b)
  return a.length === b.length && [...entriesOf(a).keys()].every((key) => there.has(key))
}
