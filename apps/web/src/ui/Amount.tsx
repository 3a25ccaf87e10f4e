import type { AmountQuestion } from '@tallyroom/contract/stats-explain'
import { useRouter } from '@tanstack/react-router'
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

/**
 * A figure that opens its explanation, over the page that it is on. A bare link with plain handlers, because a page
 * can have thousands and each of the router's own links re-renders on every navigation.
 */
export function Amount({ of: question, label, children }: AmountProps) {
  const router = useRouter()
  if (!question) return children

  const search = () => ({
    ...router.state.location.search,
    explain: amountText(question),
    explainPage: undefined,
  })
  // The page's search may have changed since this was rendered.
  const refresh = ({ currentTarget }: SyntheticEvent<HTMLAnchorElement>) =>
    currentTarget.setAttribute('href', stringifySearch(search()))
  const handleClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    void router.navigate({
      to: '.',
      search: search() as never, // any page may be open, so the router can't check it
      state: { explained: true },
      resetScroll: false,
    })
  }
  const figure = typeof children === 'string' ? ` ${children}` : ''
  return (
    <a
      className={classes.amount}
      href={stringifySearch(search())}
      aria-label={`${label}${figure}: what it is made of`}
      onPointerEnter={refresh}
      onFocus={refresh}
      onClick={handleClick}
    >
      {children}
    </a>
  )
}
