import { VisuallyHidden } from '@mantine/core'
import { formatCount } from '@tallyroom/domain/money'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import classes from './Tile.module.css'

interface TileAnchorProps extends Omit<ComponentProps<'a'>, 'children' | 'className'> {
  label: ReactNode
  /** The figure, formatted; undefined while loading. */
  value: ReactNode
  change?: ChangeProps | undefined
  /** Other content beside the change, with dots between: `4 sales · 96 uniques`. */
  note?: string | undefined
  /** What is not as it should be, below. */
  alert?: string | undefined
  /** One number per day, oldest first. */
  spark?: readonly number[] | undefined
  /** At the bottom, in place of a sparkline. */
  more?: ReactNode
}

const TileAnchor = ({
  label,
  value,
  change,
  note,
  alert,
  spark,
  more,
  ...props
}: TileAnchorProps) => (
  <a {...props} className={`${classes.tile} mantine-focus-auto`}>
    <span className={classes.label}>{label}</span>
    <span className={classes.value} data-waiting={value === undefined || undefined}>
      {value ?? '\u00a0'}
    </span>
    {(value === undefined || change || note !== undefined) && (
      <span className={classes.below}>
        {change && <Change {...change} withAgainst />}
        {note !== undefined && <Note text={note} />}
      </span>
    )}
    {alert !== undefined && <span className={classes.alert}>{alert}</span>}
    {spark && <Sparkline values={spark} />}
    {more}
  </a>
)

/** A figure of a first screen. The whole tile links to the page that proves the figure. */
export const Tile = createLink(TileAnchor)

/** Breaks between its facts, and then without the dot. */
const Note = ({ text }: { text: string }) => (
  <span className={classes.note}>
    {text.split(' · ').map((fact, index) => (
      <span key={fact}>
        {index > 0 && <i> · </i>}
        {fact}
      </span>
    ))}
  </span>
)

interface ChangeProps {
  now: number
  /** Undefined if there is nothing comparable yet. */
  before: number | undefined
  /** The number of events behind `before`. A percentage of fewer than 20 would be noise. */
  events?: number
  /** `before`, formatted, if it is not a plain number. */
  beforeText?: string
  /** A fall is then a loss of money, and red. */
  isMoney?: boolean
  /** What `before` is, worded to follow 'against': 'Sat 14 Nov', '1–6 Nov'. */
  against: string
}

/**
 * A change in percent, or the number before if few events are behind it: green if up, red if money fell, grey otherwise.
 * The arrow says the same without colour, and screen readers get a sentence.
 * @param withAgainst - Also shows what it is compared with, which otherwise only screen readers
 * get.
 */
export function Change({
  now,
  before,
  events,
  beforeText,
  isMoney = false,
  against,
  withAgainst = false,
}: ChangeProps & { withAgainst?: boolean }) {
  const isFew = before !== undefined && events !== undefined && events < FEW
  const { tone, sign, heard } = isFew
    ? wasOf(beforeText ?? formatCount(before))
    : changeOf(now, before)
  return (
    <span className={classes.change} data-tone={tone === 'down' && !isMoney ? undefined : tone}>
      <span aria-hidden>{sign}</span>
      <VisuallyHidden>
        {before === undefined ? heard : `${heard} ${isFew ? 'on' : 'against'} ${against}`}
      </VisuallyHidden>
      {withAgainst && before !== undefined && (
        <span className={classes.against} aria-hidden>
          {isFew ? `on ${against}` : `vs ${against}`}
        </span>
      )}
    </span>
  )
}

const FEW = 20

const wasOf = (text: string) => ({ tone: undefined, sign: `was ${text}`, heard: `was ${text}` })

function changeOf(now: number, before: number | undefined) {
  if (before === undefined) return { sign: '–', heard: 'nothing to compare yet' }
  if (now === before) return { sign: '±0%', heard: 'no change' }
  if (before === 0) return now > 0 ? { tone: 'up', sign: 'new', heard: 'new' } : DOWN_FROM_NOTHING
  const percent = Math.abs(((now - before) / before) * 100)
  // A change that rounds to zero is still a change.
  const amount = percent < 1 ? '<1%' : `${formatCount(Math.round(percent))}%`
  return now > before
    ? { tone: 'up', sign: `▲ ${amount}`, heard: `up ${amount}` }
    : { tone: 'down', sign: `▼ ${amount}`, heard: `down ${amount}` }
}

/** Only reversals: a percentage of zero would say nothing. */
const DOWN_FROM_NOTHING = { tone: 'down', sign: '▼', heard: 'down from nothing' }

/** A sparkline with a dot at its end. Decorative: the linked page has the numbers. */
function Sparkline({ values }: { values: readonly number[] }) {
  const low = Math.min(0, ...values)
  const span = Math.max(...values, 0) - low || 1
  const step = WIDTH / Math.max(values.length - 1, 1)
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(2)} ${(HEIGHT - ((value - low) / span) * HEIGHT).toFixed(2)}`,
  )
  if (points.length < 2) return null
  const zero = (HEIGHT + (low / span) * HEIGHT).toFixed(2)
  return (
    <svg
      className={classes.spark}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path className={classes.area} d={`M0 ${zero}L${points.join('L')}L${WIDTH} ${zero}Z`} />
      <path className={classes.line} d={`M${points.join('L')}`} />
      {/* A line of zero length is drawn as its round caps: a dot that does not stretch with the drawing. */}
      <path className={classes.dot} d={`M${points.at(-1)}h0`} />
    </svg>
  )
}

const WIDTH = 100
const HEIGHT = 24
