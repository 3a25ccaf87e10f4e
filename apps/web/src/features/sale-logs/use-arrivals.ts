import { useState } from 'react'

interface Arrivals {
  /** What was asked for; another question begins anew. */
  asked: string
  /** The ids of its first answer. */
  known: ReadonlySet<string>
}

/**
 * Which rows of a list that is read again and again were not in its first answer.
 *
 * @param asked names the question.
 * @param ids of the present answer; undefined while it is on its way.
 */
export function useArrivals(asked: string, ids: readonly string[] | undefined) {
  const [first, setFirst] = useState<Arrivals>()
  if (ids !== undefined && first?.asked !== asked) setFirst({ asked, known: new Set(ids) })
  const isNew = (id: string) => first?.asked === asked && !first.known.has(id)
  return { isNew, count: ids?.filter(isNew).length ?? 0 }
}
