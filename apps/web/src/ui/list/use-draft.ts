import { useState } from 'react'

/**
 * Criteria that are being edited, before Search applies them. They start as the applied criteria, and are reset when
 * the URL changes these (Back, a link, Clear).
 */
export function useDraft<Criteria extends object>(applied: Criteria) {
  const key = JSON.stringify(applied)
  const [draft, setDraft] = useState({ for: key, criteria: applied })
  // Builds on the latest state, because two fields may change at once.
  const change = (part: Partial<Criteria>) =>
    setDraft((last) => ({
      for: key,
      criteria: { ...(last.for === key ? last.criteria : applied), ...part },
    }))
  return [draft.for === key ? draft.criteria : applied, change] as const
}
