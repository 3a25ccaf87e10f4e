import { Button } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import classes from './MoreLine.module.css'

interface MoreLineProps {
  children: ReactNode
  /** What the sentences are about, for a second such line of a page. */
  about?: string
  /** Shown below the line once it is opened. */
  more?: ReactNode
}

/** Sentences about a report in one line. 'More' shows all of them. */
export function MoreLine({ children, about, more }: MoreLineProps) {
  const line = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [isCut, setIsCut] = useState(false)
  useLayoutEffect(() => {
    const element = line.current
    if (!element || isOpen) return undefined
    const measure = () => setIsCut(element.scrollWidth > element.clientWidth)
    const observer = new ResizeObserver(measure)
    for (const one of [element, ...element.children]) observer.observe(one)
    return () => observer.disconnect()
  }, [isOpen, children])
  const hasMore = isOpen || isCut || Boolean(more)
  return (
    <>
      <div className={classes.bar}>
        <div ref={line} className={classes.line} data-open={isOpen || undefined}>
          {children}
        </div>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={about && `${isOpen ? 'Less' : 'More'} about ${about}`}
          // Keeps its place, so that nothing shifts when the sentences arrive.
          style={hasMore ? undefined : { visibility: 'hidden' }}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Less' : 'More'}
        </Button>
      </div>
      {isOpen && more}
    </>
  )
}
