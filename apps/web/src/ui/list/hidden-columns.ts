import { useState } from 'react'
import type { ListColumn } from './columns.ts'

/**
 * The hidden columns of a list, remembered in this browser under the list's name. Until somebody has chosen,
 * those are hidden that say so themselves.
 */
export function useHiddenColumns(
  list: string,
  columns: readonly Pick<ListColumn<never>, 'id' | 'hiddenAtFirst'>[],
) {
  const key = `tallyroom.columns.${list}`
  const [hidden, setHidden] = useState(
    () =>
      recall(key) ??
      new Set(columns.flatMap(({ id, hiddenAtFirst }) => (hiddenAtFirst ? [id] : []))),
  )
  const change = (next: ReadonlySet<string>) => {
    setHidden(next)
    remember(key, next)
  }
  return [hidden, change] as const
}

function recall(key: string): ReadonlySet<string> | undefined {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(ids) ? new Set(ids.filter((id) => typeof id === 'string')) : undefined
  } catch {
    return undefined
  }
}

function remember(key: string, hidden: ReadonlySet<string>) {
  try {
    localStorage.setItem(key, JSON.stringify([...hidden]))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
