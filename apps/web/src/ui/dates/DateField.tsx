import { Input, InputBase, Skeleton } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, use, useState, type ReactNode } from 'react'
import { FilterChip, Folded, InLine } from '../filters/folded.tsx'
import { Panel } from '../Panel.tsx'
import classes from './dates.module.css'
import type { RangeCalendarProps } from './RangeCalendar.tsx'

const loadCalendar = () => import('./RangeCalendar.tsx')
const LazyCalendar = lazy(loadCalendar)

interface DateFieldProps {
  label: string
  /** The chosen value in words. If empty, the placeholder is shown. */
  text: string
  /** The same in fewer letters, for chips: `1–15 Nov`. */
  words?: string | undefined
  placeholder: string
  error?: ReactNode
  width?: number
  /** The calendars and hints. They call `close` when a choice completes the value. */
  children: (close: () => void) => ReactNode
}

/** A field that opens a panel with calendars. All date pickers use it. */
export function DateField(props: DateFieldProps) {
  const { label, text, words, placeholder, error, width = 236, children } = props
  const isInLine = use(InLine)
  const [opened, setOpened] = useState(false)
  const isFolded = use(Folded) !== null
  const [field, name] = label.split(': ')
  if (isFolded) {
    // A name says it all, unless it is made of days: then these are shorter. Days need no 'Date range' before them.
    const named = field === 'Date range' && words ? words : `${field}: ${words ?? text}`
    const chip = name && !isMadeOfDays(name) ? name : text ? named : error && field
    return chip ? <FilterChip text={chip} error={Boolean(error)} /> : null
  }
  return (
    <Panel
      label={label}
      opened={opened}
      onClose={() => setOpened(false)}
      className={classes.dropdown}
      button={
        <InputBase
          component="button"
          className={classes.field}
          type="button"
          label={isInLine ? field : label}
          labelProps={{
            'data-named': isInLine && field === 'Date range' && (words || !text) ? true : undefined,
          }}
          size="xs"
          pointer
          w={width}
          miw={218}
          maw="100%"
          error={error}
          leftSection={<IconCalendar size={15} stroke={1.6} />}
          aria-label={[`${label}: ${text || placeholder}`, isInLine && words]
            .filter(Boolean)
            .join(', ')}
          onPointerEnter={prefetchCalendar}
          onFocus={prefetchCalendar}
          onClick={() => setOpened(!opened)}
        >
          {text ? (
            <span className="tr-figures">{(isInLine && words) || text}</span>
          ) : (
            <Input.Placeholder>{placeholder}</Input.Placeholder>
          )}
        </InputBase>
      }
    >
      <div className={classes.panel}>{children(() => setOpened(false))}</div>
    </Panel>
  )
}

/** Such as ‘1–15 Nov 2026 (last half-month)’, and not ‘2 months back’. */
const isMadeOfDays = (name: string) => /\d{4}/.test(name)

/** A month of New York days with a highlighted range. Loaded on demand with the date library. */
export const Calendar = (props: RangeCalendarProps) => (
  <Suspense
    fallback={<Skeleton w={MONTH.width} h={MONTH.height} role="status" aria-label="Loading" />}
  >
    <LazyCalendar {...props} />
  </Suspense>
)

/** The size of six weeks, in pixels. */
const MONTH = { width: 252, height: 286 }

/** If it fails, opening the field retries. */
const prefetchCalendar = () => void loadCalendar().catch(() => undefined)
