import { Checkbox } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import classes from './CardList.module.css'

export interface CardFact {
  id: string
  label: string
  value: ReactNode
  bonus?: boolean | undefined
}

interface CardProps {
  title: ReactNode
  /** Shown below the title, in one line where they fit. */
  subtitles?: readonly { id: string; value: ReactNode }[]
  /** On the right edge. */
  money: readonly CardFact[]
  /** Shown when the card is tapped. */
  details: readonly CardFact[]
  actions?: ReactNode
  /** Its number in the list, if rows are numbered. */
  number?: number | undefined
  tone?: 'good' | 'bad' | 'total' | undefined
  /** Undefined if rows can't be selected. */
  select?:
    | { label: string; isSelected: boolean; onChange: (isSelected: boolean) => void }
    | undefined
  /** What the row itself has expanded, below everything else. */
  below?: ReactNode
}

/**
 * A row of a list as a card. A tap anywhere except on its links and buttons unfolds the details.
 */
export function Card(props: CardProps) {
  const { title, subtitles = [], money, details, actions, number, select } = props
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <li
      className={classes.card}
      data-tone={props.tone}
      data-selected={select?.isSelected || undefined}
    >
      <div className={classes.head}>
        {select && (
          <Checkbox
            size="sm"
            className={classes.above}
            aria-label={select.label}
            checked={select.isSelected}
            onChange={(event) => select.onChange(event.currentTarget.checked)}
          />
        )}
        <div className={classes.names}>
          {/* Not an h2, which may not contain everything that a cell can be. */}
          <div role="heading" aria-level={2} id={`${id}-title`} className={classes.title}>
            {number !== undefined && <span className={classes.number}>{number} </span>}
            {title}
          </div>
          {subtitles.length > 0 && (
            <div className={classes.subtitle}>
              {subtitles.map((part) => (
                <span key={part.id} data-column={part.id}>
                  {part.value}
                </span>
              ))}
            </div>
          )}
        </div>
        {money.length > 0 && (
          <dl className={classes.money}>
            {money.map(({ id: of, label, value, bonus }) => (
              <div key={of}>
                <dt data-bonus={bonus || undefined}>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {actions && <div className={classes.above}>{actions}</div>}
        {details.length > 0 && (
          <button
            type="button"
            id={`${id}-toggle`}
            className={classes.toggle}
            aria-label="Details of"
            aria-labelledby={`${id}-toggle ${id}-title`}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconChevronDown size={18} aria-hidden />
          </button>
        )}
      </div>
      {isOpen && (
        <dl className={classes.details}>
          {details.map(({ id: of, label, value, bonus }) => (
            <div key={of}>
              <dt data-bonus={bonus || undefined}>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {props.below ? <div className={classes.below}>{props.below}</div> : null}
    </li>
  )
}
