import { createContext, use } from 'react'
import classes from './FoldedFilters.module.css'

/** Opens the filters. Null if they are not folded: then each filter renders as a field. */
export const Folded = createContext<(() => void) | null>(null)

/** Whether fields stand in a line of chips, which has little room. */
export const InLine = createContext(false)

interface FilterChipProps {
  text: string
  error?: boolean
}

/** What a filter is set to, while the filters are folded. A tap opens them. */
export function FilterChip({ text, error = false }: FilterChipProps) {
  const open = use(Folded)
  return (
    <button
      type="button"
      className={classes.chip}
      data-filter
      title={text}
      data-error={error || undefined}
      onClick={() => open?.()}
    >
      {text}
    </button>
  )
}

/** A filter whose name is asked for. The chips wait for it, because it would push those behind it aside. */
export const WaitingChip = () => <span hidden data-waiting />
