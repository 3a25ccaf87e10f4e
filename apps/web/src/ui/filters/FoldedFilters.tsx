import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { Folded } from './folded.tsx'
import { useAsked } from '../use-asked.ts'
import classes from './FoldedFilters.module.css'

const FilterSheet = lazy(() => import('./FilterSheet.tsx'))

export interface FiltersProps {
  /** The fields. */
  children: ReactNode
  onSearch: () => void
  onClear?: (() => void) | undefined
  busy?: boolean | undefined
  searchLabel?: string | undefined
}

/**
 * The filters of a list on a phone: a line of chips that show what is set. A tap opens the fields.
 */
export function FoldedFilters(props: FiltersProps) {
  const line = useRef<HTMLDivElement>(null)
  /** What the chips showed before the fields were opened. Undefined while closed. */
  const { asked: before, key, ask, end } = useAsked<string>()
  const says = () => line.current?.textContent ?? ''
  const open = () => ask(says())
  return (
    <>
      <div ref={line} className={classes.line} role="group" aria-label="Filters">
        <button type="button" className={classes.chip} aria-haspopup="dialog" onClick={open}>
          <IconAdjustmentsHorizontal size={16} aria-hidden />
          Filters
        </button>
        <Folded value={open}>{props.children}</Folded>
      </div>
      <Suspense>
        {before !== undefined && (
          <FilterSheet
            key={key}
            {...props}
            // Dismissed with changes: apply them, because otherwise the chips would contradict the
            // rows.
            onDismiss={() => {
              if (says() !== before) props.onSearch()
            }}
            onClosed={end}
          />
        )}
      </Suspense>
    </>
  )
}
