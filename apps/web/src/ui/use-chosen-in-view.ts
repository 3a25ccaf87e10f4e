import { useLayoutEffect, useRef } from 'react'

/**
 * For a row of tabs that may be longer than a phone's screen: scrolls it to its `[aria-current]` one.
 *
 * @param chosen changes when another one is chosen
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
