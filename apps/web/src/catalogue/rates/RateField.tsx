import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { currencyOf, parseRate, rateText, type RateUnit } from '../../shared/rates/rate-text.ts'
import classes from './RateField.module.css'

interface RateFieldProps {
  /** Names the rate and the office: 'Payout of Manila'. */
  label: string
  unit: RateUnit
  value: number
  onChange: (value: number) => void
  /** Called with +1 when an unsaved draft appears, and with −1 when it is saved or discarded. */
  onDrafts: (change: 1 | -1) => void
}

/** A rate. Enter or leaving the field saves it; Escape discards the draft. */
export function RateField({ label, unit, value, onChange, onDrafts }: RateFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isHere, setHere] = useState(false)
  const [draft, setDraft] = useState<string>()
  const text = draft ?? rateText(value, unit)
  const parsed = draft === undefined ? { value } : parseRate(draft, unit)
  const problem = 'problem' in parsed ? parsed.problem : undefined

  const hasDraft = draft !== undefined
  useEffect(() => {
    if (!hasDraft) return
    onDrafts(1)
    return () => onDrafts(-1)
  }, [hasDraft, onDrafts])

  // Select everything, so that typing replaces the figure, as in a spreadsheet.
  useLayoutEffect(() => {
    if (isHere) field.current?.select()
  }, [isHere])

  const commit = () => {
    if ('problem' in parsed) return
    setDraft(undefined)
    if (parsed.value !== value) onChange(parsed.value)
  }

  return (
    <span className={classes.field} data-invalid={problem !== undefined || undefined}>
      <span aria-hidden>{currencyOf(unit)}</span>
      <input
        ref={field}
        aria-label={label}
        aria-invalid={problem !== undefined}
        title={problem && `${problem}. Not saved.`}
        inputMode={unit === 'points' ? 'numeric' : 'decimal'}
        autoComplete="off"
        maxLength={16}
        value={text}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onFocus={() => setHere(true)}
        onBlur={() => {
          setHere(false)
          commit()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          else if (event.key === 'Escape') setDraft(undefined)
        }}
      />
      {problem !== undefined && (
        <span role="alert" className={classes.problem}>
          {problem}
        </span>
      )}
    </span>
  )
}
