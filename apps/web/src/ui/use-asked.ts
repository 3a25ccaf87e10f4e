import { useCallback, useState } from 'react'

/**
 * What a page asks in a dialog. `end` is called when the dialog has closed, and `key` is its key: what is asked while it fades takes its
 * place, and is not ended with it.
 */
export function useAsked<What>(first?: () => What | undefined) {
  const [{ asked, key }, setState] = useState(() => ({ asked: first?.(), key: 0 }))
  const ask = useCallback(
    (what: What) => setState((before) => ({ asked: what, key: before.key + 1 })),
    [],
  )
  const end = useCallback(() => setState((before) => ({ asked: undefined, key: before.key })), [])
  return { asked, key, ask, end }
}
