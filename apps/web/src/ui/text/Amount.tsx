import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import { type HistoryState, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode, SyntheticEvent } from 'react'
import { amountText } from '../../lib/amount-text.ts'
import { stringifySearch } from '../../lib/pages/search.ts'
import classes from './Amount.module.css'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The explanation was opened from its page, which is one step back in the history. */
    explained?: boolean
  }
}

interface AmountProps {
  /** What the figure consists of; undefined if it can't be explained, so that it is plain text. */
  of: AmountQuestion | undefined
  /** Whose figure it is: 'Payout', or 'Payout, today, maria' if no table says so. */
  label: string
  /** The figure. */
  children: ReactNode
}

/** A figure that opens its explanation over the current page. */
export function Amount({ of: question, label, children }: AmountProps) {
  const router = useRouter()
  if (!question) return children

  const figure = typeof children === 'string' ? ` ${children}` : ''
  const search = () => ({
    ...router.state.location.search,
    explain: amountText(question),
    explainPage: undefined,
  })
  return (
    <FigureLink
      search={search}
      state={{ explained: true }}
      label={`${label}${figure}: what it is made of`}
    >
      {children}
    </FigureLink>
  )
}

interface FigureLinkProps {
  /** If left out, the current page. */
  to?: string
  /**
   * A function, called when the link is about to be followed, because the page's search may have
   * changed by then.
   */
  search: object | (() => object)
  state?: HistoryState
  /** What it opens. */
  label: string
  children: ReactNode
}

/**
 * The link of a figure. A bare element with plain handlers, because a page can have thousands, and
 * each of the router's own links re-renders on every navigation.
 */
export function FigureLink({ to, search, state, label, children }: FigureLinkProps) {
  const router = useRouter()
  const searchNow = () => (typeof search === 'function' ? search() : search) as object
  const href = () => `${to ?? ''}${stringifySearch({ ...searchNow() })}`
  const refresh = ({ currentTarget }: SyntheticEvent<HTMLAnchorElement>) =>
    currentTarget.setAttribute('href', href())
  const handleClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    void router.navigate({
      to: to ?? '.',
      search: searchNow() as never, // any page may be open, so the router can't check it
      ...(state && { state, resetScroll: false }),
    })
  }
  return (
    <a
      className={classes.figure}
      href={href()}
      aria-label={label}
      onPointerEnter={refresh}
      onFocus={refresh}
      onClick={handleClick}
    >
      {children}
    </a>
  )
}
