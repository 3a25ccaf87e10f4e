import { matchingHint, type PeriodHint, type MaybeRange } from '@tallyroom/domain/periods'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import classes from './dates.module.css'

export interface HintGroup {
  heading?: string
  hints: readonly PeriodHint[]
}

interface HintListProps {
  groups: readonly HintGroup[]
  value: MaybeRange
  onChoose: (hint: PeriodHint) => void
}

/** Named periods beside a calendar. The one that equals the chosen days is marked. */
export function HintList({ groups, value, onChoose }: HintListProps) {
  const list = useRef<HTMLDivElement>(null)
  const all = groups.flatMap(({ hints }) => hints)
  const chosen = matchingHint(value, all)

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [])

  const handleKey = (event: KeyboardEvent) => {
    const target = step(event.key, list.current)
    if (!target) return
    event.preventDefault()
    target.focus()
  }

  return (
    <div
      ref={list}
      className={classes.hints}
      role="listbox"
      tabIndex={-1}
      aria-label="Periods"
      onKeyDown={handleKey}
    >
      {groups.map(({ heading, hints }) => (
        <div key={heading ?? ''} role="group" aria-label={heading ?? 'Periods'}>
          {heading && <div className={classes.heading}>{heading}</div>}
          {hints.map((hint) => (
            <button
              key={hint.label}
              type="button"
              role="option"
              aria-selected={hint === chosen}
              // A roving tab stop: arrow keys move inside the list.
              tabIndex={hint === (chosen ?? all[0]) ? 0 : -1}
              onClick={() => onChoose(hint)}
            >
              {hint.label}
            </button>
          ))}
        </div>
      ))}
    </div>
  )
}

function step(key: string, list: HTMLElement | null): HTMLElement | undefined {
  const options = [...(list?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])]
  const here = options.findIndex((option) => option === document.activeElement)
  if (key === 'ArrowDown') return options[Math.min(here + 1, options.length - 1)]
  if (key === 'ArrowUp') return options[Math.max(here - 1, 0)]
  if (key === 'Home') return options[0]
  if (key === 'End') return options.at(-1)
  return undefined
}
