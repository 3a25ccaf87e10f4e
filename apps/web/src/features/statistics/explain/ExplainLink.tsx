import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { stringifySearch } from '../../../lib/search.ts'
import classes from './ExplainLink.module.css'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The explanation was opened from its page, which is one step back. */
    explained?: boolean
  }
}

interface ExplainLinkProps {
  search: object
  label: string
  children: ReactNode
}

/**
 * An amount that opens its explanation. A plain link with one handler, because a page can have thousands and each of
 * the router's own links re-renders on every navigation.
 */
export function ExplainLink({ search, label, children }: ExplainLinkProps) {
  const navigate = useNavigate()
  const handleClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    void navigate({
      to: '.',
      search: search as never, // any page may be open, so the router can't check it
      state: { explained: true },
      resetScroll: false,
    })
  }
  return (
    <a
      className={classes.link}
      href={stringifySearch({ ...search })}
      aria-label={label}
      onClick={handleClick}
    >
      {children}
    </a>
  )
}
