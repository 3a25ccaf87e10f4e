import { useState } from 'react'

/**
 * Criteria that are being edited, before Search applies them. They start as the applied criteria, and are reset when
 * the URL changes these (Back, a link, Clear).
 *
 * @param onClear also called by the returned `clear`
 */
export function useDraft<Criteria extends object>(applied: Criteria, onClear?: () => void) {
  const key = JSON.stringify(applied)
  const [draft, setDraft] = useState({ for: key, criteria: applied })
  // Builds on the latest state, because two fields may change at once.
  const change = (part: Partial<Criteria>) =>
    setDraft((last) => ({
      for: key,
      criteria: { ...(last.for === key ? last.criteria : applied), ...part },
    }))
  const shown = draft.for === key ? draft.criteria : applied
  /** Only for criteria each of which may be undefined. */
  const clear = () => {
    setDraft({ for: key, criteria: {} as Criteria }) // see above
    onClear?.()
  }
  return [shown, change, clear] as const
}
