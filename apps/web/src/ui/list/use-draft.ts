import { useState } from 'react'

/**
 * Criteria being edited, before Search applies them. They start as the applied ones, and are these
 * again as soon as the URL brings others (Back, a link, Clear).
 */
export function useDraft<Criteria extends object>(applied: Criteria) {
  const key = JSON.stringify(applied)
  const [draft, setDraft] = useState({ for: key, criteria: applied })
  // Takes the last draft from the state: two fields may change in one go.
  const change = (part: Partial<Criteria>) =>
    setDraft((last) => ({
      for: key,
      criteria: { ...(last.for === key ? last.criteria : applied), ...part },
    }))
  return [draft.for === key ? draft.criteria : applied, change] as const
}
