import { SegmentedControl } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { LinkType } from '@tallyroom/contract/catalogue/link-types'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import type { SaleNaming } from '@tallyroom/domain/event-types'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { DatesButton } from '../../shared/rates/DatesButton.tsx'
import { dayText } from '../../shared/rates/Prepared.tsx'
import { rateColumns } from '../../shared/rates/rate-columns.ts'
import { ratesQuery } from '../../shared/rates/rates.api.ts'
import { ratesOn } from '../../shared/rates/rates-on.ts'
import { LazyRatesDrawer } from '../../shared/rates/LazyRatesDrawer.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { type LinkTypeValues, rateValues } from './link-type-form.ts'
import { useAsked } from '../../ui/use-asked.ts'
import classes from './RatesFrom.module.css'

interface RatesFromProps {
  form: UseFormReturnType<LinkTypeValues>
  linkType: Pick<LinkType, 'id' | 'siteId' | 'typename'>
  site: SaleNaming
}

/** Whether the form's rates apply from now on or from a day on, and what is already prepared. */
export function RatesFrom({ form, linkType, site }: RatesFromProps) {
  const tomorrow = addDays(useToday(), 1)
  const of = { siteId: linkType.siteId, typeId: linkType.id, companyId: null }
  const { data: rates } = useQuery(ratesQuery(of))
  const dates = useAsked<true>()
  const { validFrom, bonus } = form.values

  /** Amounts that nobody has edited change to those of the chosen day; empty means now. */
  const choose = (day: Day) => {
    const before = valuesOn(rates, validFrom)
    const then = valuesOn(rates, day)
    form.setFieldValue('validFrom', day)
    for (const field of RATE_FIELDS) {
      const value = then?.[field]
      if (value !== undefined && form.values[field] === before?.[field]) {
        form.setFieldValue(field, value)
      }
    }
  }

  const prepared = rates?.filter(({ state }) => state === 'prepared') ?? []
  return (
    <div className={classes.from}>
      <div className={classes.fields}>
        <SegmentedControl
          aria-label="When these rates begin"
          size="xs"
          data={[
            { value: 'now', label: 'From now on' },
            { value: 'day', label: 'From a day on' },
          ]}
          value={validFrom === '' ? 'now' : 'day'}
          disabled={!rates}
          onChange={(when) => choose(when === 'day' ? tomorrow : '')}
        />
        {validFrom !== '' && (
          <DayPicker
            label="Rates from"
            value={validFrom}
            min={tomorrow}
            onChange={choose}
            error={form.errors['validFrom']}
          />
        )}
      </div>
      <p className={classes.about}>
        {validFrom === ''
          ? prepared.length > 0 && 'Prepared changes stay. '
          : 'They take effect at midnight in New York. Everything else in this form is saved at once. '}
        {prepared.length > 0 &&
          `Prepared for ${prepared
            .map((rate) => dayText(rate.validFrom ?? ''))
            .toReversed()
            .join(', ')}. `}
        <DatesButton onClick={() => dates.ask(true)}>Dates of these rates…</DatesButton>
      </p>
      {dates.asked && (
        <LazyRatesDrawer
          key={dates.key}
          of={of}
          name={`Default rates of ${linkType.typename}`}
          columns={rateColumns({ ...site, hasBonus: bonus })}
          onClosed={dates.end}
        />
      )}
    </div>
  )
}

const RATE_FIELDS = ['payout', 'earning', 'lpp', 'bonusPayout', 'bonusEarning', 'bonusLpp'] as const

/**
 * The amounts in force at the beginning of a day, or now if the day is empty. Undefined until
 * loaded.
 */
function valuesOn(rates: readonly DatedRate[] | undefined, day: Day) {
  const found = day === '' ? rates?.find(({ state }) => state === 'in force') : ratesOn(rates, day)
  return found && rateValues(found)
}
