import { useLayoutEffect, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'

const BUTTONS = 'button:not(:disabled)'

/**
 * Keys of a toolbar as the ARIA practices describe them: Tab stops at one button, the last one used; arrows,
 * Home and End lead to the others, Escape leads out. The buttons are the library's, so this works on the page itself.
 */
export function useToolbarKeys(bar: RefObject<HTMLElement | null>, onEscape: () => void) {
  const buttons = () => [...(bar.current?.querySelectorAll<HTMLElement>(BUTTONS) ?? [])]
  const stopAt = (stop: HTMLElement | undefined) => {
    for (const button of bar.current?.querySelectorAll('button') ?? [])
      button.tabIndex = button === stop ? 0 : -1
  }

  // After every drawing: buttons come, go and are switched off.
  useLayoutEffect(() => {
    const all = buttons()
    if (all.filter(({ tabIndex }) => tabIndex === 0).length !== 1) stopAt(all[0])
  })

  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      if (target.matches(BUTTONS) && bar.current?.contains(target)) stopAt(target)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      // What floats above the page (a menu, a field) has keys of its own.
      if (!(event.target instanceof HTMLElement) || !bar.current?.contains(event.target)) return
      if (event.key === 'Escape') return onEscape()
      const all = buttons()
      const next = nextOf(event.key, all.indexOf(event.target), all.length)
      if (next === undefined) return
      event.preventDefault()
      all[next]?.focus()
    },
  }
}

function nextOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowLeft':
      return (at - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
