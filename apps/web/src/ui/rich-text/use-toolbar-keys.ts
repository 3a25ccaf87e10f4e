import { useLayoutEffect, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'

const BUTTONS = 'button:not(:disabled)'

/**
 * A toolbar's keys according to the ARIA Authoring Practices: a roving tab stop on the last used button. Arrows, Home
 * and End move between buttons, Escape leaves. Works on DOM elements, because the buttons belong to the library.
 */
export function useToolbarKeys(bar: RefObject<HTMLElement | null>, onEscape: () => void) {
  const buttons = () => [...(bar.current?.querySelectorAll<HTMLElement>(BUTTONS) ?? [])]
  const stopAt = (stop: HTMLElement | undefined) => {
    for (const button of bar.current?.querySelectorAll('button') ?? [])
      button.tabIndex = button === stop ? 0 : -1
  }

  // After every render, because buttons appear, disappear and become disabled.
  useLayoutEffect(() => {
    const all = buttons()
    if (all.filter(({ tabIndex }) => tabIndex === 0).length !== 1) stopAt(all[0])
  })

  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      if (target.matches(BUTTONS) && bar.current?.contains(target)) stopAt(target)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      // Floating elements, such as menus and popovers, handle their own keys.
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
