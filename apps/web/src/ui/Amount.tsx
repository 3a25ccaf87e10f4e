import type { AmountQuestion } from '@tallyroom/contract/stats-explain'
import { type HistoryState, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode, SyntheticEvent } from 'react'
import { amountText } from '../lib/amount-text.ts'
import { stringifySearch } from '../lib/search.ts'
import classes from './Amount.module.css'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The explanation was opened from its page, which is one step back. */
    explained?: boolean
  }
}

interface AmountProps {
  /** What the figure is; undefined for one that can't be explained, which is shown as it is. */
  of: AmountQuestion | undefined
  /** Whose figure it is: 'Payout', or 'Payout, today, maria' where no table says so. */
  label: string
  /** The figure. */
  children: ReactNode
}

/** A figure that opens its explanation, over the page that it is on. */
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
  /** Left out: the page that is open. */
  to?: string
  /** As a function: called when the link is about to be followed, because the page's search may have changed since. */
  search: object | (() => object)
  state?: HistoryState
  /** What it opens. */
  label: string
  children: ReactNode
}

/**
 * The link of a figure. A bare one with plain handlers, because a page can have thousands and each of the router's own
 * links re-renders on every navigation.
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
