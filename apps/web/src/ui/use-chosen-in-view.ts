import { useLayoutEffect, useRef } from 'react'

/**
 * Scrolls a row of tabs, which may be wider than a phone's screen, to its `[aria-current]` tab.
 * @param chosen the key of the current tab and, if they change, of its neighbours; a new key
 * scrolls again
 */
export function useChosenInView<Row extends HTMLElement>(chosen: string) {
  const row = useRef<Row>(null)
  useLayoutEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && tab)
      row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2
  }, [chosen])
  return row
}
