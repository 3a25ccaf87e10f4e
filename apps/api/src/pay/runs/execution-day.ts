import { hasDate } from '@tallyroom/contract/pay/files/files'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { MOST_DAYS_AHEAD } from '@tallyroom/domain/pay'
import { invalid } from '../../errors.ts'
import type { ApprovedFile, Run } from './run.ts'

/** @throws VALIDATION_ERROR for an execution date that a bank would refuse. @param today where the bank is */
export function refuseDay(executionDay: Day, today: Day): void {
  const last = addDays(today, MOST_DAYS_AHEAD)
  if (executionDay < today)
    throw invalid({ executionDay: [`must not be before ${today}, today where the bank is`] })
  if (executionDay > last)
    throw invalid({ executionDay: [`must not be after ${last}, ${MOST_DAYS_AHEAD} days from now`] })
}

/** Whether an approved file needs a later date before it leaves: its own has passed, and nobody has downloaded it. */
export const needsDay = (
  { layout, executionDay, downloads }: Pick<Run, 'layout' | 'executionDay' | 'downloads'>,
  { name, redated }: ApprovedFile,
  today: Day,
): boolean =>
  hasDate(layout) &&
  executionDay < today &&
  !redated &&
  !downloads.some((download) => download.name === name)
