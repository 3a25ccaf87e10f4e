import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import { type Day, startOfDay } from '@tallyroom/domain/new-york'

/** Of rates, newest first, those that apply at the beginning of a day, prepared ones included. */
export const ratesOn = <Rate extends Pick<DatedRate, 'state' | 'validFrom'>>(
  rates: readonly Rate[] | undefined,
  day: Day,
): Rate | undefined =>
  rates?.find(
    ({ state, validFrom }) =>
      state !== 'withdrawn' && (validFrom === null || new Date(validFrom) <= startOfDay(day)),
  )
