import { NEW_YORK, zoneAbbreviation } from '@tallyroom/domain/new-york'
import { useNow } from '../../lib/clock.ts'
import classes from './TimeZoneNote.module.css'
import { Tooltip } from '../Tooltip.tsx'

/** The time zone of all days and times on the page, and of the clock in the header. */
export function TimeZoneNote() {
  const zone = zoneAbbreviation(useNow())
  return (
    <Tooltip
      label={`${NEW_YORK}: EDT from the second Sunday of March to the first Sunday of November, EST otherwise`}
      multiline
      maw={300}
      withArrow
    >
      <span className={classes.note} tabIndex={0}>
        New York time ({zone})
      </span>
    </Tooltip>
  )
}
