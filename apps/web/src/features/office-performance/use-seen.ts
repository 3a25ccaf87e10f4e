import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** How far outside of the view a chart is drawn already, so that scrolling meets no empty frame. */
const AHEAD_PX = 400

/** Whether an element has come into view, or near it, or is to be printed. It stays so. */
export function useSeen() {
  const ref = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    const element = ref.current
    if (!element || seen) return
    const watched = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { root: element.closest('main'), rootMargin: `${AHEAD_PX}px` },
    )
    watched.observe(element)
    // The printer does not wait for the next frame.
    const showAll = () => flushSync(() => setSeen(true))
    window.addEventListener('beforeprint', showAll)
    return () => {
      watched.disconnect()
      window.removeEventListener('beforeprint', showAll)
    }
  }, [seen])

  return [ref, seen] as const
}
