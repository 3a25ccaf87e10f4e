import { useMounted } from '@mantine/hooks'
import { useState } from 'react'

/**
 * Opens a dialog right after it has mounted. If it were mounted open, the library would not return focus when it
 * closes.
 */
export function useOpened(): [opened: boolean, close: () => void] {
  const isThere = useMounted()
  const [isClosed, setClosed] = useState(false)
  return [isThere && !isClosed, () => setClosed(true)]
}
