import { formatClock, NEW_YORK } from '@tallyroom/domain/new-york'
import { useNow } from '../lib/clock.ts'
import { Tooltip } from './Tooltip.tsx'

/** New York's time, ticking. Its date and time are what 'today' means on every page. */
export function NewYorkClock() {
  const now = useNow()
  return (
    <Tooltip label={`${NEW_YORK}. All dates and statistics are in this time zone.`} withArrow>
      <time className="tr-figures" dateTime={new Date(now).toISOString()} tabIndex={0}>
        {formatClock(now)}
      </time>
    </Tooltip>
  )
}
