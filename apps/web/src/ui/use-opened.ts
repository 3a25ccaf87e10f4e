import { useMounted } from '@mantine/hooks'
import { useState } from 'react'

/**
 * Whether a dialog is open, and what closes it: open from just after it is there, since only then does the
 * library remember where to put focus back.
 */
export function useOpened(): [opened: boolean, close: () => void] {
  const isThere = useMounted()
  const [isClosed, setClosed] = useState(false)
  return [isThere && !isClosed, () => setClosed(true)]
}
