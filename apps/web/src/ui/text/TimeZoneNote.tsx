import { zoneAbbreviation } from '@tallyroom/domain/new-york'
import { useNow } from '../../lib/clock.ts'
import classes from './TimeZoneNote.module.css'
import { Tooltip } from '../Tooltip.tsx'
import { behindInWords } from './time-zone-words.ts'

/** The time zone of all days and times on the page, and of the clock in the header. */
export function TimeZoneNote() {
  const now = useNow()
  return (
    <Tooltip label={behindInWords(now)} multiline maw={300} withArrow>
      <span className={classes.note} tabIndex={0}>
        New York time ({zoneAbbreviation(now)})
      </span>
    </Tooltip>
  )
}
