import { useEffect, useRef } from 'react'

/** Marks a frame with `data-more` while there is more of its table to the right than is in view. */
export function useMoreToTheRight() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const frame = ref.current
    if (!frame) return undefined
    const mark = () => {
      const isMore = frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1
      frame.toggleAttribute('data-more', isMore)
    }
    const observer = new ResizeObserver(mark)
    observer.observe(frame)
    if (frame.firstElementChild) observer.observe(frame.firstElementChild)
    frame.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      frame.removeEventListener('scroll', mark)
    }
  }, [])
  return ref
}
