import { useState } from 'react'

/** The hidden columns of a list, remembered in this browser under the list's name. */
export function useHiddenColumns(list: string) {
  const key = `tallyroom.columns.${list}`
  const [hidden, setHidden] = useState(() => recall(key))
  const change = (next: ReadonlySet<string>) => {
    setHidden(next)
    remember(key, next)
  }
  return [hidden, change] as const
}

function recall(key: string): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}

function remember(key: string, hidden: ReadonlySet<string>) {
  try {
    localStorage.setItem(key, JSON.stringify([...hidden]))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
